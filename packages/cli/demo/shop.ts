import { createServer, type IncomingMessage } from 'node:http'
import { json as readJson } from 'node:stream/consumers'

/** One request that the shop was sent, and how it answered. */
export interface ShopCall {
  /** The requested effect, such as `payments` or `reservations tea`. */
  readonly effect: string
  readonly idempotencyKey: string
  readonly status: number
}

/** The service that the workflow of the demo works with. */
export interface Shop extends AsyncDisposable {
  readonly url: string
  readonly calls: readonly ShopCall[]
}

/** The failures of the payment service before it works. */
export const paymentFailures = 2

const order = {
  id: 1001,
  customer: 'ada@example.com',
  express: true,
  lines: [
    { sku: 'tea', quantity: 3, price: 450 },
    { sku: 'cup', quantity: 2, price: 1200 },
    { sku: 'kettle', quantity: 1, price: 5900 },
  ],
}

/** Starts the shop on a free port of this machine. Every request is counted, whether or not it is a repetition. */
export async function startShop(): Promise<Shop> {
  const calls: ShopCall[] = []
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const path = (request.url ?? '').slice(1)
      const effect = typeof body.sku === 'string' ? `${path} ${body.sku}` : path
      const before = calls.filter((call) => call.effect === effect).length
      const reply = answer(path, body, before)
      calls.push({ effect, idempotencyKey: String(request.headers['idempotency-key'] ?? ''), status: reply.status })
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the shop does not listen on TCP')
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Body = Readonly<Record<string, unknown>>

/** @param before how often this was asked for already. */
function answer(path: string, body: Body, before: number): { readonly status: number; readonly body: unknown } {
  if (path === `orders/${order.id}`) return { status: 200, body: order }
  if (path === 'payments' && before < paymentFailures) return { status: 503, body: { message: 'try again later' } }
  if (!['reservations', 'payments', 'parcels', 'invoices', 'mails'].includes(path)) return { status: 404, body: {} }
  return { status: 201, body: { id: `${path.slice(0, -1)}-${before + 1}`, ...body } }
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  if (request.method !== 'POST') return {}
  const body: unknown = await readJson(request)
  return typeof body === 'object' && body !== null ? { ...body } : {}
}
