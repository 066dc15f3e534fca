import type { CustomFetch } from 'openid-client'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'

const timeoutMs = 10_000
const responseBytesMax = 512 * 1024

/** Sends the requests of openid-client through the guarded fetch, so that the metadata of a provider cannot lead into a private network. */
export function createProviderFetch(http: GuardedFetch): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const text = body instanceof URLSearchParams ? body.toString() : body
    if (text !== undefined && text !== null && typeof text !== 'string') throw new Error('openid-client sent a body that is not text')
    const reply = await http.request(
      {
        method,
        url,
        headers,
        ...(typeof text === 'string' ? { body: text } : {}),
        followRedirects: false,
        timeoutMs,
        maxResponseBytes: responseBytesMax,
      },
      signal ?? new AbortController().signal,
    )
    const bare = reply.status === 204 || reply.status === 304 || reply.body.length === 0
    const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = reply.headers
    return new Response(bare ? null : Buffer.from(reply.body), { status: reply.status, headers: rest })
  }
}
