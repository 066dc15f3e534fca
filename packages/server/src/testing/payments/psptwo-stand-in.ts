import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { listenLocally } from '#testing/listen-locally.ts'
import { createLedger, type Entry, type Happening } from './ledger.ts'

/** The provider psptwo: the API that docs/billing.md describes, and notifications by Standard Webhooks. */
export async function startPsptwoStandIn() {
  const ledger = createLedger()
  const webhookSecret = `whsec_${randomBytes(32).toString('base64')}`

  /** Statuses with which the next requests are answered, whether or not they act. */
  const failures: { readonly status: number; readonly acts: boolean }[] = []

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of incoming) text += String(chunk)
    const key = String(incoming.headers['idempotency-key'] ?? randomUUID())
    const failure = failures.shift()
    if (failure !== undefined && !failure.acts) return void outgoing.writeHead(failure.status).end('{}')
    const { status, body } = answer(`${incoming.method} ${incoming.url}`, text === '' ? {} : JSON.parse(text), key)
    if (failure !== undefined) return void outgoing.writeHead(failure.status).end('{}')
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  function answer(request: string, body: Record<string, string>, key: string): { status: number; body: object } {
    const id = request.split('/')[3] ?? ''
    const wanted = { ourId: body['reference'] ?? '', amount: Number(body['amount']), currency: body['currency'] ?? '' }
    if (request === 'POST /v1/checkouts') return ok(ledger.checkout(key, { id: `co_${randomUUID()}`, ...wanted }))
    if (request === 'POST /v1/charges')
      return ok(ledger.charge(key, { id: `ch_${randomUUID()}`, ...wanted, customer: body['customer'] ?? '' }))
    if (request === 'POST /v1/refunds') {
      const refunded = ledger.refund(key, body['payment'] ?? '')
      return refunded === undefined ? { status: 404, body: {} } : ok(refunded)
    }
    if (request.startsWith('GET /v1/charges?reference=')) {
      const charge = [...ledger.entries.values()].find(({ kind, ourId }) => kind === 'charge' && request.endsWith(`=${ourId}`))
      return charge === undefined ? { status: 404, body: {} } : ok(charge)
    }
    const known = ledger.entries.get(id)
    if (known === undefined) return { status: 404, body: {} }
    if (request.endsWith('/expire')) ledger.expire(id)
    return ok(known)
  }

  const server = await listenLocally(respond)
  return {
    ...server,
    ledger,
    failures,
    webhookSecret,
    signed: (happening: Happening, atSeconds?: number) => signedEvent(webhookSecret, happening, atSeconds),
    environment: {
      MILLRACE_PSPTWO_URL: server.url,
      MILLRACE_PSPTWO_SECRET_KEY: 'stand-in',
      MILLRACE_PSPTWO_WEBHOOK_SECRET: webhookSecret,
    },
  }
}

function ok(entry: Entry) {
  const { id, ourId: reference, amount, currency, status, refunded, customer } = entry
  const url = status === 'open' ? `https://pay.example.com/${id}` : null
  const failure = status === 'failed' ? 'insufficient funds' : null
  return { status: 200, body: { id, reference, amount, currency, status, refunded, customer: customer ?? null, url, failure } }
}

function signedEvent(secret: string, { id, entry, what }: Happening, atSeconds?: number) {
  const at = new Date(atSeconds === undefined ? Date.now() : atSeconds * 1000)
  const body = JSON.stringify({ type: `payment.${what}`, data: { id: entry.id, reference: entry.ourId } })
  const signature = new Webhook(secret).sign(id, at, body)
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return {
    body,
    headers: { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
  }
}
