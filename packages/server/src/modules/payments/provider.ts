import type { IncomingHttpHeaders } from 'node:http'

export const providerNames = ['pspone', 'psptwo'] as const
export type ProviderName = (typeof providerNames)[number]

/** The name of a provider that a row of the database has. */
export function providerNameOf(text: string | undefined): ProviderName {
  const name = providerNames.find((each) => each === text)
  if (name === undefined) throw new Error(`there is no payment provider ${text}`)
  return name
}

/** A payment as the provider records it. */
export interface ProviderPayment {
  /** The provider's id of the checkout or the charge. */
  readonly reference: string
  /** Our id, which the provider keeps with the payment. */
  readonly paymentId: string | undefined
  /** `open` also while the provider is still processing it. */
  readonly status: 'open' | 'succeeded' | 'failed' | 'expired'
  readonly amount: bigint
  readonly currency: string
  /** Paid back so far. */
  readonly refunded: bigint
  /** Where the customer pays. */
  readonly url: string | undefined
  readonly expiresAt: Date | undefined
  /** By which later periods are charged. */
  readonly customer: string | undefined
  readonly paymentMethod: string | undefined
  /** Why it failed, in words of the provider. */
  readonly failure: string | undefined
}

/** Which amounts of a currency a provider charges, in minor units of ISO 4217. */
export interface AmountRule {
  /** Amounts are multiples of it. */
  readonly step: bigint
  readonly least: bigint
}

interface Order {
  /** Our id of the payment, also the idempotency key of the request. */
  readonly paymentId: string
  readonly amount: bigint
  readonly currency: string
  readonly description: string
}

export interface CheckoutOrder extends Order {
  readonly successUrl: string
  readonly cancelUrl: string
  readonly expiresAt: Date
}

export interface ChargeOrder extends Order {
  readonly customer: string
  readonly paymentMethod: string | undefined
}

/** What a notification refers to. Its other content is not used: the provider is asked for the present state instead. */
export interface ProviderEvent {
  readonly id: string
  readonly type: string
  readonly paymentId: string | undefined
}

export interface Signed {
  readonly body: Buffer
  readonly headers: IncomingHttpHeaders
}

/**
 * A payment provider. Every request has an idempotency key made of our payment id, so a repetition after a crash makes no second payment.
 * Another provider is another implementation of this port, and its name above.
 */
export interface PaymentProvider {
  readonly name: ProviderName
  readonly amountRule: (currency: string) => AmountRule
  createCheckout(order: CheckoutOrder, signal: AbortSignal): Promise<ProviderPayment>
  /** Ends an open checkout; one that has ended stays as it is. */
  expireCheckout(reference: string, signal: AbortSignal): Promise<void>
  /** Charges a customer who is not present. A refusal is a payment with the status `failed`. */
  charge(order: ChargeOrder, signal: AbortSignal): Promise<ProviderPayment>
  /** The charge with our id, whose reply may have been lost; undefined if the provider made none. */
  findCharge(paymentId: string, customer: string | undefined, signal: AbortSignal): Promise<ProviderPayment | undefined>
  find(reference: string, signal: AbortSignal): Promise<ProviderPayment>
  /** Pays the whole payment back. */
  refund(reference: string, paymentId: string, signal: AbortSignal): Promise<void>
  /** Verifies signature and time. Throws a Fault `signature_invalid`. */
  readEvent(message: Signed, nowMs: number): Promise<ProviderEvent>
}

/** The provider did not answer, or answered with a failure of its own. Whether it acted is unknown. */
export class ProviderUnavailable extends Error {
  readonly provider: ProviderName

  constructor(provider: ProviderName, cause: unknown) {
    super(`${provider} does not answer as expected: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'ProviderUnavailable'
    this.provider = provider
  }
}

/** The provider refused the request itself: it will not accept a repetition. */
export class ProviderRefused extends Error {
  readonly provider: ProviderName

  constructor(provider: ProviderName, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ProviderRefused'
    this.provider = provider
  }
}

/** How far the time of a notification may be from ours. */
export const toleranceSeconds = 300
export const requestTimeoutMs = 20_000
export const responseBytesMax = 1024 * 1024
