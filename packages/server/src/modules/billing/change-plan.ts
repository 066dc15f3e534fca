import { Fault } from '@millrace/contract'
import { providerNameOf, providerOf } from '#modules/payments/index.ts'
import { type BillingDeps, dayMs, taxRateOf } from './billing-deps.ts'
import { assertChargeable, assertNoCharge, assertPaid, assertPaymentMethod, quote, writeCharge } from './charging/charge.ts'
import type { Collector } from './charging/collect.ts'
import { creditedNetOfPeriod } from './invoicing/invoice-store.ts'
import { creditProration, issueInvoice } from './invoicing/invoices.ts'
import type { Executor, InvoiceLine, Plan, Subscription } from './model.ts'
import { calendar, monthsAfter, type Term } from './money/period.ts'
import { prorate } from './money/proration.ts'
import { findPlan, priceOf, publicPlan } from './plans.ts'
import { isEntitled, stateAfter, type SubscriptionEvent } from './subscription-state.ts'
import { lockBilling, noFailure, saveSubscription } from './subscription-store.ts'

export interface SubscribeRequest {
  readonly tier: string
  readonly interval: Term
  readonly currency: string
  readonly country: string | undefined
  readonly trial: boolean
}

export interface ChangeRequest {
  readonly tier: string
  readonly interval: Term | undefined
  readonly when: 'now' | 'period_end'
  /** Refuses a change to a plan that is not higher. */
  readonly onlyUp: boolean
}

export type PlanChanges = ReturnType<typeof createPlanChanges>

/** Starting a plan and changing to another one. What has to be paid is charged before anything changes. */
export function createPlanChanges(deps: BillingDeps, collector: Pick<Collector, 'collect'>) {
  const { db } = deps

  /** Runs a decision under the lock of the account; if it wrote a charge, carries that out afterwards. */
  async function run(accountId: string, decide: (tx: Executor, subscription: Subscription | undefined) => Promise<string | undefined>) {
    const charge = await db.transaction().execute(async (tx) => {
      const subscription = await lockBilling(tx, accountId)
      await assertNoCharge(tx, accountId)
      return decide(tx, subscription)
    })
    deps.onPlanChanged(accountId)
    if (charge !== undefined) assertPaid(await collector.collect(charge))
  }

  return {
    subscribe: (accountId: string, request: SubscribeRequest) =>
      run(accountId, async (tx, subscription) => {
        if (subscription !== undefined && isEntitled(subscription.state) && subscription.collection !== 'none')
          throw refusal(
            `The account has the plan ${subscription.tier} (${subscription.state}). Use POST /api/v1/billing/change-tier or upgrade.`,
          )
        const plan = await publicPlan(tx, request.tier)
        if (subscription?.tier === plan.tier && isEntitled(subscription.state) && plan.prices.length === 0)
          throw refusal(`The account has the plan ${plan.tier} already.`)
        return plan.prices.length === 0
          ? startFree(deps, tx, { accountId, subscription, plan, country: request.country })
          : startPaid(deps, tx, { accountId, subscription, plan, request })
      }),

    change: (accountId: string, request: ChangeRequest) =>
      run(accountId, async (tx, subscription) => {
        if (subscription === undefined || !isEntitled(subscription.state))
          throw refusal('The account has no subscription that could change. Use POST /api/v1/billing/subscribe or a checkout.')
        if (subscription.collection === 'manual') throw refusal('This plan was activated by an operator, who also changes it.')
        const plan = await publicPlan(tx, request.tier)
        if (request.onlyUp) await assertHigher(tx, subscription, plan)
        if (subscription.collection === 'none')
          return startPaidOrFree(deps, tx, { accountId: subscription.accountId, subscription, plan, request })
        return changePaid(deps, tx, subscription, plan, request)
      }),
  }
}

function refusal(detail: string): Fault {
  return new Fault('subscription_state', { detail })
}

async function assertHigher(tx: Executor, subscription: Subscription, plan: Plan): Promise<void> {
  const current = await findPlan(tx, subscription.tier)
  if (current !== undefined && plan.rank <= current.rank)
    throw refusal(
      `${plan.tier} is not higher than ${subscription.tier}. Use POST /api/v1/billing/change-tier for a change in any direction.`,
    )
}

interface Start {
  readonly accountId: string
  readonly subscription: Subscription | undefined
  readonly plan: Plan
}

/** A subscription with an event of the state machine applied; Fault `subscription_state` where it is refused. */
export function transit(subscription: Subscription, event: SubscriptionEvent, changes: Partial<Subscription>): Subscription {
  const state = stateAfter(subscription.state, event)
  if (state === undefined) {
    const way = subscription.state === 'cancelling' ? ' It ends with its period, unless it is resumed.' : ''
    throw refusal(`The subscription is ${subscription.state}, which does not allow this.${way}`)
  }
  return { ...subscription, ...changes, state }
}

/** The subscription of an account, or the beginning of one. */
export function subscriptionOr(deps: Pick<BillingDeps, 'newId'>, { accountId, subscription, plan }: Start, now: Date): Subscription {
  if (subscription !== undefined) return subscription
  const absent = { term: undefined, currency: undefined, price: undefined, country: undefined, periodEnd: undefined, trialEnd: undefined }
  const unpaid = { pending: undefined, provider: undefined, customer: undefined, paymentMethod: undefined, ...noFailure }
  const times = { anchor: now, periodStart: now, createdAt: now, updatedAt: now }
  const rest = { state: 'expired', collection: 'none', hadTrial: false, revision: 1 } as const
  return { accountId, id: deps.newId(), tier: plan.tier, ...rest, ...absent, ...unpaid, ...times }
}

async function startFree(deps: BillingDeps, tx: Executor, start: Start & { readonly country: string | undefined }): Promise<undefined> {
  const now = deps.now()
  const before = subscriptionOr(deps, start, now)
  // Usage continues to count from where it did: starting a free plan must not free the quota that is used up.
  const anchor = start.subscription?.anchor ?? calendar
  const period = { anchor, periodStart: now, periodEnd: undefined, trialEnd: undefined, pending: undefined }
  const changes = { tier: start.plan.tier, collection: 'none', term: undefined, price: undefined, ...period } as const
  await saveSubscription(tx, transit(before, 'started', { ...changes, country: start.country ?? before.country }), now)
  return undefined
}

/** Starts a trial, or charges the payment method on file for the first period. */
async function startPaid(
  deps: BillingDeps,
  tx: Executor,
  start: Start & { readonly request: SubscribeRequest },
): Promise<string | undefined> {
  const { plan, request, accountId } = start
  // A trial that nothing can be paid after would only take away what the account has.
  if (deps.providers.size === 0) throw nothingToPayWith(plan)
  const now = deps.now()
  const price = priceOf(plan, request.currency, request.interval)
  const before = subscriptionOr(deps, start, now)
  const country = request.country ?? before.country
  if (request.trial && plan.trialDays > 0 && !before.hadTrial) {
    const end = new Date(now.getTime() + plan.trialDays * dayMs)
    const terms = { tier: plan.tier, collection: 'automatic', term: request.interval, currency: request.currency, price, country } as const
    const period = { anchor: now, periodStart: now, periodEnd: end, trialEnd: end, hadTrial: true, pending: undefined }
    await saveSubscription(tx, transit(before, 'trial_started', { ...terms, ...period }), now)
    return undefined
  }
  const { subscription } = start
  assertPaymentMethod(subscription)
  const end = monthsAfter(now, request.interval === 'year' ? 12 : 1)
  const lines = [{ description: `${plan.name}, 1 ${request.interval}`, net: price }]
  const target = { plan, term: request.interval, price, period: { start: now, end } }
  return buyNow(deps, tx, { ...subscription, accountId, country, currency: request.currency }, target, lines)
}

function nothingToPayWith({ tier }: Plan): Fault {
  return new Fault('provider_not_configured', {
    detail: `The plan ${tier} has a price, and this installation has no payment provider. An operator can activate the plan, or configures a provider (MILLRACE_PSPONE_SECRET_KEY, or MILLRACE_PSPTWO_URL and MILLRACE_PSPTWO_SECRET_KEY).`,
  })
}

async function startPaidOrFree(
  deps: BillingDeps,
  tx: Executor,
  start: Start & { readonly subscription: Subscription; readonly request: ChangeRequest },
): Promise<string | undefined> {
  const { subscription, plan, request } = start
  if (plan.tier === subscription.tier) throw refusal(`The account has the plan ${plan.tier} already.`)
  if (plan.prices.length === 0) return startFree(deps, tx, { ...start, country: undefined })
  const currency = subscription.currency ?? plan.prices[0]?.currency ?? 'EUR'
  const interval = request.interval ?? 'month'
  return startPaid(deps, tx, { ...start, request: { tier: plan.tier, interval, currency, country: undefined, trial: false } })
}

interface Target {
  readonly plan: Plan
  readonly term: Term
  readonly price: bigint
  readonly period: { readonly start: Date; readonly end: Date }
}

async function changePaid(
  deps: BillingDeps,
  tx: Executor,
  subscription: Subscription,
  plan: Plan,
  request: ChangeRequest,
): Promise<string | undefined> {
  const { term: oldTerm = 'month', currency = 'EUR', periodEnd } = subscription
  const term = request.interval ?? oldTerm
  const isFree = plan.prices.length === 0
  const price = isFree ? 0n : priceOf(plan, currency, term)
  const now = deps.now()
  const isSame = plan.tier === subscription.tier && term === oldTerm
  if (request.when === 'period_end') {
    if (isSame && subscription.pending === undefined) throw refusal(`The account has the plan ${plan.tier} already.`)
    const pending = isSame ? undefined : { tier: plan.tier, term, price: Number(price) }
    await saveSubscription(tx, transit(subscription, 'changed', { pending }), now)
    return undefined
  }
  if (isSame) throw refusal(`The account has the plan ${plan.tier} already.`)
  const changed = transit(subscription, 'changed', { tier: plan.tier, term, price, pending: undefined })
  if (subscription.state === 'trialing') {
    if (isFree) return startFree(deps, tx, { accountId: subscription.accountId, subscription, plan, country: undefined })
    await saveSubscription(tx, changed, now)
    return undefined
  }
  if (periodEnd !== undefined && periodEnd <= now) throw refusal('The period has just ended. Repeat the request in a minute.')
  const old = { price: subscription.price ?? 0n, start: subscription.periodStart, end: periodEnd ?? now }
  const { unused: share, charge, period } = prorate(old, { price, term, sameTerm: isFree || term === oldTerm }, now)
  // What was paid back, or credited by an operator, of this period is not credited a second time.
  const credited = await creditedNetOfPeriod(tx, subscription.accountId, subscription.periodStart)
  const unused = share > credited ? share - credited : 0n
  const lines = await linesOf(tx, subscription, plan, { unused, charge })
  if (charge > unused) return buyNow(deps, tx, subscription, { plan, term, price, period }, lines)
  const ends = isFree ? ({ collection: 'none', price: undefined, term: undefined, periodEnd: undefined } as const) : {}
  const moved = term === oldTerm || isFree ? {} : { anchor: period.start, periodStart: period.start, periodEnd: period.end }
  await saveSubscription(tx, { ...changed, ...moved, ...ends }, now)
  const taxBasisPoints = taxRateOf(deps.settings, subscription.country)
  if (unused > charge)
    await creditProration(deps, tx, subscription.accountId, { currency, lines, taxBasisPoints, country: subscription.country })
  return undefined
}

async function linesOf(
  tx: Executor,
  subscription: Subscription,
  plan: Plan,
  { unused, charge }: { readonly unused: bigint; readonly charge: bigint },
): Promise<readonly InvoiceLine[]> {
  const oldName = (await findPlan(tx, subscription.tier))?.name ?? subscription.tier
  const lines = [
    { description: `${oldName}, unused time`, net: -unused },
    { description: `${plan.name}, remaining time`, net: charge },
  ]
  return lines.filter(({ net }) => net !== 0n)
}

/** Charges what is due; without anything due the change takes effect at once. Returns the id of the charge. */
async function buyNow(
  deps: BillingDeps,
  tx: Executor,
  subscription: Subscription,
  target: Target,
  lines: readonly InvoiceLine[],
): Promise<string | undefined> {
  const { accountId, country, currency = 'EUR', provider } = subscription
  const { plan, term, price, period } = target
  const totals = await quote(deps, tx, { accountId, country, currency, provider }, lines)
  if (totals.due === 0n) {
    const now = deps.now()
    const isNew = period.start.getTime() !== subscription.periodStart.getTime()
    const anchor = isNew ? period.start : subscription.anchor
    const terms = { tier: plan.tier, collection: 'automatic', term, price, currency, country, pending: undefined } as const
    await saveSubscription(tx, transit(subscription, 'paid', { ...terms, anchor, periodStart: period.start, periodEnd: period.end }), now)
    await issueInvoice(deps, tx, accountId, totals, { state: 'paid', country, period })
    return undefined
  }
  assertPaymentMethod(subscription)
  assertChargeable(providerOf(deps.providers, providerNameOf(provider)), totals)
  const purchase = {
    tier: plan.tier,
    term,
    price,
    country,
    totals,
    period,
    revision: subscription.revision,
    successUrl: undefined,
    cancelUrl: undefined,
  }
  return writeCharge(deps, tx, subscription, { kind: 'change', purchase, invoiceId: undefined })
}
