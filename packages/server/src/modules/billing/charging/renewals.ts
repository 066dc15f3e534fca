import { type BillingDeps, dayMs } from '#modules/billing/billing-deps.ts'
import { findOpenInvoice } from '#modules/billing/invoicing/invoice-store.ts'
import { issueInvoice, writeOffInvoice } from '#modules/billing/invoicing/invoices.ts'
import type { Executor, Subscription } from '#modules/billing/model.ts'
import { periodEnd } from '#modules/billing/money/period.ts'
import { findPlan } from '#modules/billing/plans.ts'
import { stateAfter, type SubscriptionEvent } from '#modules/billing/subscription-state.ts'
import { listEndedPeriods, listRetries, lockBilling, saveSubscription } from '#modules/billing/subscription-store.ts'
import { quote, writeCharge } from './charge.ts'
import { settleJob } from './collect.ts'
import { findOpenPayment } from './payment-store.ts'

const accountsMax = 100

/** Ends periods and repeats failed charges. Each account is a transaction of its own, which checks again under the lock. */
export function createRenewals(deps: BillingDeps) {
  async function each(accounts: readonly string[], work: (tx: Executor, subscription: Subscription) => Promise<void>): Promise<void> {
    const errors: unknown[] = []
    for (const accountId of accounts) {
      await deps.db
        .transaction()
        .execute(async (tx) => {
          const subscription = await lockBilling(tx, accountId)
          if (subscription !== undefined && (await findOpenPayment(tx, accountId, 'charge')) === undefined) await work(tx, subscription)
        })
        .catch((error: unknown) => errors.push(error))
      deps.onPlanChanged(accountId)
    }
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} subscriptions could not be renewed`)
  }

  return {
    async run(): Promise<void> {
      await each(await listEndedPeriods(deps.db, deps.now(), accountsMax), (tx, subscription) => endPeriod(deps, tx, subscription))
      await each(await listRetries(deps.db, deps.now(), accountsMax), (tx, subscription) => retryCharge(deps, tx, subscription))
    },
  }
}

async function endPeriod(deps: BillingDeps, tx: Executor, subscription: Subscription): Promise<void> {
  const now = deps.now()
  const { state, periodEnd: end } = subscription
  if (end === undefined || end > now || (state !== 'trialing' && state !== 'active' && state !== 'cancelling')) return
  const plan = subscription.pending === undefined ? undefined : await findPlan(tx, subscription.pending.tier)
  if (state !== 'cancelling' && plan !== undefined && plan.prices.length === 0) {
    const terms = { tier: plan.tier, collection: 'none', term: undefined, price: undefined, pending: undefined } as const
    await save(deps, tx, subscription, 'started', { ...terms, anchor: end, periodStart: end, periodEnd: undefined })
    return
  }
  const canCharge = subscription.collection === 'automatic' && subscription.customer !== undefined && subscription.provider !== undefined
  if (state === 'cancelling' || !canCharge) await save(deps, tx, subscription, 'period_ended', { pending: undefined })
  else await renew(deps, tx, subscription, end)
}

/** Issues the invoice of the next period and charges it. */
async function renew(deps: BillingDeps, tx: Executor, subscription: Subscription, start: Date): Promise<void> {
  const { accountId, currency = 'EUR', country, provider, pending } = subscription
  const term = pending?.term ?? subscription.term ?? 'month'
  const price = pending === undefined ? (subscription.price ?? 0n) : BigInt(pending.price)
  const tier = pending?.tier ?? subscription.tier
  const isNewAnchor = subscription.state === 'trialing' || term !== subscription.term
  const anchor = isNewAnchor ? start : subscription.anchor
  const period = { start, end: periodEnd(anchor, start, term) }
  const name = (await findPlan(tx, tier))?.name ?? tier
  const totals = await quote(deps, tx, { accountId, country, currency, provider }, [{ description: `${name}, 1 ${term}`, net: price }])
  const isPaid = totals.due === 0n
  const invoice = await issueInvoice(deps, tx, accountId, totals, { state: isPaid ? 'paid' : 'open', country, period })
  await save(deps, tx, subscription, 'started', {
    tier,
    term,
    price,
    anchor,
    periodStart: start,
    periodEnd: period.end,
    pending: undefined,
  })
  if (isPaid) return
  const purchase = { tier, term, price, country, totals, period, successUrl: undefined, cancelUrl: undefined }
  const paymentId = await writeCharge(deps, tx, subscription, { kind: 'renewal', purchase, invoiceId: invoice.id })
  await deps.jobs.send(tx, settleJob, { paymentId })
}

/** Repeats the charge of an open invoice, or ends the subscription after the grace time. */
async function retryCharge(deps: BillingDeps, tx: Executor, subscription: Subscription): Promise<void> {
  const now = deps.now()
  const { accountId, failedAt, nextAttemptAt, tier, term = 'month', price = 0n, country } = subscription
  if (subscription.state !== 'past_due' || nextAttemptAt === undefined || nextAttemptAt > now || failedAt === undefined) return
  const invoice = await findOpenInvoice(tx, accountId)
  const isOver = now.getTime() >= failedAt.getTime() + deps.settings.graceDays * dayMs
  if (isOver || invoice === undefined) {
    if (invoice !== undefined) await writeOffInvoice(deps, tx, invoice)
    await save(deps, tx, subscription, 'grace_ended', {})
    return
  }
  const purchase = { tier, term, price, country, totals: invoice, period: undefined, successUrl: undefined, cancelUrl: undefined }
  const paymentId = await writeCharge(deps, tx, subscription, { kind: 'renewal', purchase, invoiceId: invoice.id })
  await deps.jobs.send(tx, settleJob, { paymentId })
}

async function save(
  deps: BillingDeps,
  tx: Executor,
  subscription: Subscription,
  event: SubscriptionEvent,
  changes: Partial<Subscription>,
): Promise<void> {
  const state = stateAfter(subscription.state, event)
  if (state === undefined) throw new Error(`a subscription that is ${subscription.state} refuses ${event}`)
  await saveSubscription(tx, { ...subscription, ...changes, state }, deps.now())
}
