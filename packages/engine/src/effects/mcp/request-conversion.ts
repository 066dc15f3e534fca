import { isObject, type Json } from '#core/json.ts'
import type { PreparedCall } from '#effects/http/arguments.ts'
import { describeRequest } from '#effects/http/exchange.ts'
import type { HttpReply } from '#effects/http/port.ts'
import { invalidReply } from './messages.ts'

/** The request of the client, with what the author says about every request. */
export function toRequest(endpoint: PreparedCall, url: string | URL, init: RequestInit = {}): PreparedCall {
  return {
    ...endpoint,
    method: init.method ?? 'GET',
    url: new URL(url),
    headers: { ...endpoint.headers, ...Object.fromEntries(new Headers(init.headers)) },
    body: typeof init.body === 'string' ? init.body : undefined,
  }
}

/** The id of the message in a request that wants an answer; undefined for notifications, and where there is no message. */
export function idIn({ body }: PreparedCall): Json | undefined {
  const message: Json = typeof body === 'string' ? JSON.parse(body) : null
  return isObject(message) && 'method' in message ? message['id'] : undefined
}

/** A reply for the client, whole as it came. */
export function toResponse(reply: HttpReply, request: PreparedCall): Response {
  const { status, headers, body } = reply
  if (status < 200 || status > 599) throw invalidReply(`${describeRequest(request.method, request.url.href)} answered ${status}.`)
  return new Response(bodiless.has(status) ? undefined : Buffer.from(body), { status, headers })
}

/** A `Response` refuses a body with these. Source: Fetch standard, "null body status". */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])
