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

/** Marks the referral of an account as rewarded, and returns the referrer; undefined when there is nothing to reward. */
export async function takeReward(tx: Executor, referredId: string, at: Date): Promise<string | undefined> {
  const { rows } = await sql<{ referrer_id: string }>`
    update referrals set rewarded_at = ${at} where referred_id = ${referredId} and rewarded_at is null returning referrer_id`.execute(tx)
  return rows[0]?.referrer_id
}

export async function referralOf(db: Executor, accountId: string): Promise<string | undefined> {
  const { rows } = await sql<{ code: string }>`select code from referrals where referred_id = ${accountId}`.execute(db)
  return rows[0]?.code
}

export async function countReferred(db: Executor, accountId: string): Promise<{ readonly signUps: number; readonly rewarded: number }> {
  const { rows } = await sql<{ signUps: number; rewarded: number }>`
    select count(*)::int4 as "signUps", count(rewarded_at)::int4 as rewarded from referrals where referrer_id = ${accountId}`.execute(db)
  return rows[0] ?? { signUps: 0, rewarded: 0 }
}
