import { Fault } from '@millrace/contract'
import { type BillingDeps, taxRateOf } from '#modules/billing/billing-deps.ts'
import { creditBalance } from '#modules/billing/invoicing/credit-store.ts'
import { totalsOf } from '#modules/billing/invoicing/invoices.ts'
import type { Executor, InvoiceLine, Payment, Purchase, Subscription, Totals } from '#modules/billing/model.ts'
import { moneyText } from '#modules/billing/money/money.ts'
import { type AmountRule, type PaymentProvider, providerNameOf } from '#modules/payments/index.ts'
import { findOpenPayment, insertPayment } from './payment-store.ts'

/** After this time the reconciliation takes over a charge that a crash has interrupted. */
const interruptedMs = 60_000

/** Fault `payment_in_progress` while a charge of the account waits for its provider. */
export async function assertNoCharge(tx: Executor, accountId: string): Promise<void> {
  if ((await findOpenPayment(tx, accountId, 'charge')) !== undefined)
    throw new Fault('payment_in_progress', { detail: 'A charge of this account is in progress. Repeat the request when it has ended.' })
}

/** The amounts of lines whose sum is not negative, with the tax of the customer's country and the credits of the account. */
export async function quote(
  deps: BillingDeps,
  tx: Executor,
  buyer: Pick<Subscription, 'accountId' | 'country' | 'provider'> & { readonly currency: string },
  lines: readonly InvoiceLine[],
): Promise<Totals> {
  const { accountId, currency, country, provider } = buyer
  const balance = await creditBalance(tx, accountId, currency)
  return totalsOf(currency, lines, { taxBasisPoints: taxRateOf(deps.settings, country), balance, rule: ruleOf(deps, provider, currency) })
}

/** What the provider of an account charges; undefined without one that is configured. */
function ruleOf({ providers }: BillingDeps, name: string | undefined, currency: string): AmountRule | undefined {
  return name === undefined ? undefined : providers.get(providerNameOf(name))?.amountRule(currency)
}

/** Fault `payment_failed` for less than a provider charges. */
export function assertChargeable({ name, amountRule }: PaymentProvider, { due, currency }: Totals): void {
  const { least } = amountRule(currency)
  if (due >= least) return
  const amounts = `${moneyText(due, currency)} would be due, and ${name} charges ${moneyText(least, currency)} at least`
  throw new Fault('payment_failed', {
    detail: `${amounts}. Nothing has changed. Change at the end of the period ("when": "period_end"), or choose another provider or plan.`,
  })
}

/** Writes a charge of the payment method on file. Its id is the idempotency key at the provider. */
export async function writeCharge(
  deps: BillingDeps,
  tx: Executor,
  subscription: Pick<Subscription, 'accountId' | 'provider'>,
  charge: { readonly kind: 'change' | 'renewal'; readonly purchase: Purchase; readonly invoiceId: string | undefined },
): Promise<string> {
  const { accountId, provider } = subscription
  const { totals } = charge.purchase
  const at = deps.now()
  const id = deps.newId()
  const rest = { id, provider: providerNameOf(provider), amount: totals.due, currency: totals.currency, expiresAt: undefined }
  await insertPayment(tx, accountId, { ...charge, ...rest, at, checkAt: new Date(at.getTime() + interruptedMs) })
  return id
}

/** Fault `payment_method_required` that says how to get one. */
export function assertPaymentMethod(subscription: Subscription | undefined): asserts subscription is Subscription {
  if (subscription?.customer !== undefined && subscription.provider !== undefined) return
  throw new Fault('payment_method_required', {
    detail: 'The account has no payment method on file. Pay by POST /api/v1/billing/checkout/pspone or psptwo, which also keeps one.',
  })
}

/** Fault `payment_failed` for a charge that was refused. */
export function assertPaid(payment: Payment): void {
  if (payment.state === 'succeeded') return
  if (payment.state === 'open') {
    const detail = 'The payment provider is still processing the charge. The plan changes as soon as it is paid.'
    throw new Fault('payment_in_progress', { detail })
  }
  throw new Fault('payment_failed', { detail: `The charge was refused: ${payment.failure ?? payment.state}. Nothing has changed.` })
}
