import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

/** A webhook that listens for test requests. */
export interface Listening {
  readonly until: Date
  readonly requests: number
  /** Whether a request starts a test of the draft. */
  readonly starts: boolean
  /** Who listens, as `kind:id`. */
  readonly by: string
}

/** Begins to listen, in place of what listened before. */
export async function beginListening(
  tx: Executor,
  accountId: string,
  id: string,
  { until, requests, starts, by }: Listening,
): Promise<void> {
  await sql`
    update triggers set test_until = ${until}, test_left = ${requests}, test_starts = ${starts}, test_by = ${by}
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export async function endListening(tx: Executor, accountId: string, id: string): Promise<void> {
  await sql`update triggers set test_until = null, test_left = 0 where account_id = ${accountId} and id = ${id}`.execute(tx)
}

/** Takes one of the requests for which a webhook listens; undefined if it does not listen any more. */
export async function takeTestRequest(
  db: Executor,
  { id, accountId }: { readonly id: string; readonly accountId: string },
  now: Date,
): Promise<Pick<Listening, 'starts' | 'by'> | undefined> {
  const { rows } = await sql<{ readonly starts: boolean; readonly by: string }>`
    update triggers set test_left = test_left - 1 where account_id = ${accountId} and id = ${id} and test_until > ${now} and test_left > 0
    returning test_starts as starts, test_by as by`.execute(db)
  return rows[0]
}
