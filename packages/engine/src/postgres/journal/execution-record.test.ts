import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { standardError } from '#core/error.ts'
import { parseJson } from '#core/json.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import type { Continuation, ExecutionRecord } from '#durable/ports/store.ts'
import { createEngineDatabase, type EngineDatabase } from '#testing/database.ts'
import {
  acceptOf,
  completed,
  entryOf,
  executionIn,
  headOf,
  jobsIn,
  openParts,
  type PostgresParts,
  testAccount,
  writeOf,
} from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'
import { insertContinuation, readRecord } from './execution-record.ts'

let database: EngineDatabase
let parts: PostgresParts
beforeAll(async () => {
  database = await createEngineDatabase()
  parts = await openParts(database)
})
afterAll(() => database[Symbol.asyncDispose]())

const fault = { state: 'faulted', output: undefined, decisions: 'i1', endedAtMs: 1_700_000_000_500, parentId: undefined } as const

/** An execution that has ended with a fault after these many effects. */
async function faulted(effects: number, head: ExecutionHead = headOf()) {
  await parts.journal.write(acceptOf(head, true))
  const entries = Array.from({ length: effects }, (_, seq) => entryOf(seq))
  const error = { ...standardError('communication', 'no route').data, instance: '/do/2/task' }
  await parts.journal.write(writeOf(head, { entries, progress: { ...fault, error } }))
  return { head, entries, error }
}

async function recordOf({ id }: ExecutionHead): Promise<ExecutionRecord> {
  const record = await readRecord(database.pool, testAccount, id)
  if (record === undefined) throw new Error('the execution has no record')
  return record
}

describe('the record of an execution', () => {
  test('the record of an execution has all fields that were written', async () => {
    const { head, entries, error } = await faulted(2, headOf({ depth: 3, trigger: 'schedule', input: { n: 1 } }))
    expect(await recordOf(head)).toEqual({
      id: head.id,
      accountId: testAccount,
      workflowId: head.workflowId,
      versionId: head.versionId,
      state: 'faulted',
      trigger: 'schedule',
      depth: 3,
      input: { n: 1 },
      output: undefined,
      error,
      decisions: 'i1',
      startedAtMs: head.createdAtMs + 1,
      entries,
    })
  })

  test('the record of an execution has its entries by sequence number, whatever their order in the table', async () => {
    const { head } = await faulted(12)
    await database.pool.query(`update journal set ended_at = ended_at where seq < 5`)
    expect((await recordOf(head)).entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, seq) => seq))
  })

  test('the record of an execution preserves its data exactly, a `__proto__` key included', async () => {
    const { journal } = parts
    const data = parseJson(`{"__proto__":{"a":1},"text":"\\u0000 é😀 \\ud800","big":9007199254740991,"small":1e-7,"order":{"b":1,"a":2}}`)
    const head = headOf({ input: data })
    await journal.write(acceptOf(head, true, { entries: [entryOf(0, { value: data })], progress: completed(data) }))
    const { input, output, entries } = await recordOf(head)
    const text = JSON.stringify(data)
    expect([input, output, entries[0]?.value].map((value) => JSON.stringify(value))).toEqual([text, text, text])
  })

  test('the record of an execution has output null if that was its output, and none while it runs', async () => {
    const { journal } = parts
    const [ended, running] = [headOf(), headOf()]
    await journal.write(acceptOf(ended, true, { progress: completed(null) }))
    await journal.write(acceptOf(running, true))
    expect(await recordOf(ended)).toMatchObject({ state: 'completed', output: null })
    expect(await recordOf(running)).toMatchObject({ state: 'running', output: undefined, error: undefined, entries: [] })
  })

  test('the record of an execution that never ran has its time of acceptance as start time', async () => {
    const { journal } = parts
    const head = headOf()
    await journal.write(acceptOf(head, false))
    expect(await recordOf(head)).toMatchObject({ state: 'pending', startedAtMs: head.createdAtMs })
  })

  test('the record of an execution is not found for another account', async () => {
    const { head } = await faulted(1)
    expect(await readRecord(database.pool, newUuid(), head.id)).toBeUndefined()
    expect(await readRecord(database.pool, testAccount, newUuid())).toBeUndefined()
  })
})

describe('the retry of an ended execution', () => {
  async function continuing(effects = 2) {
    const ended = await faulted(effects, headOf({ depth: 2, trigger: 'event', input: { old: true } }))
    const of = await recordOf(ended.head)
    const continuation = (changes: Partial<Continuation> = {}): Continuation => ({
      id: newUuid(),
      of,
      versionId: newUuid(),
      actor: 'user:who-retries',
      input: { fresh: 1 },
      startedAtMs: 1_700_000_100_000,
      keys: {},
      entries: of.entries,
      ...changes,
    })
    return { ...ended, of, continuation }
  }

  const insert = (continuation: Continuation) => insertContinuation(database.pool, parts.jobs, continuation)
  const jobsFor = async (...ids: readonly string[]) => (await jobsIn(database)).filter(({ executionId }) => ids.includes(executionId))

  test('a retry is pending with a job, and takes the fields that it is not given from the retried execution', async () => {
    const ended = await continuing()
    const next = ended.continuation()
    expect(await insert(next)).toBe(next.id)
    expect(await executionIn(database, next.id)).toMatchObject({
      state: 'pending',
      account_id: testAccount,
      workflow_id: ended.of.workflowId,
      version_id: next.versionId,
      actor: 'user:who-retries',
      trigger: 'event',
      depth: 2,
      input: '{"fresh":1}',
      started_at: new Date(1_700_000_100_000),
      claimed_by: null,
      retry_of: ended.head.id,
      parent_id: null,
    })
    expect(await jobsFor(next.id)).toEqual([{ executionId: next.id, deferred: false }])
  })

  test('a retry has the journal entries that it takes over', async () => {
    const ended = await continuing(3)
    const entries = ended.of.entries.map((entry, seq) => ({
      ...entry,
      seq,
      ok: seq !== 1,
      value: [{ seq }, null, '\u0000'],
      decisions: `i${seq}`,
    }))
    const next = ended.continuation({ entries })
    await insert(next)
    expect((await readRecord(database.pool, testAccount, next.id))?.entries).toEqual(entries)
  })

  test('a retry may start without journal entries', async () => {
    const ended = await continuing()
    const next = ended.continuation({ entries: [], input: null })
    await insert(next)
    expect(await readRecord(database.pool, testAccount, next.id)).toMatchObject({ entries: [], input: null })
  })

  test('a retry does not change the retried execution', async () => {
    const ended = await continuing()
    await insert(ended.continuation())
    expect(await recordOf(ended.head)).toEqual(ended.of)
  })

  test('concurrent retries of one execution insert one, and all return its id', async () => {
    const ended = await continuing()
    const requested = Array.from({ length: 6 }, () => ended.continuation())
    const ids = await Promise.all(requested.map(insert))
    expect(new Set(ids).size).toBe(1)
    const [id = ''] = ids
    expect(await jobsFor(...requested.map((each) => each.id))).toEqual([{ executionId: id, deferred: false }])
    const { rows } = await database.pool.query(
      `select execution_id, count(*)::int as entries from journal where execution_id = any($1) group by 1 order by 1`,
      [[ended.head.id, ...requested.map((each) => each.id)]],
    )
    expect(rows).toEqual([ended.head.id, id].toSorted().map((executionId) => ({ execution_id: executionId, entries: 2 })))
  })

  test('a retry can itself be retried', async () => {
    const ended = await continuing()
    const first = ended.continuation()
    await insert(first)
    const second = ended.continuation({ of: { ...ended.of, id: first.id } })
    expect(await insert(second)).toBe(second.id)
  })

  test('a retry that is rolled back leaves no rows, and can be inserted again', async () => {
    const ended = await continuing()
    const next = ended.continuation()
    const client = await database.pool.connect()
    await client.query('begin')
    await insertContinuation(client, parts.jobs, next)
    await client.query('rollback')
    client.release()
    expect(await executionIn(database, next.id)).toBeUndefined()
    expect(await readRecord(database.pool, testAccount, next.id)).toBeUndefined()
    expect(await jobsFor(next.id)).toEqual([])
    expect(await insert(next)).toBe(next.id)
  })
})
