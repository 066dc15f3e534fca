import { randomUUID } from 'node:crypto'
import { countExecutionsByAccount, countExecutionsSince } from '@millrace/engine/storage'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { leastId } from '#platform/ids.ts'
import { createUsage } from './usage.ts'

const hourMs = 60 * 60 * 1000
const start = Date.parse('2026-03-01T00:00:00Z')
const period = { start: new Date(start), end: new Date('2026-04-01T00:00:00Z') }

async function createWorld() {
  const testDatabase = await createTestDatabase()
  const db = testDatabase.database.system
  const accountId = randomUUID()
  await sql`insert into accounts (id, name) values (${accountId}, 'Ada')`.execute(db)
  let nowMs = start
  let added = 0
  const usage = createUsage({
    db,
    now: () => nowMs,
    entitlement: async () => ({ tier: 'pro', limits: { ai_tokens: { soft: 10, hard: 20 } }, period }),
    countExecutions: (from, to) => countExecutionsByAccount(db, from, to),
    countExecutionsOf: (id, from) => countExecutionsSince(db, id, from),
    notify: async () => undefined,
    onError: (error) => {
      throw error
    },
  })
  return {
    db,
    accountId,
    usage,
    /** Writes an execution that was accepted at a time. */
    async execute(atMs: number) {
      const id = leastId(atMs).replace(/0{12}$/, (++added).toString(16).padStart(12, '0'))
      await sql`
        insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, created_at)
        values (${id}, ${accountId}, ${accountId}, ${accountId}, 'completed', 'manual', 'user:x', '{}', ${new Date(atMs)})`.execute(db)
    },
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
    world.db.transaction().execute((tx) => world.usage.record(tx, world.accountId, 'ai_tokens', { sourceId, amount }))
  await record('call-1', 7)
  await record('call-1', 7)
  await record('call-2', 5)
  const rolledBack = world.db.transaction().execute(async (tx) => {
    await world.usage.record(tx, world.accountId, 'ai_tokens', { sourceId: 'call-3', amount: 100 })
    throw new Error('the effect failed')
  })
  await expect(rolledBack).rejects.toThrow('the effect failed')
  expect(await world.used('ai_tokens')).toBe(12)
  await world.usage.assertWithin(world.accountId, 'ai_tokens', 8)
  await expect(world.usage.assertWithin(world.accountId, 'ai_tokens', 9)).rejects.toMatchObject({ code: 'quota_exceeded' })
})
