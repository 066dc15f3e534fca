import { Fault } from '@millrace/contract'
import type Stripe from 'stripe'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { asFetch } from './guarded-fetch-client.ts'
import {
  type PaymentProvider,
  type ProviderPayment,
  ProviderRefused,
  ProviderUnavailable,
  requestTimeoutMs,
  type Signed,
  toleranceSeconds,
} from './provider.ts'
import { fromStripe, stripeRule, toStripe } from './stripe-amounts.ts'

export interface PsponeSettings {
  readonly url: string
  readonly secretKey: string
  readonly webhookSecrets: readonly string[]
}

const paymentKey = 'millrace_payment'

/** The provider `pspone`, which speaks the API of Stripe: checkout sessions for the first payment, payment intents for later ones. */
export function createPspone(settings: PsponeSettings, http: Pick<GuardedFetch, 'request'>): PaymentProvider {
  let loading: Promise<Stripe> | undefined
  const client = () => (loading ??= loadClient(settings, http))

  /** Runs one request; the failures of the library become ours. */
  async function call<T>(request: (stripe: Stripe) => Promise<T>): Promise<T> {
    const stripe = await client()
    try {
      return await request(stripe)
    } catch (error) {
      throw providerError(stripe, error)
    }
  }

  return {
    name: 'pspone',
    amountRule: stripeRule,
    createCheckout: (order) =>
      call(async (stripe) => {
        const { paymentId, amount, currency, description, successUrl, cancelUrl, expiresAt } = order
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'payment',
            client_reference_id: paymentId,
            metadata: { [paymentKey]: paymentId },
            customer_creation: 'always',
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: currency.toLowerCase(),
                  unit_amount: unitsOf(amount, currency),
                  product_data: { name: description },
                },
              },
            ],
            payment_intent_data: { setup_future_usage: 'off_session', metadata: { [paymentKey]: paymentId } },
            success_url: successUrl,
            cancel_url: cancelUrl,
            expires_at: Math.floor(expiresAt.getTime() / 1000),
          },
          { idempotencyKey: `checkout-${paymentId}` },
        )
        return ofSession(session)
      }),
    async expireCheckout(reference) {
      try {
        await call((stripe) => stripe.checkout.sessions.expire(reference))
      } catch (error) {
        // A session that was paid or has expired cannot be ended; its state is read afterwards.
        if (!(error instanceof ProviderRefused)) throw error
      }
    },
    async charge(order) {
      const stripe = await client()
      const { paymentId, amount, currency, description, customer, paymentMethod } = order
      try {
        const intent = await stripe.paymentIntents.create(
          {
            amount: unitsOf(amount, currency),
            currency: currency.toLowerCase(),
            customer,
            ...(paymentMethod === undefined ? {} : { payment_method: paymentMethod }),
            description,
            off_session: true,
            confirm: true,
            metadata: { [paymentKey]: paymentId },
            expand: ['latest_charge'],
          },
          { idempotencyKey: `charge-${paymentId}` },
        )
        return ofIntent(intent)
      } catch (error) {
        if (error instanceof stripe.errors.StripeCardError && error.payment_intent !== undefined)
          return { ...ofIntent(error.payment_intent), status: 'failed', failure: error.message }
        throw providerError(stripe, error)
      }
    },
    findCharge: (paymentId, customer) =>
      call(async (stripe) => {
        if (customer === undefined) throw new ProviderRefused('pspone', `the charge ${paymentId} has no customer any more`)
        const { data } = await stripe.paymentIntents.list({ customer, limit: 100, expand: ['data.latest_charge'] })
        const intent = data.find(({ metadata }) => metadata[paymentKey] === paymentId)
        return intent === undefined ? undefined : ofIntent(intent)
      }),
    find: (reference) =>
      call(async (stripe) =>
        reference.startsWith('cs_')
          ? ofSession(await stripe.checkout.sessions.retrieve(reference, { expand: ['payment_intent.latest_charge'] }))
          : ofIntent(await stripe.paymentIntents.retrieve(reference, { expand: ['latest_charge'] })),
      ),
    async refund(reference, paymentId) {
      const intent = reference.startsWith('cs_')
        ? idOf((await call((stripe) => stripe.checkout.sessions.retrieve(reference))).payment_intent)
        : reference
      if (intent === undefined) throw new ProviderRefused('pspone', `the checkout ${reference} has no payment`)
      await call((stripe) => stripe.refunds.create({ payment_intent: intent }, { idempotencyKey: `refund-${paymentId}` }))
    },
    readEvent: async (message, nowMs) => readEvent(await client(), settings.webhookSecrets, message, nowMs),
  }
}

function unitsOf(amount: bigint, currency: string): number {
  const units = toStripe(amount, currency)
  if (units !== undefined) return units
  const { step } = stripeRule(currency)
  throw new ProviderRefused('pspone', `it charges ${currency} in multiples of ${step} minor units, and this is ${amount}`)
}

/** The library is loaded on first use: it would slow the start. */
async function loadClient({ url, secretKey }: PsponeSettings, http: Pick<GuardedFetch, 'request'>): Promise<Stripe> {
  const { default: Library } = await import('stripe')
  const { protocol, hostname, port } = new URL(url)
  return new Library(secretKey, {
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    httpClient: Library.createFetchHttpClient(asFetch(http)),
    // A repetition is decided by the job that made the request.
    maxNetworkRetries: 0,
    timeout: requestTimeoutMs,
    telemetry: false,
  })
}

function providerError(stripe: Stripe, error: unknown): Error {
  const { StripeInvalidRequestError, StripeCardError } = stripe.errors
  if (error instanceof ProviderRefused) return error
  if (error instanceof StripeInvalidRequestError || error instanceof StripeCardError)
    return new ProviderRefused('pspone', error.message, error)
  return new ProviderUnavailable('pspone', error)
}

function ofSession(session: Stripe.Checkout.Session): ProviderPayment {
  const intent = typeof session.payment_intent === 'object' && session.payment_intent !== null ? session.payment_intent : undefined
  const isComplete = session.status === 'complete'
  const currency = (session.currency ?? '').toUpperCase()
  const paid = isComplete && session.payment_status === 'paid'
  // A delayed payment (SEPA, ACH) fails after its session is complete.
  const failed = isComplete && !paid && (intent?.status === 'requires_payment_method' || intent?.status === 'canceled')
  return {
    reference: session.id,
    paymentId: session.client_reference_id ?? undefined,
    status: paid ? 'succeeded' : failed ? 'failed' : session.status === 'expired' ? 'expired' : 'open',
    amount: fromStripe(session.amount_total ?? 0, currency),
    currency,
    refunded: refundedOf(intent, currency),
    url: session.url ?? undefined,
    expiresAt: new Date(session.expires_at * 1000),
    customer: idOf(session.customer),
    paymentMethod: idOf(intent?.payment_method),
    failure: failed ? (intent?.last_payment_error?.message ?? 'The payment failed.') : undefined,
  }
}

function ofIntent(intent: Stripe.PaymentIntent): ProviderPayment {
  const failed = intent.status === 'requires_payment_method' || intent.status === 'requires_action' || intent.status === 'canceled'
  const currency = intent.currency.toUpperCase()
  return {
    reference: intent.id,
    paymentId: intent.metadata[paymentKey],
    status: intent.status === 'succeeded' ? 'succeeded' : failed ? 'failed' : 'open',
    amount: fromStripe(intent.amount, currency),
    currency,
    refunded: refundedOf(intent, currency),
    url: undefined,
    expiresAt: undefined,
    customer: idOf(intent.customer),
    paymentMethod: idOf(intent.payment_method),
    failure: intent.last_payment_error?.message,
  }
}

function refundedOf(intent: Stripe.PaymentIntent | undefined, currency: string): bigint {
  const charge = intent?.latest_charge
  return typeof charge === 'object' && charge !== null ? fromStripe(charge.amount_refunded, currency) : 0n
}

function idOf(value: string | { readonly id: string } | null | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.id
}

function readEvent(stripe: Stripe, secrets: readonly string[], { body, headers }: Signed, nowMs: number) {
  const header = headers['stripe-signature']
  if (typeof header !== 'string') throw new Fault('signature_invalid', { detail: 'The header Stripe-Signature is missing.' })
  const seconds = Number(/(?:^|,)t=(\d+)/.exec(header)?.[1] ?? Number.NaN)
  // The library refuses old signatures only.
  if (!(Math.abs(seconds - nowMs / 1000) <= toleranceSeconds))
    throw new Fault('signature_invalid', { detail: `The notification was signed more than ${toleranceSeconds} seconds from now.` })
  for (const secret of secrets) {
    const event = verified(stripe, body, header, secret)
    if (event !== undefined) return { id: event.id, type: event.type, paymentId: paymentIdOf(event.data.object) }
  }
  throw new Fault('signature_invalid')
}

function verified(stripe: Stripe, body: Buffer, header: string, secret: string): Stripe.Event | undefined {
  try {
    return stripe.webhooks.constructEvent(body, header, secret, toleranceSeconds)
  } catch {
    return undefined // Another secret may match.
  }
}

/** Sessions, intents and charges have our id in their metadata; a charge inherits it from its intent. */
function paymentIdOf(object: unknown): string | undefined {
  if (typeof object !== 'object' || object === null || !('metadata' in object)) return undefined
  const { metadata } = object
  if (typeof metadata !== 'object' || metadata === null || !(paymentKey in metadata)) return undefined
  return typeof metadata[paymentKey] === 'string' ? metadata[paymentKey] : undefined
}
