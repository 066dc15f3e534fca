import { createHmac } from 'node:crypto'
import { Fault } from '@millrace/contract'
import { sql } from 'kysely'
import type { Executor } from '#modules/identity/store.ts'
import { preparedMark } from '#platform/db/database-client.ts'
import { rateSubject } from '#platform/http/rate-limit/rate-limit.ts'
import type { CodePurpose } from './phone-store.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** A message that is about to be sent. */
export interface CountedMessage {
  readonly purpose: CodePurpose
  readonly number: string
  readonly userId: string | undefined
  readonly ip: string
  /** False for a number that no user has: it does the same work, and costs nothing. */
  readonly isSent: boolean
}

export interface PhoneLimitDeps {
  /** Makes the digests, since the table must not reveal numbers. */
  readonly key: Uint8Array
  /** Most messages of the installation in 24 hours. */
  readonly dailyMax: number
  readonly onExhausted: () => void
}

/** Counts a message in the transaction that sends it; a Fault when there were too many. */
export type CountMessage = (tx: Executor, message: CountedMessage, at: Date) => Promise<void>

/**
 * Bounds messages by number or user, by address, and for the whole installation.
 *
 * Codes of a second step and of an enrolment are counted by user: others who ask for codes of a number do not keep its owner from the second step.
 */
export function createPhoneLimits({ key, dailyMax, onExhausted }: PhoneLimitDeps): CountMessage {
  const digest = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  return async (tx, { purpose, number, userId, ip, isSent }, at) => {
    const who = purpose === 'sign-in' ? `${purpose} ${number}` : `${purpose} ${userId ?? ''}`
    // Always in this order of kinds, so that concurrent transactions do not wait for each other in a circle.
    const own: readonly Window[] = [
      { subject: digest(`hour ${who}`), limit: 5, windowMs: hourMs },
      { subject: digest(`day ${who}`), limit: 15, windowMs: dayMs },
      ...(purpose === 'enroll' ? [{ subject: digest(`enroll ${number}`), limit: 5, windowMs: dayMs }] : []),
      { subject: digest(`address ${rateSubject(ip)}`), limit: 30, windowMs: hourMs },
    ]
    const total = isSent
      ? { subject: installation, limit: dailyMax, windowMs: dayMs }
      : { subject: 'unknown numbers', limit: 2 ** 30, windowMs: dayMs }
    const { full, used } = await count(tx, [...own, total], at)
    const exhausted = own.find(({ subject }) => full.has(subject))
    if (exhausted !== undefined) throw tooMany(full.get(exhausted.subject), at)
    if (used < dailyMax && !full.has(total.subject)) return
    onExhausted()
    throw new Fault('sms_unavailable', {
      detail: 'This installation has sent the most text messages that it may send in a day. Sign in in another way, or try again tomorrow.',
    })
  }
}

/** Counts all messages of the installation. */
const installation = 'installation'

interface Window {
  readonly subject: string
  readonly limit: number
  readonly windowMs: number
}

function tooMany(end: Date | undefined, at: Date): Fault {
  return new Fault('rate_limited', {
    detail: 'Too many codes were asked for. Repeat after `Retry-After` seconds.',
    retryAfterSeconds: Math.max(1, Math.ceil(((end?.getTime() ?? 0) - at.getTime()) / 1000)),
  })
}

interface Counts {
  /** The full windows, with their ends. */
  readonly full: ReadonlyMap<string, Date>
  /** Messages of the installation before this one. */
  readonly used: number
}

/** Counts one message in several windows, which are locked in the given order. */
async function count(tx: Executor, windows: readonly Window[], at: Date): Promise<Counts> {
  const subjects = windows.map(({ subject }) => subject)
  const { rows } = await sql<{ readonly counted: string[]; readonly used: number }>`${sql.raw(preparedMark('count_text_message'))}with
    windows as (
      select * from unnest(${subjects}::text[], ${windows.map(({ limit }) => limit)}::int[],
        ${windows.map(({ windowMs }) => new Date(at.getTime() + windowMs))}::timestamptz[]) with ordinality as w (subject, most, ends_at, place)
    ),
    counted as (
      insert into text_message_counts as c (subject, hits, ends_at) select subject, 1, ends_at from windows order by place
      on conflict (subject) do update set
        hits = case when c.ends_at <= ${at}::timestamptz then 1 else c.hits + 1 end,
        ends_at = case when c.ends_at <= ${at}::timestamptz then excluded.ends_at else c.ends_at end
      where c.ends_at <= ${at}::timestamptz or c.hits < (select most from windows w where w.subject = excluded.subject)
      returning subject
    )
    select array(select subject from counted) as counted, coalesce((
      select hits from text_message_counts where subject = ${installation}::text and ends_at > ${at}::timestamptz), 0) as used`.execute(tx)
  const { counted = [], used = 0 } = rows[0] ?? {}
  const rest = subjects.filter((subject) => !counted.includes(subject))
  if (rest.length === 0) return { full: new Map(), used }
  const found = await sql<{ readonly subject: string; readonly ends_at: Date }>`
    select subject, ends_at from text_message_counts where subject = any(${rest}::text[])`.execute(tx)
  return { full: new Map(found.rows.map((row) => [row.subject, row.ends_at])), used }
}

/** Deletes at most `limit` counts whose window has ended, and returns their number; to be run periodically. */
export async function deleteEndedCounts(db: Executor, at: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from text_message_counts where subject in (
      select subject from text_message_counts where ends_at < ${at} limit ${limit} for update skip locked
    ) returning 1`.execute(db)
  return rows.length
}
