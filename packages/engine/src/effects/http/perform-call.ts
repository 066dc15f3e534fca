import { STATUS_CODES } from 'node:http'
import { standardErrors } from '#core/error.ts'
import { createAuthenticator } from '#effects/http/authentication/policy.ts'
import { type Sent, sendAuthorised } from '#effects/http/authentication/send-authorised.ts'
import type { PreparedCall } from './arguments.ts'
import { decodeText } from './content.ts'
import type { HttpCallContext } from './context.ts'
import { describeRequest, exchange } from './exchange.ts'
import { HttpCallError } from './http-call-error.ts'
import type { TextMask } from '#core/secret-mask.ts'
import { isJsonType, isTextType, parseMediaType } from './media-type.ts'
import type { HttpReply } from './port.ts'
import { parseRetryAfter } from './retry-after.ts'

/** Sends a call with the authentication that it names; the reply is returned whatever its status. The mask learns the credentials. */
export async function performCall(call: PreparedCall, ctx: HttpCallContext, mask: TextMask): Promise<Sent> {
  const authenticator = await createAuthenticator(call.authentication, { ...ctx, mask })
  if (authenticator !== undefined && 'authorization' in call.headers) {
    throw new HttpCallError('validation', 'The call has both an "authorization" header and an authentication policy; keep one.')
  }
  return sendAuthorised(call, authenticator, ({ method, url, headers, body, redirect }) =>
    exchange(ctx, { method, url: url.href, headers, body, followRedirects: redirect }, ctx.signal),
  )
}

/** Throws a communication error for a status that is not a success of the call. */
export function checkStatus(call: PreparedCall, reply: HttpReply, nowMs: number): void {
  if (reply.status >= 200 && reply.status <= (call.redirect ? 399 : 299)) return
  const retryAfterMs = parseRetryAfter(reply.headers['retry-after'], nowMs)
  const retry = retryAfterMs === undefined ? '' : ` It asks to retry after ${Math.ceil(retryAfterMs / 1000)} s.`
  const title = STATUS_CODES[reply.status] ?? standardErrors.communication.title
  const detail = `${describeRequest(call.method, call.url.href)} answered ${reply.status}.${redirection(call, reply)}${retry}${excerpt(reply)}`
  throw new HttpCallError('communication', detail, { status: reply.status, title, retryAfterMs })
}

/** Where a redirect leads, without its query, and how it is followed. */
function redirection(call: PreparedCall, { status, headers }: HttpReply): string {
  const location = headers['location']
  if (call.redirect || status < 300 || status > 399 || location === undefined || !URL.canParse(location, call.url.href)) return ''
  const { origin, pathname } = new URL(location, call.url)
  return ` It redirects to ${origin}${pathname}. To follow redirects, add redirect: true.`
}

/** The beginning of the response's text, which usually explains the failure. */
function excerpt(reply: HttpReply): string {
  const type = parseMediaType(reply.headers['content-type'])
  if (type === undefined || !(isJsonType(type.essence) || isTextType(type.essence))) return ''
  const text = decodeText(reply.body.subarray(0, 2_000), type.charset).trim()
  if (text === '') return ''
  return ` It says: ${text.length > 500 ? `${text.slice(0, 500)}…` : text}`
}
