import { sessionRefused } from '#src/session/session.ts'
import { proveIdentity } from '#src/session/step-up.ts'

/**
 * Sends a request. A refused credential opens the sheet that asks to sign in again; an operation that asks for a proof of identity is repeated after the
 * person gave it.
 */
export async function sessionFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (response.ok || !new Headers(init.headers).has('authorization')) return response
  const code = await codeOf(response)
  if (code === 'insufficient_authentication') return (await proveIdentity()) ? fetch(url, init) : response
  if (response.status === 401) sessionRefused()
  return response
}

async function codeOf(response: Response): Promise<unknown> {
  if (response.status !== 401 && response.status !== 403) return undefined
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return Object(problem).code
}
