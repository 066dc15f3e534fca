import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { countExecutionsByAccount, countExecutionsSince, takeEndsSql } from '@millrace/engine/storage'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { leastId } from '#platform/ids.ts'
import { recordUsage } from './record-usage.ts'
import { createUsage, type Entitlement, type LimitNotice } from './usage.ts'
import { meterTasksSql } from './usage-store.ts'

const hourMs = 60 * 60 * 1000
const start = Date.parse('2026-03-01T00:00:00Z')
const period = { start: new Date(start), end: new Date('2026-04-01T00:00:00Z') }

function raise(error: unknown): never {
  throw error
}

async function createWorld(
  limits: Entitlement['limits'] = { ai_tokens: { soft: 10, hard: 20 } },
  onError: (error: unknown) => void = raise,
) {
  const testDatabase = await createTestDatabase()
  const db = testDatabase.database.system
  const accountId = randomUUID()
  await sql`insert into accounts (id, name) values (${accountId}, 'Ada')`.execute(db)
  let nowMs = start
  let added = 0
  let counts = 0
  let noticeQueries = 0
  const notices: LimitNotice[] = []
  let failure: Error | undefined
  let interruption: (() => Promise<void>) | undefined
  const interrupted = db.withPlugin({
    transformQuery({ node }) {
      if (JSON.stringify(node).includes('usage_notices')) noticeQueries += 1
      return node
    },
    async transformResult({ result }) {
      const interrupt = interruption
      interruption = undefined
      await interrupt?.()
      return result
    },
  })
  const newUsage = () =>
    createUsage({
      db: interrupted,
      now: () => nowMs,
      entitlement: async () => ({ tier: 'pro', limits, period }),
      countExecutions: (from, to) => countExecutionsByAccount(db, from, to),
      countExecutionsOf(id, from) {
        counts += 1
        return countExecutionsSince(db, id, from)
      },
      storedBytes: async () => 512,
      async notify(_tx, notice) {
        if (failure !== undefined) throw failure
        notices.push(notice)
      },
      onError,
      pause: (ms) => setTimeout(ms),
    })
  const usage = newUsage()
  return {
    db,
    accountId,
    usage,
    newUsage,
    /** Writes an execution that was accepted at a time. */
    async execute(atMs: number) {
      const id = leastId(atMs).replace(/0{12}$/, (++added).toString(16).padStart(12, '0'))
      await sql`
        insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, created_at)
        values (${id}, ${accountId}, ${accountId}, ${accountId}, 'completed', 'manual', 'user:x', '{}', ${new Date(atMs)})`.execute(db)
    },
    counts: () => counts,
    noticeQueries: () => noticeQueries,
    notices,
    failNotices: (error: Error | undefined) => void (failure = error),
    /** Runs after the next query. */
    afterQuery: (run: () => Promise<void>) => void (interruption = run),
    goTo: (ms: number) => void (nowMs = ms),
    used: async (meter: string) => (await usage.current(accountId)).meters.find((each) => each.meter === meter)?.used,
    [Symbol.asyncDispose]: () => testDatabase.drop(),
  }
}

test('every execution counts once: live, after its hour is counted, after a repeated count, and after retention has deleted it', async () => {
  await using world = await createWorld()
  let executed = 0
  for (let hour = 0; hour < 30; hour++) {
    const count = (hour * 7) % 4
    for (let at = 0; at < count; at++) await world.execute(start + hour * hourMs + at * 1000)
    executed += count
    world.goTo(start + hour * hourMs + 30 * 60_000)
    expect(await world.used('executions')).toBe(executed)
    await world.usage.count()
    if (hour % 3 === 0) await world.usage.count()
    expect(await world.used('executions')).toBe(executed)
  }
  world.goTo(start + 60 * hourMs)
  await world.usage.count()
  await sql`delete from executions`.execute(world.db)
  await world.usage.count()
  expect(await world.used('executions')).toBe(executed)
})

test('notice of a threshold is given once in a period, and starts beyond it look for it no more', async () => {
  const failures: unknown[] = []
  await using world = await createWorld({ executions: { soft: 10, hard: null } }, (error) => void failures.push(error))
  const run = async (usage: typeof world.usage, count: number) => {
    for (let at = 0; at < count; at++) await usage.withinExecutions(world.accountId, () => Promise.resolve())
  }
  await run(world.usage, 7)
  expect(world.noticeQueries()).toBe(0)
  world.failNotices(new Error('the mail server is away'))
  await run(world.usage, 1)
  world.failNotices(undefined)
  await run(world.usage, 12)
  const both = [80, 100].map((percent) => ({ meter: 'executions', percent, limit: 10 }))
  expect([failures.length, world.notices, world.noticeQueries()]).toMatchObject([1, both, 3])
  await run(world.newUsage(), 20)
  expect([world.notices, world.noticeQueries()]).toMatchObject([both, 5])
})

test('an execution whose row appears hours late, as after an outage of the database, still counts', async () => {
  await using world = await createWorld()
  await world.execute(start)
  world.goTo(start + 5 * hourMs)
  await world.usage.count()
  await world.execute(start + 1000)
  world.goTo(start + 23 * hourMs)
  await world.usage.count()
  expect(await world.used('executions')).toBe(2)
})

test('what is recorded counts once for each source, with its transaction', async () => {
  await using world = await createWorld()
  const record = (sourceId: string, amount: number) =>
    world.db.transaction().execute((tx) => recordUsage(tx, world.accountId, { meter: 'ai_tokens', sourceId, amount, atMs: start }))
  await record('call-1', 7)
  await record('call-1', 7)
  await record('call-2', 5)
  const rolledBack = world.db.transaction().execute(async (tx) => {
    await recordUsage(tx, world.accountId, { meter: 'ai_tokens', sourceId: 'call-3', amount: 100, atMs: start })
    throw new Error('the effect failed')
  })
  await expect(rolledBack).rejects.toThrow('the effect failed')
  expect(await world.used('ai_tokens')).toBe(12)
  expect(await world.usage.isUsedUp(world.accountId, 'ai_tokens')).toBe(false)
  await world.usage.assertWithin(world.accountId, 'ai_tokens', 8)
  await expect(world.usage.assertWithin(world.accountId, 'ai_tokens', 9)).rejects.toMatchObject({ code: 'quota_exceeded' })
})

test('every task counts once: live, after its execution was metered, and not again when a retry has taken it over', async () => {
  await using world = await createWorld()
  const { db, accountId } = world
  const end = async (id: string, positions: readonly string[], retryOf: string | null = null, createdMs = start) => {
    await sql`
      insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, created_at, ended_at, retry_of)
      values (${id}, ${accountId}, ${accountId}, ${accountId}, 'completed', 'manual', 'user:x', '{}', ${new Date(createdMs)}, ${new Date(start + 1000)}, ${retryOf})`.execute(
      db,
    )
    for (const [seq, position] of positions.entries())
      await sql`
        insert into journal (execution_id, seq, account_id, position, phase, kind, ok, value, decisions, started_at, ended_at)
        values (${id}, ${seq}, ${accountId}, ${position}, 'ended', ${position.startsWith('wait') ? 'timer' : 'http'}, true, '1', '',
          ${new Date(start)}, ${new Date(start + (retryOf !== null && position === 'added' ? 900 : 500))})`.execute(db)
    await sql`insert into execution_ends (account_id, execution_ids) values (${accountId}, ${[id]}::uuid[])`.execute(db)
  }
  const [first = '', retry = '', moved = ''] = ['1', '2', '3'].map((last) => leastId(start).replace(/0{12}$/, last.padStart(12, '0')))
  await end(first, ['a', 'wait', 'b'])
  expect(await world.used('tasks')).toBe(2)
  await end(retry, ['a', 'b', 'added'], first)
  expect(await world.used('tasks')).toBe(3)
  // In another version what was taken over may be elsewhere.
  await end(moved, ['moved-a', 'moved-b'], retry, start + 600)
  expect(await world.used('tasks')).toBe(3)
  await sql`with taken as (${takeEndsSql(10)}) ${meterTasksSql(sql`taken`)}`.execute(db)
  expect(await world.used('tasks')).toBe(3)
  expect((await sql`select from execution_ends`.execute(db)).rows).toEqual([])
  world.goTo(start + 2 * hourMs)
  const history = await world.usage.history(accountId, 2, 'tasks')
  expect(history).toEqual([{ day: '2026-03-01', meter: 'tasks', amount: 3 }])
})

test('checks of a meter without a limit count no executions', async () => {
  await using world = await createWorld()
  await world.execute(start)
  await world.usage.assertWithin(world.accountId, 'ai_tokens')
  await world.usage.assertWithin(world.accountId, 'executions')
  expect(world.counts()).toBe(0)
  expect(await world.used('executions')).toBe(1)
})

test('checks that find the counters out of date share one count of executions', async () => {
  await using world = await createWorld({ executions: { soft: 1_000, hard: 1_000 } })
  const check = () => Promise.all(Array.from({ length: 20 }, () => world.usage.assertWithin(world.accountId, 'executions')))
  await check()
  expect(world.counts()).toBe(1)
  world.goTo(start + 6_000)
  await check()
  expect(world.counts()).toBe(2)
})

test('executions of an hour that is counted while they are read are not overlooked', async () => {
  const limits = { executions: { soft: 100, hard: 100 } }
  await using world = await createWorld(limits)
  for (let at = 0; at < 3; at++) await world.execute(start + at * 1000)
  world.goTo(start + 3 * hourMs)
  // After the sums of the stored hours were read, and before the rows are.
  world.afterQuery(() => world.usage.count())
  expect(await world.used('executions')).toBe(3)
})

test('checks at the same time cannot together exceed a hard limit', async () => {
  await using world = await createWorld()
  const checks = Array.from({ length: 30 }, () => world.usage.assertWithin(world.accountId, 'ai_tokens'))
  const refused = (await Promise.allSettled(checks)).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(10)
})

test('parallel starts of two processes reach the hard limit of executions and never pass it', async () => {
  await using world = await createWorld({ executions: { soft: 40, hard: 40 } })
  for (let at = 0; at < 7; at++) await world.execute(start + at)
  const other = world.newUsage()
  let failed = 0
  const starts = Array.from({ length: 100 }, (_, index) =>
    (index % 2 === 0 ? world.usage : other).withinExecutions(world.accountId, async () => {
      await setTimeout(index % 7)
      // A start that fails leaves its room to others.
      if (index === 0 || index === 2) throw new Error(`the start failed: ${++failed}`)
      await world.execute(start + index)
    }),
  )
  const refused = (await Promise.allSettled(starts)).flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused.filter(({ code }) => code === 'quota_exceeded')).toHaveLength(100 - 33 - failed)
  expect(await world.used('executions')).toBe(33 + 7)
  const left = async () => (await sql`select from usage_reservations`.execute(world.db)).rows.length
  await expect.poll(left).toBe(0)
  await expect(world.usage.withinExecutions(world.accountId, async () => 1)).rejects.toMatchObject({ code: 'quota_exceeded' })
})
