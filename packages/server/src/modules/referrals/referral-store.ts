import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

export type Executor = Kysely<Rows>

export interface ReferralCode {
  readonly code: string
  readonly visits: number
  readonly signUps: number
  readonly createdAt: Date
}

/** Inserts a code; false when another account or this one has it. */
export async function insertCode(tx: Executor, accountId: string, code: string, at: Date): Promise<boolean> {
  const { rows } = await sql`insert into referral_codes (code, account_id, created_at) values (${code}, ${accountId}, ${at})
    on conflict do nothing returning code`.execute(tx)
  return rows.length > 0
}

export async function countCodes(tx: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int4 as count from referral_codes where account_id = ${accountId}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Codes of an account with the accounts that named them; for the owner's connections, which see those accounts. */
export async function listCodes(db: Executor, accountId: string): Promise<readonly ReferralCode[]> {
  const { rows } = await sql<{ code: string; visits: number; sign_ups: number; created_at: Date }>`
    select c.code, c.visits, c.created_at, (select count(*)::int4 from referrals r where r.code = c.code and r.referrer_id = c.account_id) as sign_ups
    from referral_codes c where c.account_id = ${accountId} order by c.created_at desc, c.code`.execute(db)
  return rows.map(({ code, visits, sign_ups: signUps, created_at: createdAt }) => ({ code, visits, signUps, createdAt }))
}

/** Counts a visit; false for an unknown code. */
export async function visitCode(db: Executor, code: string): Promise<boolean> {
  const { rows } = await sql`update referral_codes set visits = visits + 1 where code = ${code} returning code`.execute(db)
  return rows.length > 0
}

export async function findCodeOwner(db: Executor, code: string): Promise<string | undefined> {
  const { rows } = await sql<{ account_id: string }>`select account_id from referral_codes where code = ${code}`.execute(db)
  return rows[0]?.account_id
}

/** Whether `accountId` referred `other`, directly or over other accounts. */
export async function hasReferred(db: Executor, accountId: string, other: string): Promise<boolean> {
  const { rows } = await sql`
    with recursive above (id) as (
      select referrer_id from referrals where referred_id = ${other}
      union
      select r.referrer_id from referrals r join above on r.referred_id = above.id
    )
    select id from above where id = ${accountId}`.execute(db)
  return rows.length > 0
}

/** Notes who referred an account; false when it was referred already. */
export async function insertReferral(
  tx: Executor,
  referral: { readonly referredId: string; readonly referrerId: string; readonly code: string; readonly at: Date },
): Promise<boolean> {
  const { referredId, referrerId, code, at } = referral
  const { rows } = await sql`insert into referrals (referred_id, referrer_id, code, created_at)
    values (${referredId}, ${referrerId}, ${code}, ${at}) on conflict do nothing returning code`.execute(tx)
  return rows.length > 0
}

/** Serialises claims, so that two at once cannot make a ring. */
export async function lockReferrals(tx: Executor): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('millrace referrals', 0))`.execute(tx)
}

/** The time at which an account was registered. */
export async function registeredAt(tx: Executor, accountId: string): Promise<Date | undefined> {
  const { rows } = await sql<{ created_at: Date }>`select created_at from accounts where id = ${accountId}`.execute(tx)
  return rows[0]?.created_at
}

/** A reward that becomes due when the first paid period of the referred account ends. */
export interface DueReward {
  readonly referredId: string
  readonly referrerId: string
  readonly invoiceId: string
}

/** Notes the first paid invoice of a referred account, and when its reward becomes due. Later invoices change nothing. */
export async function noteFirstPayment(tx: Executor, referredId: string, invoiceId: string, dueAt: Date): Promise<void> {
  await sql`update referrals set reward_invoice_id = ${invoiceId}, reward_due_at = ${dueAt}
    where referred_id = ${referredId} and rewarded_at is null and reward_due_at is null`.execute(tx)
}

/** Locks rewards that are due; another process that looks for them skips these. */
export async function lockDueRewards(tx: Executor, at: Date, rowsMax: number): Promise<readonly DueReward[]> {
  const { rows } = await sql<{ referred_id: string; referrer_id: string; reward_invoice_id: string }>`
    select referred_id, referrer_id, reward_invoice_id from referrals where rewarded_at is null and reward_due_at <= ${at}
    order by reward_due_at limit ${rowsMax} for update skip locked`.execute(tx)
  return rows.map((row) => ({ referredId: row.referred_id, referrerId: row.referrer_id, invoiceId: row.reward_invoice_id }))
}

/** Ends a due reward: it was credited, or its invoice was paid back and the next one counts as the first. */
export async function endReward(tx: Executor, referredId: string, rewardedAt: Date | undefined): Promise<void> {
  await sql`update referrals set rewarded_at = ${rewardedAt ?? null}, reward_due_at = null, reward_invoice_id = null
    where referred_id = ${referredId}`.execute(tx)
}

export async function referralOf(db: Executor, accountId: string): Promise<string | undefined> {
  const { rows } = await sql<{ code: string }>`select code from referrals where referred_id = ${accountId}`.execute(db)
  return rows[0]?.code
}

interface ReferredCounts {
  readonly signUps: number
  readonly rewarded: number
  /** Have paid, and their first paid period has not ended. */
  readonly pending: number
}

export async function countReferred(db: Executor, accountId: string): Promise<ReferredCounts> {
  const { rows } = await sql<ReferredCounts>`
    select count(*)::int4 as "signUps", count(rewarded_at)::int4 as rewarded, count(reward_due_at)::int4 as pending from referrals where referrer_id = ${accountId}`.execute(
    db,
  )
  return rows[0] ?? { signUps: 0, rewarded: 0, pending: 0 }
}
