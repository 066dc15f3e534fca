import { NetError } from '#platform/net/net-error.ts'
import type { GuardedFetch, OutgoingRequest } from '#platform/net/guarded-fetch.ts'
import { readIdentity } from './client-identity.ts'
import type { UsableConnection } from './model.ts'

export type Http = Pick<GuardedFetch, 'request'>

/**
 * An HTTP client that adds the credentials of a connection to every request. It refuses requests that lead elsewhere than below the address of the
 * connection, so that no definition can send the credentials to another place.
 */
export function authorisedPort(http: Http, connection: UsableConnection): Http {
  return { request: async (request, signal) => http.request(within(authorise(request, connection), connection), signal) }
}

/** A redirect to the same origin takes the credentials along, so it too must lead below the address. Those to another origin lose them. */
function within(request: OutgoingRequest, { settings }: UsableConnection): OutgoingRequest {
  if (!request.followRedirects || !('url' in settings)) return request
  const base = settings.url
  return {
    ...request,
    async admitHop(url) {
      if (new URL(url).origin === new URL(base).origin) assertBelow(base, url)
      await request.admitHop?.(url)
    },
  }
}

function authorise(request: OutgoingRequest, { settings, secrets, accessToken }: UsableConnection): OutgoingRequest {
  if (!('url' in settings)) throw new NetError('denied', `a connection of the kind ${settings.kind} is not for HTTP`)
  assertBelow(settings.url, request.url)
  switch (settings.kind) {
    case 'api-key':
      return withKey(request, settings, secrets['key'] ?? '')
    case 'bearer':
      return withHeader(request, 'authorization', `Bearer ${secrets['token'] ?? ''}`)
    case 'basic': {
      const credentials = Buffer.from(`${settings.username}:${secrets['password'] ?? ''}`, 'utf8').toString('base64')
      return withHeader(request, 'authorization', `Basic ${credentials}`)
    }
    case 'oauth2':
      return withHeader(request, 'authorization', `Bearer ${accessToken ?? ''}`)
    case 'mutual-tls': {
      const client = readIdentity(secrets['identity'] ?? '', settings.caCertificate)
      if ('problem' in client) throw new NetError('tls', client.problem)
      return { ...request, client }
    }
    case 's3':
      // Its requests are signed one by one.
      return request
  }
}

function assertBelow(base: string, target: string): void {
  const [allowed, given] = [new URL(base), new URL(target)]
  const root = allowed.pathname.replace(/\/+$/, '')
  const isBelow = given.origin === allowed.origin && (given.pathname === root || given.pathname.startsWith(`${root}/`))
  if (!isBelow || leadsUp.test(given.pathname))
    throw new NetError('denied', `the credentials of the connection are for ${allowed.origin}${allowed.pathname} alone`)
}

/** What a service that decodes a path before it reads it takes for `..`, which a URL has no more. */
const leadsUp = /(?:^|\/|%2f|%5c|\\)(?:\.|%2e){2}(?:$|\/|%2f|%5c|\\|;)/i

function withKey(
  request: OutgoingRequest,
  { url: base, in: place, keyName }: { readonly url: string; readonly in: 'header' | 'query' | 'path'; readonly keyName: string },
  key: string,
): OutgoingRequest {
  if (place === 'header') return withHeader(request, keyName.toLowerCase(), key)
  const url = new URL(request.url)
  if (place === 'query') {
    const pair = `${encodeURIComponent(keyName)}=${encodeURIComponent(key)}`
    url.search = url.search === '' ? pair : `${url.search}&${pair}`
  } else {
    const root = new URL(base).pathname.replace(/\/+$/, '')
    // A colon is part of the keys of some services, and needs no escape in a path.
    const segment = encodeURIComponent(key).replaceAll('%3A', ':')
    url.pathname = `${root}/${keyName}${segment}${url.pathname.slice(root.length)}`
  }
  return { ...request, url: url.href }
}

function withHeader(request: OutgoingRequest, name: string, value: string): OutgoingRequest {
  return { ...request, headers: { ...request.headers, [name]: value } }
}
