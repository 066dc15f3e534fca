/** Headers of every response. The policy fits JSON, which loads nothing; the reference page brings its own. */
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
