import { Fault } from '@millrace/contract'
import { type PaymentProvider, type ProviderName, providerOf } from '#modules/payments/index.ts'
import { type BillingDeps, dayMs, taxRateOf } from './billing-deps.ts'
import { assertChargeable, assertNoCharge } from './charging/charge.ts'
import type { Collector } from './charging/collect.ts'
import { findOpenPayment, findPayment, insertPayment } from './charging/payment-store.ts'
import { purchaseToJson } from './charging/purchase-json.ts'
import { findOpenInvoice } from './invoicing/invoice-store.ts'
import { totalsOf } from './invoicing/invoices.ts'
import type { Executor, Payment, Purchase, Subscription } from './model.ts'
import type { Term } from './money/period.ts'
import { priceOf, publicPlan } from './plans.ts'
import { isEntitled } from './subscription-state.ts'
import { lockBilling } from './subscription-store.ts'

export interface CheckoutRequest {
  readonly tier: string
  readonly interval: Term
  readonly currency: string
  readonly country: string | undefined
  readonly successUrl: string | undefined
  readonly cancelUrl: string | undefined
}

interface Wanted {
  readonly purchase: Purchase
  readonly invoiceId: string | undefined
}

export type Checkouts = ReturnType<typeof createCheckouts>

/** Checkouts: intents to pay at the page of a provider. */
export function createCheckouts(deps: BillingDeps, collector: Pick<Collector, 'collect' | 'expire'>) {
  const { db } = deps

  /** The open checkout of the account if it is for the same purchase; one for another purchase is returned as `other`. */
  async function compare(tx: Executor, accountId: string, provider: ProviderName, wanted: Wanted) {
    const open = await findOpenPayment(tx, accountId, 'checkout')
    const isSame =
      open !== undefined && open.provider === provider && open.invoiceId === wanted.invoiceId && sameJson(open.purchase, wanted.purchase)
    const hasTime = (open?.expiresAt?.getTime() ?? 0) > deps.now().getTime()
    return isSame && hasTime ? { same: open, other: undefined } : { same: undefined, other: open }
  }

  /** Writes a checkout unless one for the same purchase is open; `other` has to end first. */
  function write(accountId: string, provider: PaymentProvider, request: CheckoutRequest): Promise<{ id: string } | { other: Payment }> {
    return db.transaction().execute(async (tx) => {
      const subscription = await lockBilling(tx, accountId)
      await assertNoCharge(tx, accountId)
      const wanted = await purchaseOf(deps, tx, { accountId, subscription, provider }, request)
      assertChargeable(provider, wanted.purchase.totals)
      const { same, other } = await compare(tx, accountId, provider.name, wanted)
      if (same !== undefined) return { id: same.id }
      if (other !== undefined) return { other }
      const at = deps.now()
      const id = deps.newId()
      const { totals } = wanted.purchase
      await insertPayment(tx, accountId, {
        ...wanted,
        id,
        kind: 'checkout',
        provider: provider.name,
        amount: totals.due,
        currency: totals.currency,
        expiresAt: new Date(at.getTime() + dayMs - 60_000),
        at,
        checkAt: new Date(at.getTime() + 60_000),
      })
      return { id }
    })
  }

  return {
    async create(accountId: string, name: ProviderName, request: CheckoutRequest): Promise<Payment> {
      const provider = providerOf(deps.providers, name)
      const first = await write(accountId, provider, request)
      if ('id' in first) return collector.collect(first.id)
      await collector.expire(first.other)
      // It was paid instead of ended, or another request was faster: then the second attempt says so.
      const second = await write(accountId, provider, request)
      if ('id' in second) return collector.collect(second.id)
      throw new Fault('payment_in_progress', { detail: 'Another checkout of this account is open. Pay it, or wait until it has expired.' })
    },

    /** Asks the provider while the checkout is open; the stored state if the provider does not answer. */
    async get(accountId: string, id: string): Promise<Payment> {
      const payment = await findPayment(db, accountId, id)
      if (payment?.kind !== 'checkout') throw new Fault('not_found', { detail: 'There is no such checkout.' })
      if (payment.state !== 'open') return payment
      return collector.collect(id).catch((error: unknown) => {
        if (error instanceof Fault) return payment
        throw error
      })
    },
  }
}

/** What a checkout pays for: the open invoice of a subscription that is past due, or the first period of a plan. */
async function purchaseOf(
  deps: BillingDeps,
  tx: Executor,
  buyer: { readonly accountId: string; readonly subscription: Subscription | undefined; readonly provider: PaymentProvider },
  { tier, interval, currency, country: wanted, successUrl, cancelUrl }: CheckoutRequest,
): Promise<Wanted> {
  const { accountId, subscription, provider } = buyer
  const country = wanted ?? subscription?.country
  const urls = { successUrl, cancelUrl }
  if (subscription?.state === 'past_due') {
    const invoice = await findOpenInvoice(tx, accountId)
    if (invoice !== undefined) {
      if (tier !== subscription.tier)
        throw new Fault('subscription_state', {
          detail: `Invoice ${invoice.number} is open. Pay it first: start the checkout for ${subscription.tier}.`,
        })
      const { term = interval, price = 0n } = subscription
      // The credits were spent when the invoice was issued.
      return { purchase: { tier, term, price, country, totals: invoice, period: undefined, ...urls }, invoiceId: invoice.id }
    }
  }
  if (subscription?.collection === 'automatic' && isEntitled(subscription.state) && subscription.state !== 'trialing')
    throw new Fault('subscription_state', {
      detail: `The account has the plan ${subscription.tier}, and its payment method is charged. Use POST /api/v1/billing/upgrade or change-tier.`,
    })
  const plan = await publicPlan(tx, tier)
  const price = priceOf(plan, currency, interval)
  const lines = [{ description: `${plan.name}, 1 ${interval}`, net: price }]
  // Credits are kept for later invoices: a checkout may stay open for a day.
  const rule = provider.amountRule(currency)
  const totals = totalsOf(currency, lines, { taxBasisPoints: taxRateOf(deps.settings, country), balance: 0n, rule })
  return { purchase: { tier, term: interval, price, country, totals, period: undefined, ...urls }, invoiceId: undefined }
}

function sameJson(one: Purchase, other: Purchase): boolean {
  return JSON.stringify(purchaseToJson(one)) === JSON.stringify(purchaseToJson(other))
}
