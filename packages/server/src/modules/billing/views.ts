import { toTypeId } from '#platform/ids.ts'
import type { CreditBalance } from './invoicing/credit-store.ts'
import type { Invoice, Payment, Plan, Subscription } from './model.ts'

export function planView(plan: Plan) {
  const { tier, name, rank, limits, prices, trialDays, isPublic, revision } = plan
  return { tier, name, rank, limits: { ...limits }, prices: [...prices], trialDays, isPublic, revision }
}

/** A subscription with its plan, as far as the account has one. */
export interface SubscriptionState {
  readonly subscription: Subscription | undefined
  readonly plan: Plan
  readonly effectiveTier: string
  readonly period: { readonly start: Date; readonly end: Date }
  readonly credits: readonly CreditBalance[]
}

export function subscriptionView({ subscription, plan, effectiveTier, period, credits }: SubscriptionState) {
  const balances = credits.map(({ currency, amount }) => ({ currency, amount: Number(amount) }))
  if (subscription === undefined) {
    const absent = { id: null, interval: null, price: null, country: null, trialEnd: null, pendingChange: null, nextAttemptAt: null }
    const times = { currentPeriodStart: period.start.toISOString(), currentPeriodEnd: null }
    const rest = { state: 'active', collection: 'none', hasPaymentMethod: false, revision: 0, credits: balances } as const
    return { ...absent, ...times, ...rest, plan: planView(plan), effectiveTier }
  }
  const { pending, price, currency } = subscription
  return {
    id: toTypeId('sub', subscription.id),
    plan: planView(plan),
    state: subscription.state,
    effectiveTier,
    collection: subscription.collection,
    interval: subscription.term ?? null,
    price: price === undefined || currency === undefined ? null : { amount: Number(price), currency },
    country: subscription.country ?? null,
    currentPeriodStart: subscription.periodStart.toISOString(),
    currentPeriodEnd: subscription.periodEnd?.toISOString() ?? null,
    trialEnd: subscription.trialEnd?.toISOString() ?? null,
    pendingChange: pending === undefined ? null : { tier: pending.tier, interval: pending.term },
    hasPaymentMethod: subscription.customer !== undefined,
    nextAttemptAt: subscription.nextAttemptAt?.toISOString() ?? null,
    credits: balances,
    revision: subscription.revision,
  }
}

export function checkoutView(payment: Payment) {
  const { purchase } = payment
  return {
    id: toTypeId('chk', payment.id),
    provider: payment.provider,
    state: payment.state,
    url: payment.url ?? null,
    tier: purchase.tier,
    interval: purchase.term,
    amount: Number(payment.amount),
    tax: Number(purchase.totals.tax),
    currency: payment.currency,
    invoiceId: payment.invoiceId === undefined ? null : toTypeId('inv', payment.invoiceId),
    failure: payment.failure ?? null,
    createdAt: payment.createdAt.toISOString(),
    expiresAt: payment.expiresAt?.toISOString() ?? null,
  }
}

export function invoiceView(invoice: Invoice) {
  return {
    id: toTypeId('inv', invoice.id),
    number: String(invoice.number),
    issuer: invoice.issuer,
    kind: invoice.kind,
    state: invoice.state,
    currency: invoice.currency,
    lines: invoice.lines.map(({ description, net }) => ({ description, net: Number(net) })),
    net: Number(invoice.net),
    tax: Number(invoice.tax),
    taxPercent: (invoice.taxBasisPoints / 100).toFixed(2),
    total: Number(invoice.total),
    credit: Number(invoice.credit),
    due: Number(invoice.due),
    buyer: { name: invoice.buyer.name, country: invoice.buyer.country },
    periodStart: invoice.periodStart?.toISOString() ?? null,
    periodEnd: invoice.periodEnd?.toISOString() ?? null,
    corrects: invoice.corrects === undefined ? null : toTypeId('inv', invoice.corrects),
    reason: invoice.reason ?? null,
    issuedAt: invoice.issuedAt.toISOString(),
    paidAt: invoice.paidAt?.toISOString() ?? null,
  }
}
