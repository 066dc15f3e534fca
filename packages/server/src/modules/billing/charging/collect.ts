import { Fault } from '@millrace/contract'
import * as z from 'zod'
import { handled, job } from '#platform/jobs/job.ts'
import { toTypeId, fromTypeId } from '#platform/ids.ts'
import { type PaymentProvider, providerOf, type ProviderPayment, ProviderRefused, ProviderUnavailable } from '#modules/payments/index.ts'
import { type BillingDeps, dayMs } from '#modules/billing/billing-deps.ts'
import type { Payment } from '#modules/billing/model.ts'
import { findSubscription } from '#modules/billing/subscription-store.ts'
import { findPaymentById, takePaymentsToCheck } from './payment-store.ts'
import { type Outcome, settle } from './settle.ts'

/** A payment that waits for its provider is asked for by this job; the reconciliation asks as well, in case the job is lost. */
export const settleJob = job({
  name: 'billing.settle',
  payload: z.strictObject({ paymentId: z.string() }),
  retry: { limit: 6, delaySeconds: 10, delaySecondsMax: 600 },
})

const reconcileMax = 50
const reconcileAgainMs = 10 * 60_000
/** Providers forget idempotency keys after a day: from then on a charge is looked for before it is requested again. */
const keyKeptMs = 12 * 60 * 60_000
const abandonDays = 7

export type Collector = ReturnType<typeof createCollector>

/** Carries payments to their provider and brings their state back. */
export function createCollector(deps: BillingDeps) {
  /** Asks the provider for a payment, for the first time or again, and takes its state over. Undefined for an unknown payment. */
  async function refresh(paymentId: string, signal: AbortSignal, nextCheck = afterNews): Promise<Payment | undefined> {
    const payment = await findPaymentById(deps.db, paymentId)
    if (payment === undefined || payment.state === 'refunded') return payment
    const provider = providerOf(deps.providers, payment.provider)
    const { reference } = payment
    const refusal =
      payment.state === 'refunding' && reference !== undefined ? await payBack(provider, payment, reference, signal) : undefined
    const found = reference === undefined ? await ask(provider, payment, signal) : fromWire(await provider.find(reference, signal))
    const settled = found === undefined ? payment : await settle(deps, payment, found, nextCheck(payment, deps.now()))
    if (refusal !== undefined && settled.state === 'refunding') throw refusal
    return settled
  }

  /** Returns a refusal: a payment that was paid back by someone else is refused too, which its state says. */
  async function payBack(provider: PaymentProvider, { id }: Payment, reference: string, signal: AbortSignal): Promise<Error | undefined> {
    try {
      await provider.refund(reference, id, signal)
      return undefined
    } catch (error) {
      if (error instanceof ProviderRefused) return error
      throw error
    }
  }

  /** Requests a payment for the first time, or again after a crash: the provider recognizes its id. */
  async function ask(provider: PaymentProvider, payment: Payment, signal: AbortSignal): Promise<Outcome | undefined> {
    const isCharge = payment.kind !== 'checkout'
    const isOld = deps.now().getTime() - payment.createdAt.getTime() > keyKeptMs
    const made = isCharge && (isOld || payment.state !== 'open') ? await findCharge(provider, payment, signal) : undefined
    if (made !== undefined || payment.state !== 'open') return made
    try {
      return fromWire(await (payment.kind === 'checkout' ? askCheckout(provider, payment, signal) : askCharge(provider, payment, signal)))
    } catch (error) {
      if (!(error instanceof ProviderRefused)) throw error
      // An earlier request, whose reply was lost, may have made the charge.
      const earlier = isCharge && !isOld ? await findCharge(provider, payment, signal) : undefined
      return earlier ?? refusedPayment(payment, error.message)
    }
  }

  async function findCharge(provider: PaymentProvider, { id, accountId }: Payment, signal: AbortSignal): Promise<Outcome | undefined> {
    const subscription = await findSubscription(deps.db, accountId)
    const found = await provider.findCharge(toTypeId('chk', id), subscription?.customer, signal)
    return found === undefined ? undefined : fromWire(found)
  }

  /** Fails a payment that its provider does not know any more, or whose provider was removed: it must not keep renewals from running. */
  async function abandon(paymentId: string, cause: unknown): Promise<unknown> {
    const isFinal = cause instanceof ProviderRefused || (cause instanceof Fault && cause.code === 'provider_not_configured')
    const payment = isFinal ? await findPaymentById(deps.db, paymentId) : undefined
    if (payment?.state !== 'open' || deps.now().getTime() - payment.createdAt.getTime() < abandonDays * dayMs) return cause
    const failure = `It was abandoned after ${abandonDays} days without an answer of ${payment.provider}.`
    await settle(deps, payment, refusedPayment(payment, failure), undefined)
    const id = toTypeId('chk', paymentId)
    return new Error(`the payment ${id} was abandoned after ${abandonDays} days; look whether ${payment.provider} has made it`, { cause })
  }

  function askCheckout(provider: PaymentProvider, payment: Payment, signal: AbortSignal): Promise<ProviderPayment> {
    const { id, amount, currency, purchase, expiresAt } = payment
    const page = `${deps.settings.publicUrl}/api/v1/billing/checkout/${toTypeId('chk', id)}`
    const { successUrl = page, cancelUrl = page } = purchase
    const paymentId = toTypeId('chk', id)
    const ends = expiresAt ?? new Date(deps.now().getTime() + dayMs)
    return provider.createCheckout(
      { paymentId, amount, currency, description: descriptionOf(payment), successUrl, cancelUrl, expiresAt: ends },
      signal,
    )
  }

  async function askCharge(provider: PaymentProvider, payment: Payment, signal: AbortSignal): Promise<ProviderPayment> {
    const { id, accountId, amount, currency } = payment
    const subscription = await findSubscription(deps.db, accountId)
    if (subscription?.customer === undefined) throw new ProviderRefused(payment.provider, 'the account has no payment method any more')
    const { customer, paymentMethod } = subscription
    return provider.charge(
      { paymentId: toTypeId('chk', id), amount, currency, description: descriptionOf(payment), customer, paymentMethod },
      signal,
    )
  }

  return {
    refresh,

    /** As `refresh`, for a request: failures of the provider become Faults. */
    async collect(paymentId: string): Promise<Payment> {
      const signal = deps.closing
      try {
        const payment = await refresh(paymentId, signal)
        if (payment === undefined) throw new Fault('not_found')
        return payment
      } catch (error) {
        throw faultOf(error)
      }
    },

    /** Ends an open checkout at its provider, unless it was paid meanwhile. */
    async expire(payment: Payment): Promise<Payment> {
      try {
        const asked = payment.reference === undefined ? ((await refresh(payment.id, deps.closing)) ?? payment) : payment
        if (asked.reference !== undefined) await providerOf(deps.providers, asked.provider).expireCheckout(asked.reference, deps.closing)
        return (await refresh(payment.id, deps.closing)) ?? asked
      } catch (error) {
        throw faultOf(error)
      }
    },

    job: handled(settleJob, async ({ paymentId }, { signal }) => void (await refresh(paymentId, signal))),

    /** Asks the providers for payments that are due, so that a lost notification or a crash leaves no difference. */
    async reconcile(): Promise<void> {
      const now = deps.now()
      const again = new Date(now.getTime() + reconcileAgainMs)
      const errors: unknown[] = []
      for (const id of await takePaymentsToCheck(deps.db, now, again, reconcileMax))
        await refresh(id, deps.closing, afterCheck).catch(async (error: unknown) => errors.push(await abandon(id, error)))
      if (errors.length > 0) throw new AggregateError(errors, `${errors.length} payments could not be reconciled`)
    },
  }
}

/** After a notification, which may be a late one, the provider is asked once more: a later notification may be lost. */
function afterNews(_payment: Payment, now: Date): Date | undefined {
  return new Date(now.getTime() + dayMs)
}

/** The days after its beginning on which a payment is asked for: it may be paid back long after, and the notification may be lost. */
const checkDays = [3, 7, 30, 90]

function afterCheck({ createdAt }: Payment, now: Date): Date | undefined {
  return checkDays.map((days) => new Date(createdAt.getTime() + days * dayMs)).find((at) => at > now)
}

function descriptionOf({ purchase }: Payment): string {
  return purchase.totals.lines.at(-1)?.description ?? purchase.tier
}

/** Providers keep our ids in their external form. */
function fromWire(found: ProviderPayment): ProviderPayment {
  return { ...found, paymentId: found.paymentId === undefined ? undefined : fromTypeId('chk', found.paymentId) }
}

/** A payment that was not made. */
function refusedPayment({ id, reference, amount, currency }: Payment, failure: string): Outcome {
  const nothing = { url: undefined, expiresAt: undefined, customer: undefined, paymentMethod: undefined }
  return { reference, paymentId: id, status: 'failed', amount, currency, refunded: 0n, failure, ...nothing }
}

function faultOf(error: unknown): unknown {
  if (error instanceof ProviderUnavailable)
    return new Fault('provider_unavailable', {
      detail: `The payment provider ${error.provider} does not answer. The payment continues in the background: read the subscription before you try again.`,
      cause: error,
      retryAfterSeconds: 30,
    })
  if (error instanceof ProviderRefused)
    return new Fault('payment_failed', { detail: `The payment provider refused: ${error.message}`, cause: error })
  return error
}
