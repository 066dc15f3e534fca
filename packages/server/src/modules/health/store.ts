import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { QueueHealth } from './model.ts'

/** Numbers of the migrations that the database has. */
export async function readAppliedMigrations(db: Kysely<Rows>): Promise<readonly number[]> {
  const { rows } = await sql<{ number: number }>`select number from schema_migrations order by number`.execute(db)
  return rows.map(({ number }) => number)
}

/** The queue over all accounts; jobs that wait for their time are not waiting for us. */
export async function readQueue(db: Kysely<Rows>): Promise<QueueHealth> {
  const { rows } = await sql<{ depth: number; active: number; dead: number; oldest: number | null }>`
    select
      count(*) filter (where state <> 'active')::int4 as depth,
      count(*) filter (where state = 'active')::int4 as active,
      (select count(*)::int4 from dead_letters) as dead,
      extract(epoch from now() - min(start_after) filter (where state <> 'active'))::float8 as oldest
    from pgboss.job where state <= 'active' and (state = 'active' or start_after <= now())`.execute(db)
  const row = rows[0]
  return {
    depth: row?.depth ?? 0,
    active: row?.active ?? 0,
    deadLetters: row?.dead ?? 0,
    oldestWaitingSeconds: row?.oldest ?? null,
  }
}

/** Executions of all accounts that a process has claimed, and those that are parked; each counts one small partial index. */
export async function readExecutions(db: Kysely<Rows>): Promise<{ readonly running: number; readonly waiting: number }> {
  const { rows } = await sql<{ running: number; waiting: number }>`
    select (select count(*)::int4 from executions where claimed_by is not null) as running,
      (select count(*)::int4 from executions where state = 'waiting') as waiting`.execute(db)
  return rows[0] ?? { running: 0, waiting: 0 }
}
