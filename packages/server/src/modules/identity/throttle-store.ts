import { sql } from 'kysely'
import type { Executor } from './store.ts'

/** How failed attempts of one subject are throttled. */
export interface ThrottleRule {
  /** Failures without a wait. */
  readonly freeFailures: number
  /** The wait after the first failure beyond the free ones; each further failure doubles it. */
  readonly delaySecondsFirst: number
  readonly delaySecondsMax: number
  /** After this time without a failure, the count is reset. */
  readonly forgetSeconds: number
}

/** The end of the longest block of these subjects; `undefined` when none is blocked. */
export async function findBlock(db: Executor, subjects: readonly string[], at: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ readonly until: Date | null }>`
    select max(blocked_until) as until from login_throttles where subject = any(${subjects}::text[]) and blocked_until > ${at}`.execute(db)
  return rows[0]?.until ?? undefined
}

/**
 * Counts an attempt before it is made, so that concurrent attempts are all counted; false when the subject is blocked meanwhile.
 *
 * A success removes the count again.
 */
export async function countAttempt(db: Executor, subject: string, rule: ThrottleRule, at: Date): Promise<boolean> {
  const { freeFailures, delaySecondsFirst, delaySecondsMax, forgetSeconds } = rule
  const failures = sql`case when t.failed_at + make_interval(secs => ${forgetSeconds}) > ${at} then t.failures + 1 else 1 end`
  const delay = sql`least(${delaySecondsMax}::float8, ${delaySecondsFirst}::float8 * power(2, least((${failures}) - ${freeFailures}::int - 1, 30)))`
  // A free failure never blocks: `at` would refuse concurrent attempts whose own `at` is a millisecond earlier.
  const blockedUntil = sql`case when (${failures}) <= ${freeFailures} then '-infinity'::timestamptz
    else ${at}::timestamptz + make_interval(secs => ${delay}) end`
  const { rows } = await sql`
    insert into login_throttles as t (subject, failures, blocked_until, failed_at)
    values (${subject}, 1, '-infinity', ${at})
    on conflict (subject) do update set
      failures = ${failures}, blocked_until = ${blockedUntil}, failed_at = ${at}
    where t.blocked_until <= ${at}
    returning 1`.execute(db)
  return rows.length === 1
}

/** Removes the count of one attempt that succeeded. */
export async function uncountAttempt(db: Executor, subject: string, at: Date): Promise<void> {
  await sql`
    update login_throttles set failures = greatest(failures - 1, 0), blocked_until = least(blocked_until, ${at})
    where subject = ${subject}`.execute(db)
}

export async function clearAttempts(db: Executor, subject: string): Promise<void> {
  await sql`delete from login_throttles where subject = ${subject}`.execute(db)
}

/** Deletes at most `limit` subjects whose count would be reset, and returns their number; to be run periodically. */
export async function deleteForgottenThrottles(db: Executor, failedBefore: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from login_throttles where subject in (
      select subject from login_throttles where failed_at < ${failedBefore} and blocked_until < ${failedBefore} limit ${limit} for update skip locked
    ) returning 1`.execute(db)
  return rows.length
}
