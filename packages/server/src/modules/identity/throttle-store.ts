import { sql } from 'kysely'
import type { Executor } from './store.ts'

/** How attempts of one subject are slowed down. */
export interface ThrottleRule {
  /** Failures that cost nothing. */
  readonly freeFailures: number
  /** The wait after the first one beyond; each further one doubles it. */
  readonly delaySecondsFirst: number
  readonly delaySecondsMax: number
  /** Without a failure for so long, the subject starts anew. */
  readonly forgetSeconds: number
}

/** Until when attempts are refused, as the longest block of these subjects says; `undefined` when none of them is blocked. */
export async function findBlock(db: Executor, subjects: readonly string[], at: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ readonly until: Date | null }>`
    select max(blocked_until) as until from login_throttles where subject = any(${subjects}::text[]) and blocked_until > ${at}`.execute(db)
  return rows[0]?.until ?? undefined
}

/**
 * Counts an attempt before it is made, which is what holds against many attempts at once; false when the subject is blocked by now.
 *
 * A success takes the count back.
 */
export async function countAttempt(db: Executor, subject: string, rule: ThrottleRule, at: Date): Promise<boolean> {
  const { freeFailures, delaySecondsFirst, delaySecondsMax, forgetSeconds } = rule
  const failures = sql`case when t.failed_at + make_interval(secs => ${forgetSeconds}) > ${at} then t.failures + 1 else 1 end`
  const delay = sql`case when (${failures}) <= ${freeFailures} then 0
    else least(${delaySecondsMax}::float8, ${delaySecondsFirst}::float8 * power(2, least((${failures}) - ${freeFailures}::int - 1, 30))) end`
  const { rows } = await sql`
    insert into login_throttles as t (subject, failures, blocked_until, failed_at)
    values (${subject}, 1, ${at}, ${at})
    on conflict (subject) do update set
      failures = ${failures}, blocked_until = ${at}::timestamptz + make_interval(secs => ${delay}), failed_at = ${at}
    where t.blocked_until <= ${at}
    returning 1`.execute(db)
  return rows.length === 1
}

/** Takes one attempt back, which was none of guessing. */
export async function uncountAttempt(db: Executor, subject: string, at: Date): Promise<void> {
  await sql`
    update login_throttles set failures = greatest(failures - 1, 0), blocked_until = least(blocked_until, ${at})
    where subject = ${subject}`.execute(db)
}

export async function clearAttempts(db: Executor, subject: string): Promise<void> {
  await sql`delete from login_throttles where subject = ${subject}`.execute(db)
}

/** Deletes at most `limit` subjects that start anew anyhow, and tells how many; to be run now and then. */
export async function deleteForgottenThrottles(db: Executor, failedBefore: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from login_throttles where subject in (
      select subject from login_throttles where failed_at < ${failedBefore} and blocked_until < ${failedBefore} limit ${limit} for update skip locked
    ) returning 1`.execute(db)
  return rows.length
}
