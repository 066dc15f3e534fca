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

/** The number of transactions that wrote the executions. */
async function transactionsOf({ pool }: EngineDatabase): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(distinct xmin::text)::int as count from executions')
  return rows[0]?.count ?? 0
}

test('an execution that starts in this process is stored with all its fields, running and claimed', async () => {
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

test('an execution that is accepted without being started is pending, unclaimed, and has a job', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'pending', claimed_by: null, started_at: null })
  expect(await jobsIn(db)).toEqual([{ executionId: head.id, deferred: false }])
})

test('the acceptance and the end of an execution in one write make one row version', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, true, { progress: completed({ done: true }) }))
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'completed', output: '{"done":true}', claimed_by: null })
  const { rows } = await db.pool.query(`select ctid::text, xmax::text from executions`)
  expect(rows).toEqual([{ ctid: '(0,1)', xmax: '0' }])
})

test('writes that arrive while all lanes are busy are committed as one batch', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db, { lanes: 1 })
  const begun = journal.write(acceptOf(headOf(), true))
  await new Promise((resolve) => setImmediate(resolve))
  await Promise.all([begun, ...Array.from({ length: 100 }, () => journal.write(acceptOf(headOf(), true)))])
  expect(await transactionsOf(db)).toBe(2)
})

test('writes of one turn of the event loop are committed as one batch, even if lanes are free', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db)
  await Promise.all(Array.from({ length: 100 }, () => journal.write(acceptOf(headOf(), true))))
  expect(await transactionsOf(db)).toBe(1)
})

test('a batch has at most `batchMax` executions', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db, { lanes: 1, batchMax: 10 })
  await Promise.all(Array.from({ length: 25 }, () => journal.write(acceptOf(headOf(), true))))
  expect(await transactionsOf(db)).toBe(3)
})

test('journal entries are stored unchanged, with their order, times and decisions', async () => {
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
  ['characters of other planes', '𝒳🜁'],
  ['numbers at the limits', [0, -0.5, 1e308, 5e-324, 9007199254740991]],
  ['keys of Object.prototype', { constructor: 1, toString: null, ['__proto__']: [] }],
  ['unsorted keys', { z: 1, a: 2, 10: 3 }],
  ['null', null],
  ['empty values', ['', {}, []]],
])('%s is read back as it was written', async (_what, value) => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const head = headOf({ input: value })
  await journal.write(acceptOf(head, true, { progress: completed(value) }))
  expect((await store.find(head.accountId, head.id))?.output).toEqual(JSON.parse(JSON.stringify(value)))
  expect((await executionIn(db, head.id))?.['input']).toBe(JSON.stringify(value))
})

test('the end of an execution clears its claim', async () => {
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

test('the error of a faulted execution is stored and read back', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const head = headOf()
  const error = { type: 'https://test/e', status: 418, title: 'Teapot', detail: 'short and stout', instance: '/do/0/pour' }
  await journal.write(acceptOf(head, true, { progress: { ...completed(null), state: 'faulted', output: undefined, error } }))
  expect(await store.find(head.accountId, head.id)).toMatchObject({ id: head.id, state: 'faulted', output: undefined, error })
})

test('a parked execution has a job at its wake time, and no job without a wake time', async () => {
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

test('an execution that was signalled before it is parked goes to the queue instead', async () => {
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
  'an execution with a request (%s) that its process has read goes to the queue instead of being parked',
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

test('a child is inserted with the journal entry that starts it, either pending with a job or claimed by the process of its parent', async () => {
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
])('the end of a child signals a parent that %s', async (_how, progress, jobs) => {
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

test('a parent that is parked by the flush that ends its child gets a job', async () => {
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

test('children that a write cancels get a cancel request, and waiting ones also a job', async () => {
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

test('an idempotency key admits one execution of an account, and a refused one does not affect its batch', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db, { lanes: 1 })
  const idempotency = { key: 'k', digest: 'd' }
  const [first, second, third] = [headOf({ idempotency }), headOf({ idempotency }), headOf()]
  const written = await Promise.all([first, second, third].map((head) => journal.write(acceptOf(head, true, { entries: [entryOf(0)] }))))
  expect(written).toEqual([{ refused: false }, { refused: true }, { refused: false }])
  expect(await executionIn(db, second.id)).toBeUndefined()
  expect(await Promise.all([first, second, third].map(async ({ id }) => (await entriesIn(db, id)).length))).toEqual([1, 0, 1])
  expect(await journal.write(acceptOf(headOf({ idempotency }), false))).toEqual({ refused: true })
  expect(await jobsIn(db)).toEqual([])
  const otherAccount = headOf({ idempotency, accountId: newUuid() })
  expect(await journal.write(acceptOf(otherAccount, true))).toEqual({ refused: false })
})

test('a fenced process writes nothing', async () => {
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

test('what a process wrote before it was fenced is not committed under the id with which it registers again', async () => {
  const db = await testDatabase()
  const { journal, store, identity } = await openParts(db, { lanes: 1 })
  const [first, second] = [headOf(), headOf()]
  const before = identity.id()
  const locker = await db.pool.connect()
  await locker.query('begin')
  await locker.query('lock table executions in share mode')
  const writing = journal.write(acceptOf(first, true))
  await new Promise((resolve) => setImmediate(resolve))
  // It waits until the batch under way has ended.
  const waiting = journal.write(acceptOf(second, true))
  waiting.catch(() => undefined)
  await store.register()
  expect(identity.id()).not.toBe(before)
  await locker.query('commit')
  locker.release()
  await expect(waiting).rejects.toThrow(FencedError)
  await writing
  expect(await executionIn(db, first.id)).toMatchObject({ claimed_by: before })
  expect(await executionIn(db, second.id)).toBeUndefined()
})

test('fencing a process waits for its write under way', async () => {
  const db = await testDatabase()
  const { journal, identity } = await openParts(db)
  const locker = await db.pool.connect()
  await locker.query('begin')
  await locker.query('select from processes where id = $1 for key share', [identity.id()])
  let isFenced = false
  const fencing = db.pool.query('delete from processes where id = $1', [identity.id()]).then(() => {
    isFenced = true
  })
  const head = headOf()
  await journal.write(acceptOf(head, true)).catch(() => undefined)
  expect(isFenced).toBe(false)
  await locker.query('commit')
  locker.release()
  await fencing
  expect(isFenced).toBe(true)
})

test('a write whose journal entry exists already is refused as a whole', async () => {
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

test('a lane commits the next batch after a failed one', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db, { lanes: 1 })
  const head = headOf()
  await journal.write(acceptOf(head, true))
  await expect(journal.write(acceptOf(head, true))).rejects.toThrow(/executions_\w+_pkey/)
  const next = headOf()
  await expect(journal.write(acceptOf(next, true))).resolves.toEqual({ refused: false })
})

test('a value that PostgreSQL refuses fails only its own write of the batch', async () => {
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

/** An array nested so many levels deep. */
function nested(levels: number): Json {
  let value: Json = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

test('a value too deep to serialise fails only its own write, with an UnwritableError', async () => {
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

test('a few writes are committed beside a batch that waits for a lock', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db, { lanes: 2 })
  const locked = headOf()
  await journal.write(acceptOf(locked, true))
  const locker = await db.pool.connect()
  await locker.query('begin')
  await locker.query('select from executions where id = $1 for update', [locked.id])
  let ended = false
  const end = journal.write(writeOf(locked, { progress: completed({}) })).then(() => {
    ended = true
  })
  // The batch that waits for the lock starts before the other writes arrive.
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  await Promise.all([headOf(), headOf(), headOf()].map((head) => journal.write(acceptOf(head, true))))
  expect(ended).toBe(false)
  expect(await transactionsOf(db)).toBe(2)
  await locker.query('commit')
  locker.release()
  await end
})

test('a flush statement has only the parts that its batch needs, and is named after them', async () => {
  const write = prepareWrite(acceptOf(headOf(), true))
  const { name: accepted, text } = flushQuery(newUuid(), [write])
  expect(accepted).toBe('flush-accepted')
  expect(text).not.toContain('insert into journal')
  const entry = prepareWrite(writeOf(headOf(), { entries: [entryOf(0)] }))
  expect(flushQuery(newUuid(), [entry]).name).toBe('flush-journalled')
  const end = prepareWrite(writeOf(headOf(), { progress: completed({}) }))
  const all = flushQuery(newUuid(), [write, entry, end])
  expect(all.name).toBe('flush-accepted-journalled-updated-ended')
  expect(new Set(all.text.match(/\$\d+/g)).size).toBe(all.values?.length)
  expect(flushQuery(newUuid(), [end, entry, write]).text).toBe(all.text)
})
