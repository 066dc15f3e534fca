import { isObject, type Json } from '#core/json.ts'
import type { PreparedCall } from '#effects/http/arguments.ts'
import { describeRequest } from '#effects/http/exchange.ts'
import type { HttpReply } from '#effects/http/port.ts'
import { invalidReply } from './messages.ts'

/** The client's request with the author's headers and authentication. */
export function toRequest(endpoint: PreparedCall, url: string | URL, init: RequestInit = {}): PreparedCall {
  return {
    ...endpoint,
    method: init.method ?? 'GET',
    url: new URL(url),
    // The end of a compressed event stream cannot be recognized before the server closes it.
    headers: { 'accept-encoding': 'identity', ...endpoint.headers, ...Object.fromEntries(new Headers(init.headers)) },
    body: typeof init.body === 'string' ? init.body : undefined,
  }
}

/** The id of the JSON-RPC request in an HTTP request; undefined for notifications and without a message. */
export function idIn({ body }: PreparedCall): Json | undefined {
  const message: Json = typeof body === 'string' ? JSON.parse(body) : null
  return isObject(message) && 'method' in message ? message['id'] : undefined
}

/** The complete response for the client. */
export function toResponse(reply: HttpReply, request: PreparedCall): Response {
  const { status, headers, body } = reply
  if (status < 200 || status > 599) throw invalidReply(`${describeRequest(request.method, request.url.href)} answered ${status}.`)
  return new Response(bodiless.has(status) ? undefined : Buffer.from(body), { status, headers })
}

/** A `Response` refuses a body with these. Source: Fetch standard, "null body status". */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])
