import type { FastifyReply, FastifyRequest } from 'fastify'

const exposed = [
  'ETag',
  'Idempotent-Replayed',
  'Location',
  'Preference-Applied',
  'RateLimit-Limit',
  'RateLimit-Policy',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-ID',
].join(', ')
const allowed = 'Authorization, Content-Type, Idempotency-Key, If-Match, Prefer, X-Request-ID'
const preflightSeconds = '7200'

/**
 * Makes the hook for cross-origin requests: it sets the headers by which browsers let other origins read a response, and responds to preflights, for
 * which it returns true.
 *
 * Credentials are sent in `Authorization` and never in cookies, so `Access-Control-Allow-Credentials` is never sent. `undefined` when no origin is allowed.
 */
export function createCors(origins: readonly string[]): ((request: FastifyRequest, reply: FastifyReply) => boolean) | undefined {
  if (origins.length === 0) return undefined
  const any = origins.includes('*')
  const known = new Set(origins)
  return (request, reply) => {
    const { origin } = request.headers
    if (!any) reply.header('vary', 'Origin')
    if (origin === undefined || !(any || known.has(origin))) return false
    reply
      .header('access-control-allow-origin', any ? '*' : origin)
      .header('access-control-expose-headers', exposed)
      .header('cross-origin-resource-policy', 'cross-origin')
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false
    void reply
      .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
      .header('access-control-allow-headers', allowed)
      .header('access-control-max-age', preflightSeconds)
      .code(204)
      .send()
    return true
  }
}

/** Security headers of every response. The content policy suits JSON, which loads nothing; the reference page has its own. */
export function securityHeaders(hsts: boolean): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(hsts ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}
