import type { Authenticator } from '#effects/http/authentication/authenticator.ts'
import { sendAuthorised } from '#effects/http/authentication/send-authorised.ts'
import { createAuthenticator } from '#effects/http/authentication/policy.ts'
import type { PreparedCall } from '#effects/http/arguments.ts'
import { exchange } from '#effects/http/exchange.ts'
import type { TextMask } from '#core/secret-mask.ts'
import type { HttpReply } from '#effects/http/port.ts'
import { readResponse } from './read-response.ts'
import type { McpCallContext } from './context.ts'
import { idIn, toRequest, toResponse } from './request-conversion.ts'

/** The way to a server, for the client that speaks to it. */
export interface HttpTransport {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
  /** The reply with another status than 2xx that the last request got; undefined when it got none. */
  readonly refusal: () => HttpReply | undefined
  /** Why the first request that came to nothing did so, which the client tells in words of its own. */
  readonly failure: () => unknown
  /** Resolves when no request is under way any more. */
  readonly idle: () => Promise<unknown>
}

export interface HttpTransportContext extends Omit<McpCallContext, 'signal'> {
  readonly mask: TextMask
  /** Ends the requests of the call. */
  readonly calling: AbortSignal
  /** Ends the requests that take leave of the server, which the call's own end must not. */
  readonly leaving: AbortSignal
}

/**
 * A fetch over the guarded port for a client of MCP over Streamable HTTP.
 *
 * A reply is read whole, so a server may answer with an event stream that it closes then, and cannot ask anything before. The stream for
 * what a server says unasked is not opened: in a workflow nobody would listen.
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
    const send = async (unauthorised: PreparedCall): Promise<HttpReply> => {
      const { reply } = await sendAuthorised(unauthorised, authenticator, ({ method, url, headers, body }) =>
        exchange(ctx, { method, url: url.href, headers, body, followRedirects: false }, signal),
      )
      return reply
    }
    const reply = await send(request)
    if (reply.status < 200 || reply.status > 299) {
      refusal = reply
      return toResponse(reply, request)
    }
    const id = idIn(request)
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
