import { expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { UnwritableError } from '#durable/ports/journal.ts'
import type { EngineDatabase } from '#testing/database.ts'
import { acceptOf, completed, entryOf, executionIn, headOf, jobsIn, openParts, testDatabase, writeOf } from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'
import { FencedError } from '#postgres/sql/pg-errors.ts'
import { flushQuery } from './flush-statement.ts'
import { prepareWrite } from './prepare-write.ts'

async function entriesIn({ pool }: EngineDatabase, id: string) {
  const { rows } = await pool.query(`select * from journal where execution_id = $1 order by seq`, [id])
  return rows
}

/** Transactions that the executions in the database were written in. */
async function transactionsOf({ pool }: EngineDatabase): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(distinct xmin::text)::int as count from executions')
  return rows[0]?.count ?? 0
}

test('an execution that begins is there, claimed by the process, with everything that it was given', async () => {
  const db = await testDatabase()
  const { journal, identity } = await openParts(db)
  const head = headOf({ input: { a: 1 }, parentId: newUuid(), depth: 3, trigger: 'webhook', actor: 'key:k' })
  expect(await journal.write(acceptOf(head, true))).toEqual({ refused: false })
  expect(await executionIn(db, head.id)).toMatchObject({
    account_id: head.accountId,
    workflow_id: head.workflowId,
    version_id: head.versionId,
    state: 'running',
    trigger: 'webhook',
    actor: 'key:k',
    parent_id: head.parentId,
    depth: 3,
    input: '{"a":1}',
    output: null,
    claimed_by: identity.id(),
    created_at: new Date(head.createdAtMs),
    started_at: new Date(head.createdAtMs + 1),
    ended_at: null,
  })
  expect(await jobsIn(db)).toEqual([])
})

test('an execution that is only taken down is pending, claimed by nobody, and has a job', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'pending', claimed_by: null, started_at: null })
  expect(await jobsIn(db)).toEqual([{ executionId: head.id, deferred: false }])
})

test('acceptance and end are one row, written once', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, true, { progress: completed({ done: true }) }))
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'completed', output: '{"done":true}', claimed_by: null })
  const { rows } = await db.pool.query(`select ctid::text, xmax::text from executions`)
  expect(rows).toEqual([{ ctid: '(0,1)', xmax: '0' }])
})

test('writes that come while the lanes are busy go out together', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db, { lanes: 1 })
  const begun = journal.write(acceptOf(headOf(), true))
  await new Promise((resolve) => setImmediate(resolve))
  await Promise.all([begun, ...Array.from({ length: 100 }, () => journal.write(acceptOf(headOf(), true)))])
  expect(await transactionsOf(db)).toBe(2)
})

test('what comes in one turn of the event loop goes together, though the lanes are free', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db)
  await Promise.all(Array.from({ length: 100 }, () => journal.write(acceptOf(headOf(), true))))
  expect(await transactionsOf(db)).toBe(1)
})

test('one statement takes no more executions than it may', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db, { lanes: 1, batchMax: 10 })
  await Promise.all(Array.from({ length: 25 }, () => journal.write(acceptOf(headOf(), true))))
  expect(await transactionsOf(db)).toBe(3)
})

test('entries are kept as they were given, with their order, times and decisions', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, true))
  const entries = [
    entryOf(0, { decisions: 's1i0' }),
    entryOf(1, { ok: false, value: { status: 503 }, kind: 'timer' }),
    entryOf(2, { phase: 'started', value: 'child' }),
  ]
  await journal.write(writeOf(head, { entries }))
  expect(await entriesIn(db, head.id)).toEqual(
    entries.map((entry) => ({
      execution_id: head.id,
      account_id: head.accountId,
      seq: entry.seq,
      position: entry.position,
      phase: entry.phase,
      kind: entry.kind,
      ok: entry.ok,
      value: JSON.stringify(entry.value),
      decisions: entry.decisions,
      started_at: new Date(entry.startedAtMs),
      ended_at: new Date(entry.endedAtMs),
    })),
  )
})

test.each([
  ['NUL', 'a\u0000b'],
  ['a lone surrogate', 'a\ud800b'],
  ['quotes, backslashes, braces and commas', "\"\\{},'null'"],
  ['line ends and tabs', '\r\n\t\u2028'],
  ['other planes', '𝒳🜁'],
  ['numbers at the edges', [0, -0.5, 1e308, 5e-324, 9007199254740991]],
  ['keys that objects have of their own', { constructor: 1, toString: null, ['__proto__']: [] }],
  ['keys in an odd order', { z: 1, a: 2, 10: 3 }],
  ['nothing', null],
  ['empty ones', ['', {}, []]],
])('%s comes back as it was', async (_what, value) => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const head = headOf({ input: value })
  await journal.write(acceptOf(head, true, { progress: completed(value) }))
  expect((await store.find(head.accountId, head.id))?.output).toEqual(JSON.parse(JSON.stringify(value)))
  expect((await executionIn(db, head.id))?.['input']).toBe(JSON.stringify(value))
})

test('the end of an execution lets go of it', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, true))
  await journal.write(writeOf(head, { entries: [entryOf(0)], progress: { ...completed(7), decisions: 'w1w0' } }))
  expect(await executionIn(db, head.id)).toMatchObject({
    state: 'completed',
    output: '7',
    decisions: 'w1w0',
    claimed_by: null,
    ended_at: new Date(1_700_000_000_500),
  })
})

test('a fault is kept beside the state', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const head = headOf()
  const error = { type: 'https://test/e', status: 418, title: 'Teapot', detail: 'short and stout', instance: '/do/0/pour' }
  await journal.write(acceptOf(head, true, { progress: { ...completed(null), state: 'faulted', output: undefined, error } }))
  expect(await store.find(head.accountId, head.id)).toMatchObject({ id: head.id, state: 'faulted', output: undefined, error })
})

test('an execution that is parked has a job for its time, and none when only others can wake it', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db)
  const timed = headOf()
  const untimed = headOf()
  await journal.write(acceptOf(timed, true))
  await journal.write(acceptOf(untimed, true))
  const wakeAtMs = Date.now() + 60_000
  await journal.write(writeOf(timed, { progress: { state: 'waiting', wakeAtMs } }))
  await journal.write(writeOf(untimed, { progress: { state: 'waiting', wakeAtMs: undefined } }))
  expect(await executionIn(db, timed.id)).toMatchObject({ state: 'waiting', claimed_by: null, wake_at: new Date(wakeAtMs) })
  expect(await executionIn(db, untimed.id)).toMatchObject({ state: 'waiting', claimed_by: null, wake_at: null })
  expect(await jobsIn(db)).toEqual([{ executionId: timed.id, deferred: true }])
})

test('an execution to which something happened on its way to sleep does not sleep', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, true))
  await db.pool.query(`update executions set signalled_at = now() where id = $1`, [head.id])
  await journal.write(writeOf(head, { progress: { state: 'waiting', wakeAtMs: Date.now() + 60_000 } }))
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'pending', claimed_by: null })
  expect(await jobsIn(db)).toEqual([{ executionId: head.id, deferred: false }])
})

test.each(['cancel_requested_at', 'suspend_requested_at'])(
  'an execution of which something was asked (%s) does not sleep, although its process has heard of it: perhaps too late',
  async (column) => {
    const db = await testDatabase()
    const { journal, store } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    await db.pool.query(`update executions set signalled_at = now(), ${column} = now() where id = $1`, [head.id])
    expect((await store.signals()).map(({ id }) => id)).toEqual([head.id])
    await journal.write(writeOf(head, { progress: { state: 'waiting', wakeAtMs: undefined } }))
    expect(await executionIn(db, head.id)).toMatchObject({ state: 'pending', claimed_by: null })
    expect(await jobsIn(db)).toEqual([{ executionId: head.id, deferred: false }])
  },
)

test('a child is started with the entry that says so: pending with a job, or claimed by the process that goes on with it', async () => {
  const db = await testDatabase()
  const { journal, identity } = await openParts(db)
  const parent = headOf()
  const [queued, begun] = [headOf({ parentId: parent.id, depth: 1 }), headOf({ parentId: parent.id, depth: 1 })]
  await journal.write(acceptOf(parent, true))
  const entries = [
    entryOf(0, { phase: 'started', kind: 'workflow', value: queued.id }),
    entryOf(1, { phase: 'started', kind: 'workflow', value: begun.id }),
  ]
  const children = [
    { head: queued, startedAtMs: undefined },
    { head: begun, startedAtMs: begun.createdAtMs },
  ]
  await journal.write(writeOf(parent, { entries, children }))
  expect(await executionIn(db, queued.id)).toMatchObject({ state: 'pending', claimed_by: null })
  expect(await executionIn(db, begun.id)).toMatchObject({ state: 'running', claimed_by: identity.id() })
  expect(await jobsIn(db)).toEqual([{ executionId: queued.id, deferred: false }])
})

test.each([
  ['waits', { state: 'waiting' as const, wakeAtMs: undefined }, 1],
  ['runs', undefined, 0],
])('the end of a child tells a parent that %s', async (_how, progress, jobs) => {
  const db = await testDatabase()
  const { journal } = await openParts(db)
  const parent = headOf()
  const child = headOf({ parentId: parent.id })
  await journal.write(acceptOf(parent, true))
  if (progress !== undefined) await journal.write(writeOf(parent, { progress }))
  await journal.write(acceptOf(child, true, { progress: completed(1, parent.id) }))
  expect((await executionIn(db, parent.id))?.['signalled_at']).not.toBeNull()
  expect(await jobsIn(db)).toHaveLength(jobs)
})

test('a parent that is parked by the very flush that ends its child is woken', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db, { lanes: 1 })
  const parent = headOf()
  const child = headOf({ parentId: parent.id })
  await journal.write(acceptOf(parent, true))
  await journal.write(acceptOf(child, true))
  await Promise.all([
    journal.write(writeOf(parent, { progress: { state: 'waiting', wakeAtMs: undefined } })),
    journal.write(writeOf(child, { progress: completed(1, parent.id) })),
  ])
  expect(await executionIn(db, parent.id)).toMatchObject({ state: 'waiting' })
  expect(await jobsIn(db)).toEqual([{ executionId: parent.id, deferred: false }])
})

test('executions that nobody waits for any more are asked to end, and those that sleep are woken for it', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db)
  const [parent, running, waiting, ended] = [headOf(), headOf(), headOf(), headOf()]
  for (const head of [parent, running, waiting]) await journal.write(acceptOf(head, true))
  await journal.write(acceptOf(ended, true, { progress: completed(1) }))
  await journal.write(writeOf(waiting, { progress: { state: 'waiting', wakeAtMs: undefined } }))
  await journal.write(writeOf(parent, { cancels: [running.id, waiting.id, ended.id], progress: completed(0) }))
  expect((await executionIn(db, running.id))?.['cancel_requested_at']).not.toBeNull()
  expect((await executionIn(db, waiting.id))?.['cancel_requested_at']).not.toBeNull()
  expect(await executionIn(db, ended.id)).toMatchObject({ state: 'completed', cancel_requested_at: null })
  expect(await jobsIn(db)).toEqual([{ executionId: waiting.id, deferred: false }])
})

test('one key is taken once, and the others of the same batch go in', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db, { lanes: 1 })
  const idempotency = { key: 'k', digest: 'd' }
  const [first, second, third] = [headOf({ idempotency }), headOf({ idempotency }), headOf()]
  const written = await Promise.all([first, second, third].map((head) => journal.write(acceptOf(head, true))))
  expect(written).toEqual([{ refused: false }, { refused: true }, { refused: false }])
  expect(await executionIn(db, second.id)).toBeUndefined()
  expect(await journal.write(acceptOf(headOf({ idempotency }), false))).toEqual({ refused: true })
  expect(await jobsIn(db)).toEqual([])
  const elsewhere = headOf({ idempotency, accountId: newUuid() })
  expect(await journal.write(acceptOf(elsewhere, true))).toEqual({ refused: false })
})

test('a process without its row writes nothing at all', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, true))
  await db.pool.query('delete from processes')
  const child = headOf({ parentId: head.id })
  const write = writeOf(head, {
    entries: [entryOf(0)],
    children: [{ head: child, startedAtMs: undefined }],
    cancels: [head.id],
    progress: completed(1),
  })
  await expect(journal.write(write)).rejects.toThrow(FencedError)
  await expect(journal.write(acceptOf(headOf(), true))).rejects.toThrow(FencedError)
  expect(await entriesIn(db, head.id)).toEqual([])
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'running', cancel_requested_at: null })
  expect(await executionIn(db, child.id)).toBeUndefined()
  expect(await jobsIn(db)).toEqual([])
})

test('giving a process up waits for its write under way', async () => {
  const db = await testDatabase()
  const { journal, identity } = await openParts(db)
  const holder = await db.pool.connect()
  await holder.query('begin')
  await holder.query('select from processes where id = $1 for key share', [identity.id()])
  let given = false
  const giveUp = db.pool.query('delete from processes where id = $1', [identity.id()]).then(() => {
    given = true
  })
  const head = headOf()
  await journal.write(acceptOf(head, true)).catch(() => undefined)
  expect(given).toBe(false)
  await holder.query('commit')
  holder.release()
  await giveUp
  expect(given).toBe(true)
})

test('an entry that is there already is refused with all that came with it', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, true))
  await journal.write(writeOf(head, { entries: [entryOf(0)] }))
  await expect(
    journal.write(writeOf(head, { entries: [entryOf(0, { value: 'other' }), entryOf(1)], progress: completed(1) })),
  ).rejects.toThrow(/journal_\w+_pkey/)
  expect(await entriesIn(db, head.id)).toHaveLength(1)
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'running' })
})

test('after a failure the lane takes the next', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db, { lanes: 1 })
  const head = headOf()
  await journal.write(acceptOf(head, true))
  await expect(journal.write(acceptOf(head, true))).rejects.toThrow(/executions_\w+_pkey/)
  const next = headOf()
  await expect(journal.write(acceptOf(next, true))).resolves.toEqual({ refused: false })
})

test('a value that no table takes fails the one execution that has it, and none of those that go with it', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db, { lanes: 1 })
  const heads = Array.from({ length: 20 }, () => headOf())
  const results = await Promise.allSettled(
    heads.map((head, index) => journal.write(acceptOf(head, true, index === 7 ? { entries: [entryOf(0, { kind: 'a\0b' })] } : {}))),
  )
  expect(results.map(({ status }) => status)).toEqual(heads.map((_, index) => (index === 7 ? 'rejected' : 'fulfilled')))
  expect(results[7]).toMatchObject({ reason: expect.any(UnwritableError) })
  const { rows } = await db.pool.query(`select count(*)::int as count from executions`)
  expect(rows).toEqual([{ count: 19 }])
})

/** Arrays within one another. */
function nested(levels: number): Json {
  let value: Json = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

test('a value so deep that no text can be made of it fails the one write that has it, which says that nothing was written', async () => {
  const value = nested(100_000)
  const db = await testDatabase()
  const { journal } = await openParts(db, { lanes: 1 })
  const heads = Array.from({ length: 20 }, () => headOf())
  const results = await Promise.allSettled(
    heads.map((head, index) => journal.write(acceptOf(head, true, index === 7 ? { entries: [entryOf(0, { value })] } : {}))),
  )
  expect(results.map(({ status }) => status)).toEqual(heads.map((_, index) => (index === 7 ? 'rejected' : 'fulfilled')))
  expect(results[7]).toMatchObject({ reason: expect.any(UnwritableError) })
  expect((await db.pool.query(`select from executions`)).rowCount).toBe(19)
})

test('a few writes wait a moment for the statement that is under way, and go beside it when another holds that up', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db, { lanes: 2 })
  const held = headOf()
  await journal.write(acceptOf(held, true))
  const holder = await db.pool.connect()
  await holder.query('begin')
  await holder.query('select from executions where id = $1 for update', [held.id])
  let ended = false
  const end = journal.write(writeOf(held, { progress: completed({}) })).then(() => {
    ended = true
  })
  // The statement that is held up has begun before the others come.
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  await Promise.all([headOf(), headOf(), headOf()].map((head) => journal.write(acceptOf(head, true))))
  expect(ended).toBe(false)
  expect(await transactionsOf(db)).toBe(2)
  await holder.query('commit')
  holder.release()
  await end
})

test('each flush says what it has and no more, and says it by the name of its parts', async () => {
  const write = prepareWrite(acceptOf(headOf(), true))
  const { name: accepted, text } = flushQuery(newUuid(), [write])
  expect(accepted).toBe('flush-accepted')
  expect(text).not.toContain('insert into journal')
  const entry = prepareWrite(writeOf(headOf(), { entries: [entryOf(0)] }))
  expect(flushQuery(newUuid(), [entry]).name).toBe('flush-journalled')
  const end = prepareWrite(writeOf(headOf(), { progress: completed({}) }))
  const all = flushQuery(newUuid(), [write, entry, end])
  expect(all.name).toBe('flush-accepted-journalled-updated')
  expect(new Set(all.text.match(/\$\d+/g)).size).toBe(all.values?.length)
  expect(flushQuery(newUuid(), [end, entry, write]).text).toBe(all.text)
})
