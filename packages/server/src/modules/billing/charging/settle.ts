import type { ProviderPayment } from '#modules/payments/index.ts'
import { type BillingDeps, dayMs } from '#modules/billing/billing-deps.ts'
import { endInvoice, findInvoice } from '#modules/billing/invoicing/invoice-store.ts'
import { issueInvoice, noteRefund } from '#modules/billing/invoicing/invoices.ts'
import type { Executor, Payment, Subscription } from '#modules/billing/model.ts'
import { monthsAfter } from '#modules/billing/money/period.ts'
import { findAccountName, lockBilling, noFailure, saveSubscription } from '#modules/billing/subscription-store.ts'
import { isEntitled, stateAfter } from '#modules/billing/subscription-state.ts'
import { findPayment, type PaymentChange, updatePayment } from './payment-store.ts'

/** When a charge is repeated, in days after its first failure. */
const retryDays = [1, 3, 5, 7]
/** An open payment is asked for again after this time; its notification is usually faster. */
const checkMs = 5 * 60_000

/** What is known of a payment at its provider. One that was never made there has no reference. */
export type Outcome = Omit<ProviderPayment, 'reference'> & { readonly reference: string | undefined }

interface Settling {
  readonly deps: BillingDeps
  readonly tx: Executor
  readonly subscription: Subscription | undefined
  readonly payment: Payment
  readonly found: Outcome
  /** When the provider is asked again for a payment that it still has as it was; undefined for never. */
  readonly checkAt: Date | undefined
}

/**
 * Takes over the present state of a payment at its provider. It only moves forward: a late or repeated state changes nothing, so the order in
 * which states are read does not matter. Subscription, invoice and payment change in one transaction.
 */
export async function settle(
  deps: BillingDeps,
  { accountId, id }: Pick<Payment, 'accountId' | 'id'>,
  found: Outcome,
  checkAt: Date | undefined,
): Promise<Payment> {
  const settled = await deps.db.transaction().execute(async (tx) => {
    const subscription = await lockBilling(tx, accountId)
    const payment = await findPayment(tx, accountId, id)
    if (payment === undefined) throw new Error(`the payment ${id} has disappeared`)
    assertSame(payment, found)
    const change = await decide({ deps, tx, subscription, payment, found, checkAt })
    if (change !== undefined) await updatePayment(tx, accountId, id, change, deps.now())
    return change === undefined ? payment : { ...payment, ...change, reference: change.reference ?? payment.reference }
  })
  deps.onPlanChanged(accountId)
  return settled
}

function assertSame(payment: Payment, found: Outcome): void {
  if (found.paymentId === payment.id && found.amount === payment.amount && found.currency === payment.currency) return
  throw new Error(
    `${payment.provider} has ${found.amount} ${found.currency} for ${found.reference}, but the payment ${payment.id} is ${payment.amount} ${payment.currency}`,
  )
}

/** Decides by both states; undefined when nothing changes. */
async function decide(settling: Settling): Promise<PaymentChange | undefined> {
  const { deps, payment, found } = settling
  const now = deps.now()
  const change: PaymentChange = {
    state: payment.state,
    invoiceId: payment.invoiceId,
    reference: found.reference,
    url: undefined,
    failure: payment.failure,
    refunded: found.refunded,
    checkAt: undefined,
  }
  switch (payment.state) {
    case 'refunded':
      return undefined
    case 'refunding':
      return found.refunded >= payment.amount ? { ...change, state: 'refunded' } : undefined
    case 'succeeded':
      return found.refunded > payment.refunded
        ? recordRefund(settling, change)
        : { ...change, checkAt: settling.checkAt, refunded: payment.refunded }
    case 'open':
    case 'failed':
    case 'expired':
      break
  }
  if (found.status === 'succeeded') return succeed(settling, change)
  if (payment.state !== 'open') return { ...change, refunded: payment.refunded }
  if (found.status === 'open') return { ...change, url: found.url, checkAt: new Date(now.getTime() + checkMs) }
  if (payment.kind === 'renewal') await recordFailure(settling)
  return { ...change, state: found.status, failure: found.failure }
}

/** Applies what was paid. What cannot be applied any more is paid back. */
async function succeed(settling: Settling, change: PaymentChange): Promise<PaymentChange> {
  const { deps, payment, found } = settling
  const invoiceId = await (payment.kind === 'renewal' || payment.invoiceId !== undefined ? payOpenInvoice(settling) : buy(settling))
  const now = deps.now().getTime()
  if (invoiceId === undefined)
    return { ...change, state: 'refunding', failure: 'It came too late and is paid back.', checkAt: new Date(now) }
  // Asked once more later, in case the notification of a refund is lost; at once where money was paid back already.
  const checkAt = new Date(found.refunded > 0n ? now : now + dayMs)
  return { ...change, state: 'succeeded', invoiceId, failure: undefined, refunded: 0n, checkAt }
}

/** Marks the invoice of a payment as paid; undefined when it is not open any more. */
async function payOpenInvoice({ deps, tx, subscription, payment, found }: Settling): Promise<string | undefined> {
  const { accountId, invoiceId } = payment
  const now = deps.now()
  if (invoiceId === undefined || !(await endInvoice(tx, accountId, invoiceId, { state: 'paid', at: now }))) return undefined
  const invoice = await findInvoice(tx, accountId, invoiceId)
  const state = subscription === undefined ? undefined : stateAfter(subscription.state, 'paid')
  if (subscription !== undefined && state !== undefined)
    await saveSubscription(
      tx,
      {
        ...subscription,
        // A cancellation at the end of the period stays.
        state: subscription.state === 'cancelling' ? 'cancelling' : state,
        provider: payment.provider,
        customer: found.customer ?? subscription.customer,
        paymentMethod: found.paymentMethod ?? subscription.paymentMethod,
      },
      now,
    )
  if (invoice !== undefined) await deps.onPaid(tx, accountId, invoice)
  return invoiceId
}

/** Begins the period that a checkout or a change has paid for; undefined when the subscription does not admit it any more. */
async function buy({ deps, tx, subscription, payment, found }: Settling): Promise<string | undefined> {
  const { accountId, purchase, kind } = payment
  const now = deps.now()
  if ((await findAccountName(tx, accountId)) === undefined) return undefined
  const paysAlready = subscription?.collection === 'automatic' && isEntitled(subscription.state) && subscription.state !== 'trialing'
  // A change is only applied to the subscription for which it was calculated: a checkout may have been paid meanwhile.
  const hasChanged = purchase.revision !== undefined && purchase.revision !== subscription?.revision
  if (kind === 'checkout' ? paysAlready : payment.state !== 'open' || hasChanged) return undefined
  const period = purchase.period ?? { start: now, end: monthsAfter(now, purchase.term === 'year' ? 12 : 1) }
  const state = subscription === undefined ? 'active' : stateAfter(subscription.state, 'paid')
  if (state === undefined) return undefined
  const keepsPeriod = subscription !== undefined && subscription.periodStart.getTime() === period.start.getTime()
  await saveSubscription(
    tx,
    {
      accountId,
      id: subscription?.id ?? deps.newId(),
      tier: purchase.tier,
      state,
      collection: 'automatic',
      term: purchase.term,
      currency: purchase.totals.currency,
      price: purchase.price,
      country: purchase.country,
      anchor: keepsPeriod ? subscription.anchor : period.start,
      periodStart: period.start,
      periodEnd: period.end,
      trialEnd: subscription?.trialEnd,
      hadTrial: subscription?.hadTrial ?? false,
      pending: undefined,
      provider: payment.provider,
      customer: found.customer ?? subscription?.customer,
      paymentMethod: found.paymentMethod ?? subscription?.paymentMethod,
      ...noFailure,
      revision: 1,
      createdAt: subscription?.createdAt ?? now,
      updatedAt: now,
    },
    now,
  )
  const invoice = await issueInvoice(deps, tx, accountId, purchase.totals, { state: 'paid', country: purchase.country, period })
  await deps.onPaid(tx, accountId, invoice)
  return invoice.id
}

/** A renewal failed: the account keeps its plan while the charge is repeated, until its grace time is over. */
async function recordFailure({ deps, tx, subscription }: Settling): Promise<void> {
  const state = subscription === undefined ? undefined : stateAfter(subscription.state, 'payment_failed')
  if (subscription === undefined || state === undefined) return
  const now = deps.now()
  const failedAt = subscription.failedAt ?? now
  const attempts = subscription.attempts + 1
  const days = Math.min(retryDays[attempts - 1] ?? deps.settings.graceDays, deps.settings.graceDays)
  const nextAttemptAt = new Date(failedAt.getTime() + days * dayMs)
  await saveSubscription(tx, { ...subscription, state, failedAt, attempts, nextAttemptAt }, now)
}

/** The provider has paid money back: the invoice is corrected by a credit note. */
async function recordRefund({ deps, tx, payment, found }: Settling, change: PaymentChange): Promise<PaymentChange> {
  const { accountId, invoiceId, amount, refunded } = payment
  const invoice = invoiceId === undefined ? undefined : await findInvoice(tx, accountId, invoiceId)
  if (invoice !== undefined) await noteRefund(deps, tx, invoice, found.refunded - refunded)
  return { ...change, state: found.refunded >= amount ? 'refunded' : 'succeeded' }
}
