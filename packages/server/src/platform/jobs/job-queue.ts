import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { Rows } from '#platform/db/rows.ts'

/** The one queue of pg-boss for all kinds of jobs: with a queue for each kind, every process would poll every queue. */
export const JOB_QUEUE = 'jobs'

/** A job without a heartbeat for this long is passed to another process; a process sends two heartbeats in this time. */
const HEARTBEAT_SECONDS = 30
const EXPIRE_SECONDS = 60 * 60
/** An ended job can be read for this long. */
const ENDED_KEEP_SECONDS = 24 * 60 * 60

/** Creates the queue if it is missing, and permits transactions of accounts to send to it. */
export async function prepareJobQueue(boss: Pick<PgBoss, 'createQueue'>, db: Kysely<Rows>): Promise<void> {
  await createJobQueue(boss)
  await grantSending(db)
}

/**
 * The policy `short` lets one job wait for each singleton key; a job that is not a singleton has its id as key. The other policies of pg-boss
 * for such keys do not fetch the jobs that wait behind a running one.
 */
async function createJobQueue(boss: Pick<PgBoss, 'createQueue'>): Promise<void> {
  await boss.createQueue(JOB_QUEUE, {
    policy: 'short',
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
    deleteAfterSeconds: ENDED_KEEP_SECONDS,
    retentionSeconds: 14 * ENDED_KEEP_SECONDS,
    retryBackoff: true,
  })
}

/** Adapts a Kysely executor, with or without a transaction, to the database interface of pg-boss. */
export function bossDatabase(executor: Pick<Kysely<unknown>, 'executeQuery'>) {
  return {
    async executeSql(text: string, values: readonly unknown[] = []) {
      const { rows } = await executor.executeQuery(CompiledQuery.raw(text, [...values]))
      return { rows: [...rows] }
    },
  }
}

/**
 * Permits transactions that are bound to an account to send jobs: they may only insert rows and read ids. pg-boss creates its tables itself,
 * so no migration can grant this.
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
