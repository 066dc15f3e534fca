import { Fault } from '@millrace/contract'
import { Webhook } from 'standardwebhooks'
import * as z from 'zod'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { asFetch } from './guarded-fetch-client.ts'
import {
  type PaymentProvider,
  type ProviderPayment,
  ProviderRefused,
  ProviderUnavailable,
  type Signed,
  toleranceSeconds,
} from './provider.ts'

export interface PsptwoSettings {
  readonly url: string
  readonly secretKey: string
  readonly webhookSecrets: readonly string[]
}

/** A checkout or a charge of the provider; docs/billing.md describes its API. */
const Payment = z.object({
  id: z.string().min(1).max(255),
  reference: z.string(),
  status: z.enum(['open', 'processing', 'succeeded', 'failed', 'expired']),
  amount: z.int().min(0),
  currency: z.string(),
  refunded: z.int().min(0),
  url: z.string().nullish(),
  expiresAt: z.iso.datetime().nullish(),
  customer: z.string().nullish(),
  failure: z.string().nullish(),
})

const Event = z.object({ type: z.string().max(200), data: z.object({ reference: z.string().optional() }) })

/** These say nothing about the payment: a key that was changed, a time limit, a conflict with a request in progress, a rate limit. */
const passing = new Set([401, 403, 408, 409, 425, 429])

interface Request {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly key?: string
  readonly body?: object
}

class RefusedWith extends ProviderRefused {
  readonly status: number

  constructor(status: number, message: string) {
    super('psptwo', message)
    this.status = status
  }
}

/** The provider `psptwo`: a hosted checkout, charges of stored customers, and notifications by Standard Webhooks. */
export function createPsptwo({ url, secretKey, webhookSecrets }: PsptwoSettings, http: Pick<GuardedFetch, 'request'>): PaymentProvider {
  const fetching = asFetch(http)

  async function call({ method, path, key, body }: Request, signal: AbortSignal): Promise<unknown> {
    const response = await fetching(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secretKey}`,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    }).catch((error: unknown) => {
      throw new ProviderUnavailable('psptwo', error)
    })
    if (response.status >= 400 && response.status < 500 && !passing.has(response.status))
      throw new RefusedWith(response.status, `psptwo refused ${method} ${path} with ${response.status}`)
    if (!response.ok) throw new ProviderUnavailable('psptwo', new Error(`it responded ${response.status}`))
    return response.json().catch((error: unknown) => {
      throw new ProviderUnavailable('psptwo', error)
    })
  }

  const payment = async (request: Request, signal: AbortSignal) => {
    const result = Payment.safeParse(await call(request, signal))
    if (!result.success) throw new ProviderUnavailable('psptwo', result.error)
    return paymentOf(result.data)
  }
  const pathOf = (reference: string) => `/v1/${reference.startsWith('co_') ? 'checkouts' : 'charges'}/${encodeURIComponent(reference)}`

  return {
    name: 'psptwo',
    amountRule: () => ({ step: 1n, least: 1n }),
    createCheckout({ paymentId, amount, currency, description, successUrl, cancelUrl, expiresAt }, signal) {
      const body = { reference: paymentId, amount: Number(amount), currency, description, returnUrl: successUrl, cancelUrl, expiresAt }
      return payment({ method: 'POST', path: '/v1/checkouts', key: `checkout-${paymentId}`, body }, signal)
    },
    async expireCheckout(reference, signal) {
      await call({ method: 'POST', path: `${pathOf(reference)}/expire`, key: `expire-${reference}`, body: {} }, signal)
    },
    charge({ paymentId, amount, currency, description, customer }, signal) {
      const body = { reference: paymentId, amount: Number(amount), currency, description, customer }
      return payment({ method: 'POST', path: '/v1/charges', key: `charge-${paymentId}`, body }, signal)
    },
    async findCharge(paymentId, _customer, signal) {
      try {
        return await payment({ method: 'GET', path: `/v1/charges?reference=${encodeURIComponent(paymentId)}` }, signal)
      } catch (error) {
        if (error instanceof RefusedWith && error.status === 404) return undefined
        throw error
      }
    },
    find: (reference, signal) => payment({ method: 'GET', path: pathOf(reference) }, signal),
    async refund(reference, paymentId, signal) {
      await call({ method: 'POST', path: '/v1/refunds', key: `refund-${paymentId}`, body: { payment: reference } }, signal)
    },
    readEvent: async (message, nowMs) => readEvent(webhookSecrets, message, nowMs),
  }
}

function paymentOf(found: z.output<typeof Payment>): ProviderPayment {
  return {
    reference: found.id,
    paymentId: found.reference,
    status: found.status === 'processing' ? 'open' : found.status,
    amount: BigInt(found.amount),
    currency: found.currency,
    refunded: BigInt(found.refunded),
    url: found.url ?? undefined,
    expiresAt: found.expiresAt === null || found.expiresAt === undefined ? undefined : new Date(found.expiresAt),
    customer: found.customer ?? undefined,
    paymentMethod: undefined,
    failure: found.failure ?? undefined,
  }
}

function readEvent(secrets: readonly string[], { body, headers }: Signed, nowMs: number) {
  const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const seconds = Number(texts['webhook-timestamp'] ?? Number.NaN)
  if (!(Math.abs(seconds - nowMs / 1000) <= toleranceSeconds))
    throw new Fault('signature_invalid', { detail: `The notification was signed more than ${toleranceSeconds} seconds from now.` })
  if (!secrets.some((secret) => isSigned(secret, body, texts))) throw new Fault('signature_invalid')
  const result = Event.safeParse(parsed(body))
  if (!result.success) throw new Fault('malformed_json', { detail: 'The signed body is not a notification of psptwo.' })
  return { id: texts['webhook-id'] ?? '', type: result.data.type, paymentId: result.data.data.reference }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

function isSigned(secret: string, body: Buffer, headers: Readonly<Record<string, string>>): boolean {
  try {
    new Webhook(secret).verify(body.toString('utf8'), headers)
    return true
  } catch {
    return false // Another secret may match.
  }
}
