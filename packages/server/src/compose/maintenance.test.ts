import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { job } from '#platform/jobs/job.ts'
import { createJobs } from '#platform/jobs/jobs.ts'
import { createTestDatabase } from '#testing/database.ts'
import { maintenanceTasks, startMaintenance } from './maintenance.ts'

const parts = {
  accounts: { purge: () => Promise.resolve() },
  retention: { pass: () => Promise.resolve() },
  system: { now: () => Date.now() },
}

test('maintenance deletes rows that are past their time, and keeps the others', async () => {
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
  for (const { run } of maintenanceTasks({ ...parts, database })) await run()
  const { rows } = await sql`select (select count(*)::int from idempotency_keys) as keys,
    (select string_agg(subject, ',') from rate_limit_counters) as counters,
    (select string_agg(subject, ',') from login_throttles) as throttles`.execute(database.system)
  expect(rows).toEqual([{ keys: 3, counters: 'new', throttles: 'new' }])
})

test('one run of maintenance deletes more rows than one statement', async () => {
  await using db = await createTestDatabase()
  const { database } = db
  await sql`insert into idempotency_keys (lookup, operation, fingerprint, expires_at)
    select sha256(n::text::bytea), 'x', sha256('x'), now() - interval '1 hour' from generate_series(1, 2500) n`.execute(database.system)
  await sql`insert into events (id, account_id, source, event_id, type, envelope, received_at, expires_at)
    select millrace_uuid_v7(), millrace_uuid_v7(), '/a', n::text, 'a', '{}', now(), now() - interval '1 hour'
    from generate_series(1, 2500) n`.execute(database.system)
  for (const { run } of maintenanceTasks({ ...parts, database })) await run()
  const { rows } =
    await sql`select (select count(*)::int from idempotency_keys) as keys, (select count(*)::int from events) as events`.execute(
      database.system,
    )
  expect(rows).toEqual([{ keys: 0, events: 0 }])
})

test('a maintenance task that fails is logged by its name, and the other tasks run', async () => {
  await using db = await createTestDatabase()
  const { database } = db
  await sql`drop table idempotency_keys`.execute(database.system)
  await sql`insert into rate_limit_counters (policy, subject, hits, ends_at) values ('a', 'old', 1, now() - interval '1 second')`.execute(
    database.system,
  )
  const boss = new PgBoss({ connectionString: db.url, schema: 'pgboss', supervise: false, schedule: false, max: 2 })
  await boss.start()
  const warnings: unknown[][] = []
  const logger = { warn: (...line: unknown[]) => void warnings.push(line) }
  const maintenance = startMaintenance({ ...parts, database, boss, logger }, new Set(['worker']))
  const jobs = createJobs({ boss, db: database.system, newId: randomUUID })
  for (const name of ['idempotency-keys', 'rate-limit-counters'])
    await jobs.send(
      database.system,
      job({ name: `maintenance.${name}`, payload: z.strictObject({}), retry: { limit: 0, delaySeconds: 1, delaySecondsMax: 1 } }),
      {},
    )
  await expect.poll(async () => (await sql`select from rate_limit_counters`.execute(database.system)).rows).toEqual([])
  await expect
    .poll(() => warnings)
    .toEqual([
      [
        { task: 'idempotency-keys', err: expect.objectContaining({ message: expect.stringContaining('idempotency_keys') }) },
        'maintenance task failed',
      ],
    ])
  await maintenance.stop()
  await boss.stop({ graceful: false })
})

test('a task whose name the queue would refuse is refused at the start, not once a minute', async () => {
  await using db = await createTestDatabase()
  const boss = new PgBoss({ db: { executeSql: () => Promise.resolve({ rows: [] }) } })
  const more = [{ name: 'start of runs', run: () => Promise.resolve() }]
  const start = () =>
    startMaintenance({ ...parts, database: db.database, boss, more, logger: { warn: () => undefined } }, new Set(['scheduler']))
  expect(start).toThrow('start of runs')
})
