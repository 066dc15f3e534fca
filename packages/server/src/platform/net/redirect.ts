import type { WireReply, WireRequest } from './exchange.ts'
import { NetError } from './net-error.ts'

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * The request that a redirect leads to; undefined when the reply is not a redirect, or has no `Location`.
 *
 * Methods change as in browsers: 303 makes everything but HEAD a GET, 301 and 302 make a POST one. Another origin gets only
 * headers that cannot be credentials: not `Authorization` and `Cookie`, and no header set by the author, since such headers may contain keys.
 * Source: Fetch standard, HTTP-redirect fetch; RFC 9110, section 15.4.
 */
export function redirected(request: WireRequest, reply: WireReply): WireRequest | undefined {
  const location = reply.headers['location']
  if (location === undefined || !redirectStatuses.has(reply.status)) return undefined
  const url = targetOf(location, request.url)
  const headers = url.origin === request.url.origin ? request.headers : pick(request.headers, harmless)
  if (!becomesGet(request.method, reply.status)) return { ...request, url, headers }
  return { method: 'GET', url, headers: omit(headers, ofBody), body: undefined }
}

function targetOf(location: string, base: URL): URL {
  if (!URL.canParse(location, base.href)) throw new NetError('redirects', 'the reply redirects to an invalid URL')
  const url = new URL(location, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new NetError('redirects', `the reply redirects to ${JSON.stringify(url.protocol)}, which is not HTTP`)
  }
  url.username = ''
  url.password = ''
  url.hash = ''
  return url
}

function becomesGet(method: string, status: number): boolean {
  return (status === 303 && method !== 'HEAD' && method !== 'GET') || ((status === 301 || status === 302) && method === 'POST')
}

const harmless: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'content-language',
  'idempotency-key',
  // A redirect must not hide a loop.
  'millrace-depth',
  'user-agent',
])
const ofBody: ReadonlySet<string> = new Set(['content-type', 'content-language', 'content-encoding', 'content-location'])

type Headers = Readonly<Record<string, string>>

function pick(headers: Headers, names: ReadonlySet<string>): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.has(name.toLowerCase())))
}

function omit(headers: Headers, names: ReadonlySet<string>): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase())))
}
