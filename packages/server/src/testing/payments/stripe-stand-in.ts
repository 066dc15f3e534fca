import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Stripe } from 'stripe'
import { listenLocally } from '#testing/listen-locally.ts'
import { createLedger, type Entry, type Happening } from './ledger.ts'

const idOf = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`

/** A provider that speaks the part of the API of Stripe that we use: form bodies, idempotency keys, objects, errors and signed events. */
export async function startStripeStandIn() {
  const ledger = createLedger()
  const webhookSecret = ['whsec', randomUUID()].join('_')
  const requests: string[] = []

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of incoming) text += String(chunk)
    const [path = '', query = ''] = (incoming.url ?? '').split('?')
    requests.push(`${incoming.method} ${path}`)
    const key = String(incoming.headers['idempotency-key'] ?? randomUUID())
    const { status, body } = answer(`${incoming.method} ${path}`, new URLSearchParams(text === '' ? query : text), key)
    outgoing.writeHead(status, { 'content-type': 'application/json', 'request-id': idOf('req') }).end(JSON.stringify(body))
  }

  function answer(request: string, form: URLSearchParams, key: string): { status: number; body: object } {
    const id = request.split('/')[request.includes('/checkout/sessions/') ? 4 : 3] ?? ''
    const known = ledger.entries.get(id)
    if (request === 'POST /v1/checkout/sessions') {
      const price = 'line_items[0][price_data]'
      const wanted = {
        id: idOf('cs_test'),
        ourId: form.get('client_reference_id') ?? '',
        amount: Number(form.get(`${price}[unit_amount]`)),
        currency: (form.get(`${price}[currency]`) ?? '').toUpperCase(),
      }
      return { status: 200, body: sessionOf(ledger.checkout(key, wanted)) }
    }
    if (request === 'POST /v1/payment_intents') {
      const rest = { ourId: form.get('metadata[millrace_payment]') ?? '', customer: form.get('customer') ?? '' }
      const amount = { amount: Number(form.get('amount')), currency: (form.get('currency') ?? '').toUpperCase() }
      const entry = ledger.charge(key, { id: idOf('pi'), ...rest, ...amount })
      if (entry.status === 'succeeded') return { status: 200, body: intentOf(entry) }
      return refusal(402, 'card_error', 'Your card was declined.', intentOf(entry))
    }
    if (request === 'POST /v1/refunds') {
      const intent = form.get('payment_intent') ?? ''
      const refunded = ledger.refund(key, intent.replace(/^pi_of_/, ''))
      return refunded === undefined
        ? refusal(400, 'invalid_request_error', 'No such payment.')
        : { status: 200, body: { object: 'refund' } }
    }
    if (request === 'GET /v1/payment_intents') {
      const data = [...ledger.entries.values()]
        .filter(({ kind, customer }) => kind === 'charge' && customer === form.get('customer'))
        .map(intentOf)
      return { status: 200, body: { object: 'list', has_more: false, data } }
    }
    if (known === undefined) return refusal(404, 'invalid_request_error', `No such object: ${id}`)
    if (request.endsWith('/expire') && !ledger.expire(id)) return refusal(400, 'invalid_request_error', 'The session is not open.')
    return { status: 200, body: known.kind === 'checkout' ? sessionOf(known) : intentOf(known) }
  }

  const server = await listenLocally(respond)
  return {
    ...server,
    ledger,
    webhookSecret,
    requests,
    /** The event of a happening as Stripe sends it. */
    signed: (happening: Happening, atSeconds?: number) => signedEvent(webhookSecret, happening, atSeconds),
    environment: {
      MILLRACE_PSPONE_URL: server.url,
      MILLRACE_PSPONE_SECRET_KEY: ['sk', 'test', 'stand-in'].join('_'),
      MILLRACE_PSPONE_WEBHOOK_SECRET: webhookSecret,
    },
  }
}

function refusal(status: number, type: string, message: string, paymentIntent?: object) {
  return { status, body: { error: { type, message, ...(paymentIntent === undefined ? {} : { payment_intent: paymentIntent }) } } }
}

function sessionOf(entry: Entry) {
  const hasIntent = entry.status === 'succeeded' || entry.status === 'failed'
  const status = hasIntent ? 'complete' : entry.status
  return {
    id: entry.id,
    object: 'checkout.session',
    status,
    payment_status: entry.status === 'succeeded' ? 'paid' : 'unpaid',
    client_reference_id: entry.ourId,
    metadata: { millrace_payment: entry.ourId },
    amount_total: entry.amount,
    currency: entry.currency.toLowerCase(),
    url: entry.status === 'open' ? `https://checkout.example.com/${entry.id}` : null,
    expires_at: Math.floor(Date.now() / 1000) + 86_000,
    customer: entry.customer ?? null,
    payment_intent: hasIntent ? { ...intentOf(entry), id: `pi_of_${entry.id}` } : null,
  }
}

function intentOf(entry: Entry) {
  return {
    id: entry.id,
    object: 'payment_intent',
    status: entry.status === 'succeeded' ? 'succeeded' : 'requires_payment_method',
    amount: entry.amount,
    currency: entry.currency.toLowerCase(),
    customer: entry.customer ?? null,
    payment_method: 'pm_card',
    metadata: { millrace_payment: entry.ourId },
    latest_charge: { id: `ch_of_${entry.id}`, amount_refunded: entry.refunded },
    last_payment_error: entry.status === 'failed' ? { message: 'Your card was declined.' } : null,
  }
}

const types = {
  checkout: {
    succeeded: 'checkout.session.completed',
    failed: 'checkout.session.async_payment_failed',
    expired: 'checkout.session.expired',
  },
  charge: { succeeded: 'payment_intent.succeeded', failed: 'payment_intent.payment_failed', expired: 'payment_intent.canceled' },
} as const

function signedEvent(secret: string, { id, entry, what }: Happening, atSeconds = Math.floor(Date.now() / 1000)) {
  const object = entry.kind === 'checkout' && what !== 'refunded' ? sessionOf(entry) : intentOf(entry)
  const type = what === 'refunded' ? 'charge.refunded' : types[entry.kind][what]
  const body = JSON.stringify({ id, object: 'event', type, data: { object } })
  const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: atSeconds })
  return { body, headers: { 'content-type': 'application/json', 'stripe-signature': header } }
}
