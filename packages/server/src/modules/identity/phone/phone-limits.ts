import { createHmac } from 'node:crypto'
import { Fault } from '@millrace/contract'
import { sql } from 'kysely'
import type { Executor } from '#modules/identity/store.ts'
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
    await take(tx, digest(`hour ${who}`), { limit: 5, windowMs: hourMs }, at)
    await take(tx, digest(`day ${who}`), { limit: 15, windowMs: dayMs }, at)
    if (purpose === 'enroll') await take(tx, digest(`enroll ${number}`), { limit: 5, windowMs: dayMs }, at)
    await take(tx, digest(`address ${rateSubject(ip)}`), { limit: 30, windowMs: hourMs }, at)
    const installation = { limit: dailyMax, windowMs: dayMs }
    const used = await usedOf(tx, 'installation', at)
    const isFree = used < dailyMax
    const counted = isSent
      ? isFree && (await count(tx, 'installation', installation, at)) === undefined
      : (await count(tx, 'unknown numbers', { limit: 2 ** 30, windowMs: dayMs }, at)) === undefined
    if (isFree && counted) return
    onExhausted()
    throw new Fault('sms_unavailable', {
      detail: 'This installation has sent the most text messages that it may send in a day. Sign in in another way, or try again tomorrow.',
    })
  }
}

interface Window {
  readonly limit: number
  readonly windowMs: number
}

async function take(tx: Executor, subject: string, window: Window, at: Date): Promise<void> {
  const end = await count(tx, subject, window, at)
  if (end === undefined) return
  throw new Fault('rate_limited', {
    detail: 'Too many codes were asked for. Repeat after `Retry-After` seconds.',
    retryAfterSeconds: Math.max(1, Math.ceil((end.getTime() - at.getTime()) / 1000)),
  })
}

/** Counts one message; returns the end of the window when it is full. */
async function count(tx: Executor, subject: string, { limit, windowMs }: Window, at: Date): Promise<Date | undefined> {
  const endsAt = new Date(at.getTime() + windowMs)
  const { rows } = await sql`
    insert into text_message_counts as c (subject, hits, ends_at) values (${subject}, 1, ${endsAt})
    on conflict (subject) do update set
      hits = case when c.ends_at <= ${at} then 1 else c.hits + 1 end,
      ends_at = case when c.ends_at <= ${at} then excluded.ends_at else c.ends_at end
    where c.ends_at <= ${at} or c.hits < ${limit}
    returning 1`.execute(tx)
  if (rows.length === 1) return undefined
  const found = await sql<{ readonly ends_at: Date }>`select ends_at from text_message_counts where subject = ${subject}`.execute(tx)
  return found.rows[0]?.ends_at ?? endsAt
}

async function usedOf(tx: Executor, subject: string, at: Date): Promise<number> {
  const { rows } = await sql<{ readonly hits: number }>`
    select hits from text_message_counts where subject = ${subject} and ends_at > ${at}`.execute(tx)
  return rows[0]?.hits ?? 0
}

/** Deletes at most `limit` counts whose window has ended, and returns their number; to be run periodically. */
export async function deleteEndedCounts(db: Executor, at: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from text_message_counts where subject in (
      select subject from text_message_counts where ends_at < ${at} limit ${limit} for update skip locked
    ) returning 1`.execute(db)
  return rows.length
}
