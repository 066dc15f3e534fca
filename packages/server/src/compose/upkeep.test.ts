import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { sweep } from './upkeep.ts'

const engine = { cancel: () => Promise.reject(new Error('there is nothing to cancel')) }

const retention = { pass: () => Promise.resolve() }
const approvals = { pass: () => Promise.resolve() }

test('what has had its time is deleted, and what has not stays', async () => {
  await using db = await createTestDatabase()
  const { database } = db
  await sql`insert into idempotency_keys (lookup, operation, fingerprint, expires_at)
    select sha256(n::text::bytea), 'x', sha256('x'), now() + make_interval(hours => n) from generate_series(-3, 3) n where n <> 0`.execute(
    database.system,
  )
  await sql`insert into rate_limit_counters (policy, subject, hits, ends_at)
    values ('a', 'old', 1, now() - interval '1 second'), ('a', 'new', 1, now() + interval '1 minute')`.execute(database.system)
  await sql`insert into login_throttles (subject, failures, blocked_until, failed_at)
    values ('old', 1, now() - interval '3 days', now() - interval '3 days'), ('new', 1, now(), now())`.execute(database.system)
  const warnings: unknown[] = []
  await sweep({
    database,
    engine,
    retention,
    approvals,
    logger: { warn: (warning: unknown) => void warnings.push(warning) },
    system: { now: () => Date.now() },
  })
  expect(warnings).toEqual([])
  const { rows } = await sql`select (select count(*)::int from idempotency_keys) as keys,
    (select string_agg(subject, ',') from rate_limit_counters) as counters,
    (select string_agg(subject, ',') from login_throttles) as throttles`.execute(database.system)
  expect(rows).toEqual([{ keys: 3, counters: 'new', throttles: 'new' }])
})

test('a chore that fails is told of, and the others are done all the same', async () => {
  await using db = await createTestDatabase()
  const { database } = db
  await sql`drop table idempotency_keys`.execute(database.system)
  await sql`insert into rate_limit_counters (policy, subject, hits, ends_at) values ('a', 'old', 1, now() - interval '1 second')`.execute(
    database.system,
  )
  const warnings: unknown[] = []
  await sweep({
    database,
    engine,
    retention,
    approvals,
    logger: { warn: (warning: unknown) => void warnings.push(warning) },
    system: { now: () => Date.now() },
  })
  expect(warnings).toMatchObject([{ err: expect.objectContaining({ message: expect.stringContaining('idempotency_keys') }) }])
  expect((await sql`select from rate_limit_counters`.execute(database.system)).rows).toEqual([])
})
