import type { Authenticator } from '#effects/http/authentication/authenticator.ts'
import { sendAuthorised } from '#effects/http/authentication/send-authorised.ts'
import { createAuthenticator } from '#effects/http/authentication/policy.ts'
import type { PreparedCall } from '#effects/http/arguments.ts'
import { exchange } from '#effects/http/exchange.ts'
import type { TextMask } from '#core/secret-mask.ts'
import type { HttpReply } from '#effects/http/port.ts'
import { readResponse } from './read-response.ts'
import type { McpCallContext } from './context.ts'
import { untilResponse } from './messages.ts'
import { idIn, toRequest, toResponse } from './request-conversion.ts'

/** The HTTP transport of an MCP client. */
export interface HttpTransport {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
  /** The response to the last request if its status is not 2xx. */
  readonly refusal: () => HttpReply | undefined
  /** The error of the first request that failed; the client replaces it by one of its own. */
  readonly failure: () => unknown
  /** Resolves when no request is pending. */
  readonly idle: () => Promise<unknown>
}

export interface HttpTransportContext extends Omit<McpCallContext, 'signal'> {
  readonly mask: TextMask
  /** Ends the requests of the call. */
  readonly calling: AbortSignal
  /** Ends the requests that end the session, which must not end with the call. */
  readonly leaving: AbortSignal
}

/**
 * A fetch over the guarded port for a client of MCP over Streamable HTTP.
 *
 * An event stream is read until it has the response, also if the server does not close it, or until the server closes it. The server cannot send
 * requests before. The stream for unsolicited messages is not opened, since a workflow has no use for them.
 */
export function openHttpTransport(endpoint: PreparedCall, ctx: HttpTransportContext): HttpTransport {
  const authenticators = new Map<AbortSignal, Promise<Authenticator | undefined>>()
  const underWay = new Set<Promise<Response>>()
  let refusal: HttpReply | undefined
  let failure: unknown

  const authenticatorFor = (signal: AbortSignal): Promise<Authenticator | undefined> => {
    const made = authenticators.get(signal) ?? createAuthenticator(endpoint.authentication, { ...ctx, signal })
    authenticators.set(signal, made)
    return made
  }
  const perform = async (request: PreparedCall): Promise<Response> => {
    const signal = request.method === 'DELETE' || ctx.calling.aborted ? ctx.leaving : ctx.calling
    const authenticator = await authenticatorFor(signal)
    const id = idIn(request)
    const untilWhole = untilResponse(id)
    const send = async (unauthorised: PreparedCall): Promise<HttpReply> => {
      const { reply } = await sendAuthorised(unauthorised, authenticator, ({ method, url, headers, body }) =>
        exchange(ctx, { method, url: url.href, headers, body, followRedirects: false, untilWhole }, signal),
      )
      return reply
    }
    const reply = await send(request)
    if (reply.status < 200 || reply.status > 299) {
      refusal = reply
      return toResponse(reply, request)
    }
    if (id === undefined) return toResponse(reply, request)
    const session = reply.headers['mcp-session-id']
    const answer = await readResponse({ id, request, send, signal }, reply)
    return Response.json(answer, session === undefined ? {} : { headers: { 'mcp-session-id': session } })
  }
  return {
    fetch: async (url, init) => {
      const request = toRequest(endpoint, url, init)
      if (request.method === 'GET') return new Response(undefined, { status: 405 })
      refusal = undefined
      const performing = perform(request)
      underWay.add(performing)
      try {
        return await performing
      } catch (error) {
        failure ??= error
        throw error
      } finally {
        underWay.delete(performing)
      }
    },
    refusal: () => refusal,
    failure: () => failure,
    idle: () => Promise.allSettled(underWay),
  }
}
