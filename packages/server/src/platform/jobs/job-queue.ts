import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { Rows } from '#platform/db/rows.ts'

/** The one queue of pg-boss that carries all background jobs: a queue each would have every process poll each of them. */
export const JOB_QUEUE = 'jobs'

/** A job that no process has touched for so long is given to another; processes touch theirs twice in this time. */
const HEARTBEAT_SECONDS = 30
const EXPIRE_SECONDS = 60 * 60
/** How long jobs that have ended stay readable. */
const KEEP_SECONDS = 24 * 60 * 60

/** Makes the queue, where it is missing, and lets transactions of accounts send to it. */
export async function prepareJobQueue(boss: Pick<PgBoss, 'createQueue'>, db: Kysely<Rows>): Promise<void> {
  await createJobQueue(boss)
  await grantSending(db)
}

/**
 * `short` keeps one job waiting for each singleton key; jobs that are no singletons have their ids as
 * keys. The other policies of pg-boss that know such keys keep what waits behind a running job from being fetched.
 */
async function createJobQueue(boss: Pick<PgBoss, 'createQueue'>): Promise<void> {
  await boss.createQueue(JOB_QUEUE, {
    policy: 'short',
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
    deleteAfterSeconds: KEEP_SECONDS,
    retentionSeconds: 14 * KEEP_SECONDS,
    retryBackoff: true,
  })
}

/** A Kysely executor, in a transaction or not, as pg-boss speaks to a database. */
export function bossDatabase(executor: Pick<Kysely<unknown>, 'executeQuery'>) {
  return {
    async executeSql(text: string, values: readonly unknown[] = []) {
      const { rows } = await executor.executeQuery(CompiledQuery.raw(text, [...values]))
      return { rows: [...rows] }
    },
  }
}

/**
 * Lets transactions that are bound to an account send jobs: they may add rows and read the ids, and nothing else. pg-boss makes its own
 * tables, so no migration can grant this.
 */
async function grantSending(db: Kysely<Rows>): Promise<void> {
  const { rows } = await sql<{ granted: boolean }>`
    select has_column_privilege('millrace_account', 'pgboss.job_common', 'id', 'select') as granted`.execute(db)
  if (rows[0]?.granted === true) return
  await db.transaction().execute(async (tx) => {
    // Concurrent grants on one table fail.
    await sql`select pg_advisory_xact_lock(hashtext('millrace grants on pgboss'))`.execute(tx)
    await sql`grant usage on schema pgboss to millrace_account`.execute(tx)
    await sql`grant select on pgboss.queue to millrace_account`.execute(tx)
    await sql`grant insert, select (id) on pgboss.job_common to millrace_account`.execute(tx)
  })
}
