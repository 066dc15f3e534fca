import { accessToken, sessionRefused, tokenInsteadOf } from '#src/session/session.ts'
import { fetchWithinRate } from '#src/session/fetch-within-rate.ts'
import { proveIdentity } from '#src/session/step-up.ts'

const scheme = 'Bearer '

/**
 * Sends a request, again after a rate limit that it exceeded. An operation that asks for a proof of identity is repeated after the person gave it. A token that another tab has replaced is replaced
 * here too; a session that has ended opens the sheet that asks to sign in again.
 */
export async function sessionFetch(url: string, init: RequestInit): Promise<Response> {
  const credential = new Headers(init.headers).get('authorization')
  // Without a session there is no frame that would say that the page waits.
  const response = credential === null ? await fetch(url, init) : await fetchWithinRate(url, init)
  if (response.ok || credential === null) return response
  const code = await codeOf(response)
  if (code === 'insufficient_authentication')
    return (await proveIdentity()) ? fetch(url, withToken(init, (await accessToken()) ?? '')) : response
  if (code !== 'unauthenticated' && code !== 'token_expired') return response
  const token = await tokenInsteadOf(credential.slice(scheme.length))
  const repeated = token === undefined ? response : await fetch(url, withToken(init, token))
  // Without another token the session is over also for a token that only expired: the person signed out in another tab.
  if (token === undefined || (repeated.status === 401 && (await codeOf(repeated)) === 'unauthenticated')) sessionRefused()
  return repeated
}

function withToken(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers)
  headers.set('authorization', `${scheme}${token}`)
  return { ...init, headers }
}

async function codeOf(response: Response): Promise<unknown> {
  if (response.status !== 401 && response.status !== 403) return undefined
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return Object(problem).code
}
