import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { ownProcessor } from '@millrace/engine'
import { createExecutionReader } from '@millrace/engine/storage'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createDefinitions, versionQuery } from '#modules/workflows/index.ts'
import { typeParsers } from '#platform/db/parsers.ts'
import { createEventStreams, type EventStreamLimits } from '#platform/http/event-stream/event-streams.ts'
import { fromTypeId } from '#platform/ids.ts'
import { documentOf, greets, waits } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { createExecutionLookup } from '#modules/executions/execution-lookup.ts'
import { createJournalLookup } from './journal-lookup.ts'
import { beginning, resumePointOf, type StreamPosition } from './stream-position.ts'
import { createStreamTurns } from './stream-turns.ts'
import { createStreams } from './streams.ts'
import { createWatcher } from './watcher.ts'

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(() => server.close())

const limitsDefault: EventStreamLimits = { streamsMax: 10, perAccountMax: 10, durationMs: 60_000, stuckMs: 60_000, recheckMs: 60_000 }

/** Streams as a process has them, with limits of the test's own and a count of the statements that they send. */
function openStreams(limits: Partial<EventStreamLimits> = {}, heartbeatMs = 60_000) {
  const pool = new pg.Pool({ connectionString: server.databaseUrl, max: 2, types: typeParsers })
  onTestFinished(() => pool.end())
  const statements: string[] = []
  const counted = {
    query<Row extends object>(statement: { readonly name: string; readonly text: string; readonly values: unknown[] }) {
      statements.push(statement.name)
      return pool.query<Row>(statement)
    },
  }
  const reader = createExecutionReader({ pool: counted, versionQuery })
  const closing = new AbortController()
  const eventStreams = createEventStreams({
    closing: closing.signal,
    limits: { ...limitsDefault, ...limits },
    turns: createStreamTurns(() => performance.now()),
    logError() {},
  })
  let stands = true
  const watcherOf = (accountId: string) => ({ accountId, credentialStands: () => Promise.resolve(stands) })
  const { open } = createStreams({
    loadWorkflow: createDefinitions({ db: server.database.system, functions: [], processor: ownProcessor, charactersMax: 1e6 }).load,
    processor: ownProcessor,
    findExecution: createExecutionLookup(reader),
    show: (_accountId, execution) => Promise.resolve(execution),
    readJournal: createJournalLookup(reader),
    watcher: createWatcher({ reader, everyMs: 50 }),
    heartbeatMs,
    eventStreams,
  })
  const streams = {
    open: (accountId: string, id: string, from: StreamPosition) => open(watcherOf(accountId), id, from),
    count: eventStreams.count,
    revoke: () => (stands = false),
  }
  onTestFinished(() => closing.abort())
  return { streams, closing, statements: (name: string) => statements.filter((one) => one === name).length }
}

async function start(body: string, owner = account): Promise<string> {
  const { id } = await owner.client.workflows.create({ body: { definition: documentOf(body) } })
  const { body: started } = await owner.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: 'wait=1' })
  return fromTypeId('exec', started.id) ?? ''
}

/** All that comes until the stream ends or is cut off. */
async function textOf(stream: Readable): Promise<string> {
  let text = ''
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await once(stream, 'close')
  return text
}

async function textThat(stream: Readable, wanted: string): Promise<string> {
  let text = ''
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    if (text.includes(wanted)) break
  }
  return text
}

describe('bounds', () => {
  test('an account cannot exceed its limit of streams, and a closed stream makes room', async () => {
    const id = await start(waits)
    const { streams } = openStreams({ perAccountMax: 1 })
    const first = await streams.open(account.accountId, id, beginning)
    await expect(streams.open(account.accountId, id, beginning)).rejects.toMatchObject({ code: 'too_many_streams' })
    first.destroy()
    await once(first, 'close')
    const next = await streams.open(account.accountId, id, beginning)
    expect(streams.count()).toBe(1)
    next.destroy()
  })

  test('a process cannot exceed its limit of streams of all accounts', async () => {
    const other = await server.registerAccount()
    const [own, others] = [await start(waits), await start(waits, other)]
    const { streams } = openStreams({ streamsMax: 1 })
    const first = await streams.open(account.accountId, own, beginning)
    await expect(streams.open(other.accountId, others, beginning)).rejects.toMatchObject({ code: 'overloaded' })
    first.destroy()
  })

  test('a stream that could not be opened does not count against the limits', async () => {
    const { streams } = openStreams({ perAccountMax: 1 })
    const nothing = '01900000-0000-7000-8000-000000000000'
    await expect(streams.open(account.accountId, nothing, beginning)).rejects.toMatchObject({ code: 'not_found' })
    expect(streams.count()).toBe(0)
  })

  test('a stream ends after its maximum duration, and another one resumes from there', async () => {
    const id = await start(waits)
    const { streams } = openStreams({ durationMs: 3_000 })
    const text = await textOf(await streams.open(account.accountId, id, beginning))
    expect(text).toContain('event: task')
    expect(text).not.toContain('event: end')
    const last = text.match(/(?<=\nid: ).*/g)?.at(-1)
    const rest = await textOf(await streams.open(account.accountId, id, resumePointOf(last)))
    expect(rest).toMatch(/^retry: \d+\n\n$/)
  })

  test('a stream ends when the credential that opened it is revoked', async () => {
    const id = await start(waits)
    const { streams } = openStreams({ recheckMs: 50 })
    const stream = await streams.open(account.accountId, id, beginning)
    await textThat(stream, 'event: task')
    streams.revoke()
    await textOf(stream)
    expect(streams.count()).toBe(0)
  })

  test('a stream ends when the server closes', async () => {
    const id = await start(waits)
    const { streams, closing } = openStreams()
    const stream = await streams.open(account.accountId, id, beginning)
    await textThat(stream, 'event: task')
    closing.abort()
    await textOf(stream)
    expect(streams.count()).toBe(0)
  })

  test('a client that does not read is disconnected, and its unread events are not produced', async () => {
    const id = await start(`do: [{ many: { for: { in: '\${ [range(2000)] }' }, do: [{ a: { set: { text: '\${ "x" * 100 }' } } }] } }]\n`)
    const { streams } = openStreams({ stuckMs: 200 })
    const stream = await streams.open(account.accountId, id, beginning)
    stream.read(0)
    await once(stream, 'close')
    expect(stream.readableLength).toBeLessThan(64 * 1024)
    expect(streams.count()).toBe(0)
  })
})

describe('cost', () => {
  test('all streams of a process share one statement for revisions, and a journal is read only when it grows', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => start(waits)))
    const { streams, statements } = openStreams()
    const open = await Promise.all(ids.map((id) => streams.open(account.accountId, id, beginning)))
    await Promise.all(open.map((stream) => textThat(stream, 'event: task')))
    const before = [statements('execution-revisions'), statements('journal-parts'), statements('read-executions')] as const
    await expect.poll(() => statements('execution-revisions') - before[0]).toBeGreaterThan(8)
    expect([statements('journal-parts'), statements('read-executions')]).toEqual(before.slice(1))
    for (const stream of open) stream.destroy()
  })

  test('no statement runs while no stream is open', async () => {
    const id = await start(waits)
    const { streams, statements } = openStreams()
    const stream = await streams.open(account.accountId, id, beginning)
    await textThat(stream, 'event: task')
    stream.destroy()
    await once(stream, 'close')
    // The look that is under way is the last one.
    const after = statements('execution-revisions')
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(statements('execution-revisions') - after).toBeLessThanOrEqual(1)
  })
})

test('a stream without events sends comments', async () => {
  const id = await start(waits)
  const { streams } = openStreams({}, 100)
  const stream = await streams.open(account.accountId, id, beginning)
  expect(await textThat(stream, ': still there\n\n')).toContain('event: task')
  stream.destroy()
})

test('a line break in stored JSON does not break an event', async () => {
  const id = await start(greets)
  await server.database.system.updateTable('executions').set({ output: '{\n  "greeting":\r\n "a\\nb" }' }).where('id', '=', id).execute()
  const { streams } = openStreams()
  const text = await textOf(await streams.open(account.accountId, id, beginning))
  const data = /event: end\nid: .*\ndata: (.*)\n\n$/.exec(text)?.[1] ?? ''
  expect(JSON.parse(data).output).toEqual({ greeting: 'a\nb' })
})

test('a stream ends when its execution is deleted', async () => {
  const id = await start(waits)
  const { streams } = openStreams()
  const stream = await streams.open(account.accountId, id, beginning)
  await textThat(stream, 'event: task')
  await server.database.system.deleteFrom('executions').where('id', '=', id).execute()
  expect(await textOf(stream)).not.toContain('event: end')
})
