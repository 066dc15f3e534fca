import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { requestTimeoutMs, responseBytesMax } from './provider.ts'

/** The guarded fetch in the form of the standard one, for clients of providers. */
export function asFetch(http: Pick<GuardedFetch, 'request'>): typeof fetch {
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input)
    const { status, headers, body } = await http.request(
      {
        method: init.method ?? 'GET',
        url,
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(typeof init.body === 'string' && init.body !== '' ? { body: init.body } : {}),
        followRedirects: false,
        timeoutMs: requestTimeoutMs,
        maxResponseBytes: responseBytesMax,
      },
      init.signal ?? new AbortController().signal,
    )
    return new Response(status === 204 ? null : Buffer.from(body), { status, headers })
  }
}
