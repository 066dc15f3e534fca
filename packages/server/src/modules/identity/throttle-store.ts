import { type RawBuilder, sql } from 'kysely'
import { preparedMark } from '#platform/db/database-client.ts'
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

/** An attempt of one subject, to be counted under a rule. */
export interface CountedSubject {
  readonly subject: string
  readonly rule: ThrottleRule
}

/** Whether an attempt was counted; `until` is the end of the longest block of its subjects. */
export interface TakenAttempt {
  readonly isCounted: boolean
  readonly until: Date | undefined
}

/**
 * Counts an attempt of several subjects before it is made, so that concurrent attempts are all counted. Nothing is counted when one of them is
 * blocked; a later one is not counted when an earlier one was blocked meanwhile. A success removes the counts again.
 *
 * One statement, which locks the subjects in the order in which they are given, as `forgiveness` does, so that two cannot deadlock.
 */
export async function takeAttempt(db: Executor, counted: readonly CountedSubject[], at: Date): Promise<TakenAttempt> {
  const counts = counted.map(({ subject, rule }, index) => {
    const before = index === 0 ? sql`blocked where until is null` : sql.raw(`counted_${index - 1}`)
    return sql`${sql.raw(`counted_${index}`)} as (${countSql(subject, rule, at, before)})`
  })
  const { rows } = await sql<{ readonly until: Date | null; readonly counted: boolean }>`${sql.raw(
    preparedMark(`throttle_take_${counted.length}`),
  )}with blocked as (
      select max(blocked_until) as until from login_throttles
      where subject = any(${counted.map(({ subject }) => subject)}::text[]) and blocked_until > ${at}::timestamptz
    ), ${sql.join(counts)}
    select until, exists (select from ${sql.raw(`counted_${counted.length - 1}`)}) as counted from blocked`.execute(db)
  return { isCounted: rows[0]?.counted === true, until: rows[0]?.until ?? undefined }
}

/** Counts an attempt of one subject unless it is blocked meanwhile. @param before yields a row if it is to be counted. */
function countSql(subject: string, rule: ThrottleRule, at: Date, before: RawBuilder<unknown>): RawBuilder<unknown> {
  const { freeFailures, delaySecondsFirst, delaySecondsMax, forgetSeconds } = rule
  const failures = sql`case when t.failed_at + make_interval(secs => ${forgetSeconds}::float8) > ${at}::timestamptz then t.failures + 1 else 1 end`
  const delay = sql`least(${delaySecondsMax}::float8, ${delaySecondsFirst}::float8 * power(2, least((${failures}) - ${freeFailures}::int - 1, 30)))`
  // A free failure never blocks: `at` would refuse concurrent attempts whose own `at` is a millisecond earlier.
  const blockedUntil = sql`case when (${failures}) <= ${freeFailures}::int then '-infinity'::timestamptz
    else ${at}::timestamptz + make_interval(secs => ${delay}) end`
  return sql`
    insert into login_throttles as t (subject, failures, blocked_until, failed_at)
    select ${subject}::text, 1, '-infinity'::timestamptz, ${at}::timestamptz from ${before}
    on conflict (subject) do update set
      failures = ${failures}, blocked_until = ${blockedUntil}, failed_at = ${at}::timestamptz
    where t.blocked_until <= ${at}::timestamptz
    returning 1`
}

/** The subjects of an attempt that succeeded. */
export interface Forgiven {
  /** Keeps its other failures. */
  readonly address: string
  /** Is forgotten. */
  readonly account: string
  readonly at: Date
}

/** The parts of a `with` that remove the counts of an attempt that succeeded. The second waits for the first, so that they lock in that order. */
export function forgiveness({ address, account, at }: Forgiven): RawBuilder<unknown> {
  return sql`
    forgiven_address as (
      update login_throttles set failures = greatest(failures - 1, 0), blocked_until = least(blocked_until, ${at}::timestamptz)
      where subject = ${address}::text returning 1
    ),
    forgiven_account as (
      delete from login_throttles where subject = ${account}::text and (select count(*) from forgiven_address) >= 0
    )`
}

export async function forgiveAttempt(db: Executor, forgiven: Forgiven): Promise<void> {
  await sql`${sql.raw(preparedMark('throttle_forgive'))}with ${forgiveness(forgiven)} select`.execute(db)
}

export async function forgetAttempts(db: Executor, subject: string): Promise<void> {
  await sql`${sql.raw(preparedMark('throttle_forget'))}delete from login_throttles where subject = ${subject}`.execute(db)
}

/** Deletes at most `limit` subjects whose count would be reset, and returns their number; to be run periodically. */
export async function deleteForgottenThrottles(db: Executor, failedBefore: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from login_throttles where subject in (
      select subject from login_throttles where failed_at < ${failedBefore} and blocked_until < ${failedBefore} limit ${limit} for update skip locked
    ) returning 1`.execute(db)
  return rows.length
}
