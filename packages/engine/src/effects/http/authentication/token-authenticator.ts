import { createHash } from 'node:crypto'
import { exchange } from '#effects/http/exchange.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import type { AuthenticationContext, Authenticator } from './authenticator.ts'
import type { Token } from './credential-cache.ts'
import type { Expiring } from './expiring-cache.ts'
import { readTokenReply } from './token-reply.ts'
import { tokenRequest } from './token-request.ts'
import type { TokenSettings } from './token-settings.ts'

export interface TokenEndpoint {
  readonly url: string
  /** Whom a client assertion is for: the issuer, and not the endpoint, which another server could name as its own. RFC 7523bis. */
  readonly audience: string
  /** Which issuers a token may be of; empty for any. */
  readonly issuers: readonly string[]
}

/**
 * Sends a bearer token that it gets from a token endpoint: kept until it is about to expire, asked for once however many calls want it
 * at the same time, and asked for anew when the server refuses one that was kept.
 */
export function tokenAuthenticator(
  settings: TokenSettings,
  locate: () => Promise<TokenEndpoint>,
  ctx: AuthenticationContext,
): Authenticator {
  const { tokens } = ctx.credentials
  const key = createHash('sha256').update(JSON.stringify(settings)).digest('base64')
  let fetchedHere = false
  let sent: Token | undefined

  const load = async (expired: Token | undefined): Promise<Expiring<Token>> => {
    fetchedHere = true
    const endpoint = await locate()
    return requestToken(settings, endpoint, expired?.refreshToken, ctx)
  }
  const authorization = async (): Promise<Readonly<Record<string, string>>> => {
    sent = await unlessAborted(tokens.take(key, load), ctx.signal)
    ctx.mask.add(sent.accessToken)
    return { authorization: `Bearer ${sent.accessToken}` }
  }
  return {
    authorize: authorization,
    reauthorize: async () => {
      if (sent === undefined || fetchedHere) return undefined
      tokens.expire(key, sent)
      return authorization()
    },
  }
}

/** The signal of one call must not end a request that others wait for as well; the time limit of the port bounds it. */
const unaborted = new AbortController().signal

async function requestToken(
  settings: TokenSettings,
  endpoint: TokenEndpoint,
  refreshToken: string | undefined,
  ctx: AuthenticationContext,
): Promise<Expiring<Token>> {
  const ask = async (renewal: string | undefined): Promise<Expiring<Token>> => {
    const reply = await exchange(ctx, tokenRequest(settings, endpoint, renewal, ctx), unaborted)
    const token = readTokenReply(reply, endpoint.issuers, ctx.clock())
    // A server that does not rotate its refresh tokens leaves the one there is valid.
    return { ...token, value: { ...token.value, refreshToken: token.value.refreshToken ?? renewal } }
  }
  if (settings.grant !== 'refresh_token' || refreshToken === undefined) return ask(undefined)
  try {
    return await ask(refreshToken)
  } catch (error) {
    if (error instanceof HttpCallError && error.kind === 'authentication') return ask(undefined)
    throw error
  }
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
