import { sql } from 'kysely'
import type { Executor, PendingChange, Subscription } from './model.ts'
import type { Term } from './money/period.ts'
import type { SubscriptionState } from './subscription-state.ts'

interface SubscriptionRow {
  readonly account_id: string
  readonly id: string
  readonly tier: string
  readonly state: SubscriptionState
  readonly collection: Subscription['collection']
  readonly term: Term | null
  readonly currency: string | null
  readonly price: number | null
  readonly country: string | null
  readonly anchor: Date
  readonly period_start: Date
  readonly period_end: Date | null
  readonly trial_end: Date | null
  readonly had_trial: boolean
  readonly pending: PendingChange | null
  readonly provider: string | null
  readonly customer: string | null
  readonly payment_method: string | null
  readonly failed_at: Date | null
  readonly next_attempt_at: Date | null
  readonly attempts: number
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

/** Serialises everything that changes the billing of one account, until the transaction ends; an account may have no row to lock yet. */
export async function lockBilling(tx: Executor, accountId: string): Promise<Subscription | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`millrace billing ${accountId}`}, 0))`.execute(tx)
  return findSubscription(tx, accountId)
}

export async function findSubscription(tx: Executor, accountId: string): Promise<Subscription | undefined> {
  const { rows } = await sql<SubscriptionRow>`select * from billing_subscriptions where account_id = ${accountId}`.execute(tx)
  return rows[0] === undefined ? undefined : subscriptionOf(rows[0])
}

/** The failed charges of a subscription that is not `past_due`. */
export const noFailure = { failedAt: undefined, nextAttemptAt: undefined, attempts: 0 } as const

/**
 * Writes the whole subscription; the caller has locked the billing of the account. Failed charges belong to the state `past_due` and end with
 * it, so that they take nothing from the grace time of a later failure.
 */
export async function saveSubscription(tx: Executor, s: Subscription, now: Date): Promise<Subscription> {
  const { failedAt, nextAttemptAt, attempts } = s.state === 'past_due' ? s : noFailure
  const pending = s.pending === undefined ? null : JSON.stringify(s.pending)
  const { rows } = await sql<SubscriptionRow>`
    insert into billing_subscriptions (account_id, id, tier, state, collection, term, currency, price, country, anchor, period_start, period_end,
      trial_end, had_trial, pending, provider, customer, payment_method, failed_at, next_attempt_at, attempts, created_at, updated_at)
    values (${s.accountId}, ${s.id}, ${s.tier}, ${s.state}, ${s.collection}, ${s.term ?? null}, ${s.currency ?? null}, ${s.price ?? null},
      ${s.country ?? null}, ${s.anchor}, ${s.periodStart}, ${s.periodEnd ?? null}, ${s.trialEnd ?? null}, ${s.hadTrial}, ${pending},
      ${s.provider ?? null}, ${s.customer ?? null}, ${s.paymentMethod ?? null}, ${failedAt ?? null}, ${nextAttemptAt ?? null},
      ${attempts}, ${s.createdAt}, ${now})
    on conflict (account_id) do update set tier = excluded.tier, state = excluded.state, collection = excluded.collection,
      term = excluded.term, currency = excluded.currency, price = excluded.price, country = excluded.country, anchor = excluded.anchor,
      period_start = excluded.period_start, period_end = excluded.period_end, trial_end = excluded.trial_end,
      had_trial = excluded.had_trial, pending = excluded.pending, provider = excluded.provider, customer = excluded.customer,
      payment_method = excluded.payment_method, failed_at = excluded.failed_at, next_attempt_at = excluded.next_attempt_at,
      attempts = excluded.attempts, updated_at = excluded.updated_at, revision = billing_subscriptions.revision + 1
    returning *`.execute(tx)
  if (rows[0] === undefined) throw new Error('an upsert returned no row')
  return subscriptionOf(rows[0])
}

/** Nothing happens to a subscription while its charge waits for its provider: it must not take the place of one that can be processed. */
const hasNoCharge = sql`
  not exists (select from billing_payments p where p.account_id = s.account_id and p.state = 'open' and p.kind <> 'checkout')`

/** Accounts whose period has ended, without those with an open charge. */
export async function listEndedPeriods(db: Executor, now: Date, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select s.account_id from billing_subscriptions s
    where s.period_end <= ${now} and s.state in ('trialing', 'active', 'cancelling') and ${hasNoCharge}
    order by s.period_end limit ${limit}`.execute(db)
  return rows.map((row) => row.account_id)
}

/** Accounts whose failed charge is to be repeated, or whose grace time is over, without those with an open charge. */
export async function listRetries(db: Executor, now: Date, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select s.account_id from billing_subscriptions s
    where s.state = 'past_due' and s.next_attempt_at <= ${now} and ${hasNoCharge} order by s.next_attempt_at limit ${limit}`.execute(db)
  return rows.map((row) => row.account_id)
}

/** Undefined for an account that does not exist. */
export async function findAccountName(tx: Executor, accountId: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select name from accounts where id = ${accountId}`.execute(tx)
  return rows[0]?.name
}

function subscriptionOf(row: SubscriptionRow): Subscription {
  return {
    accountId: row.account_id,
    id: row.id,
    tier: row.tier,
    state: row.state,
    collection: row.collection,
    term: row.term ?? undefined,
    currency: row.currency ?? undefined,
    price: row.price === null ? undefined : BigInt(row.price),
    country: row.country ?? undefined,
    anchor: row.anchor,
    periodStart: row.period_start,
    periodEnd: row.period_end ?? undefined,
    trialEnd: row.trial_end ?? undefined,
    hadTrial: row.had_trial,
    pending: row.pending ?? undefined,
    provider: row.provider ?? undefined,
    customer: row.customer ?? undefined,
    paymentMethod: row.payment_method ?? undefined,
    failedAt: row.failed_at ?? undefined,
    nextAttemptAt: row.next_attempt_at ?? undefined,
    attempts: row.attempts,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
