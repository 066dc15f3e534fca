import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

/** Longer than a request for tokens with the transactions before and after it. After it, the process that began is taken for dead. */
export const leaseMs = 30_000
const pauseSecondsMax = 60

/** All times are those of the database, since the clocks of processes differ. */
export interface Renewal {
  /** Of the tokens, for `endRenewal`. */
  readonly version: number
  readonly isUnderWay: boolean
  /** Why the last renewal failed, as long as none may follow. */
  readonly recentProblem: string | undefined
}

/** The row must be locked. */
export async function findRenewal(tx: Executor, accountId: string, id: string): Promise<Renewal> {
  const { rows } = await sql<{ readonly version: number; readonly is_under_way: boolean; readonly problem: string | null }>`
    select token_version as version, coalesce(renewal_until > clock_timestamp(), false) as is_under_way,
      case when renewal_after > clock_timestamp() then renewal_problem end as problem
    from connections where account_id = ${accountId} and id = ${id}`.execute(tx)
  const { version = 0, is_under_way: isUnderWay = false, problem = null } = rows[0] ?? {}
  return { version, isUnderWay, recentProblem: problem ?? undefined }
}

export async function beginRenewal(tx: Executor, accountId: string, id: string): Promise<void> {
  await sql`
    update connections set renewal_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

/** @returns false if tokens of another version are there now, or the connection is gone. */
export async function endRenewal(tx: Executor, accountId: string, id: string, version: number): Promise<boolean> {
  const { rows } = await sql`
    update connections set renewal_until = null
    where account_id = ${accountId} and id = ${id} and token_version = ${version} returning id`.execute(tx)
  return rows.length === 1
}

/** No renewal follows for a second, and twice as long after each further failure. */
export async function failRenewal(tx: Executor, accountId: string, id: string, problem: string): Promise<void> {
  await sql`
    update connections set renewal_failures = renewal_failures + 1, renewal_problem = ${problem},
      renewal_after = clock_timestamp() + least(${pauseSecondsMax}, power(2, least(renewal_failures, 10))) * interval '1 second'
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}
