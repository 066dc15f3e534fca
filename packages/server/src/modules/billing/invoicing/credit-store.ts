import { sql } from 'kysely'
import type { Executor } from '#modules/billing/model.ts'

export interface CreditEntry {
  readonly id: string
  readonly currency: string
  readonly amount: bigint
  readonly reason: 'proration' | 'referral' | 'spent' | 'returned'
  /** What caused it: one entry for each reason and cause. */
  readonly cause: string
  readonly at: Date
}

/** Adds an entry to the ledger; false when its cause has an entry already. */
export async function insertCredit(tx: Executor, accountId: string, entry: CreditEntry): Promise<boolean> {
  const { id, currency, amount, reason, cause, at } = entry
  const { rows } = await sql`
    insert into billing_credits (id, account_id, currency, amount, reason, cause, created_at)
    values (${id}, ${accountId}, ${currency}, ${amount}, ${reason}, ${cause}, ${at}) on conflict do nothing returning id`.execute(tx)
  return rows.length > 0
}

/** Gives back the credit that an invoice used. */
export async function returnCredit(
  tx: Executor,
  accountId: string,
  { id, invoiceId, at }: { readonly id: string; readonly invoiceId: string; readonly at: Date },
): Promise<void> {
  await sql`
    insert into billing_credits (id, account_id, currency, amount, reason, cause, created_at)
    select ${id}, account_id, currency, -amount, 'returned', cause, ${at} from billing_credits
    where account_id = ${accountId} and reason = 'spent' and cause = ${invoiceId} on conflict do nothing`.execute(tx)
}

/** The credit of an account in one currency; never negative. */
export async function creditBalance(tx: Executor, accountId: string, currency: string): Promise<bigint> {
  const found = (await creditBalances(tx, accountId)).find((balance) => balance.currency === currency)
  return found === undefined ? 0n : found.amount
}

export interface CreditBalance {
  readonly currency: string
  readonly amount: bigint
}

/** The credits of an account that are not spent. */
export function creditBalances(tx: Executor, accountId: string): Promise<readonly CreditBalance[]> {
  return sumCredits(tx, accountId, false)
}

/** What an account has earned by referrals, spent or not. */
export function referralCredits(tx: Executor, accountId: string): Promise<readonly CreditBalance[]> {
  return sumCredits(tx, accountId, true)
}

async function sumCredits(tx: Executor, accountId: string, onlyReferrals: boolean): Promise<readonly CreditBalance[]> {
  const { rows } = await sql<{ currency: string; amount: number }>`
    select currency, sum(amount)::bigint as amount from billing_credits
    where account_id = ${accountId} and (not ${onlyReferrals}::boolean or reason = 'referral')
    group by currency having sum(amount) > 0 order by currency`.execute(tx)
  return rows.map(({ currency, amount }) => ({ currency, amount: BigInt(amount) }))
}
