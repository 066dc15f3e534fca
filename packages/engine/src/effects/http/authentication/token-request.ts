import type { ExchangeRequest } from '#effects/http/exchange.ts'
import type { AuthenticationContext } from './authenticator.ts'
import { proveClient } from './client-authentication.ts'
import type { TokenSettings } from './token-settings.ts'

/**
 * The request that asks a token endpoint for a token; `refreshToken` is what the server gave last time, if it gave one.
 * Sources: RFC 6749, sections 4.3, 4.4 and 6; RFC 8693, section 2.1.
 */
export function tokenRequest(
  settings: TokenSettings,
  endpoint: { readonly url: string; readonly audience: string },
  refreshToken: string | undefined,
  ctx: AuthenticationContext,
): ExchangeRequest {
  const proof = proveClient(settings, endpoint.audience, ctx)
  const params: readonly (readonly [string, string])[] = [
    ['grant_type', settings.grant],
    ...grantParams(settings, refreshToken),
    ...(settings.scopes.length === 0 ? [] : [['scope', settings.scopes.join(' ')] as const]),
    ...settings.audiences.map((audience) => ['audience', audience] as const),
    ...Object.entries(proof.params),
  ]
  const headers = { accept: 'application/json', 'content-type': settings.encoding, 'user-agent': 'millrace', ...proof.headers }
  return { method: 'POST', url: endpoint.url, headers, body: encode(params, settings.encoding), followRedirects: false }
}

function grantParams(settings: TokenSettings, refreshToken: string | undefined): readonly (readonly [string, string])[] {
  const { grant, username = '', password = '', subject, actor } = settings
  if (grant === 'client_credentials') return []
  if (grant === 'password') {
    return [
      ['username', username],
      ['password', password],
    ]
  }
  if (grant === 'refresh_token') return [['refresh_token', refreshToken ?? subject?.token ?? '']]
  return [
    ['subject_token', subject?.token ?? ''],
    ['subject_token_type', subject?.type ?? ''],
    ...(actor === undefined
      ? []
      : ([
          ['actor_token', actor.token],
          ['actor_token_type', actor.type],
        ] as const)),
  ]
}

/** As JSON, a parameter that occurs several times is an array. */
function encode(params: readonly (readonly [string, string])[], encoding: TokenSettings['encoding']): string {
  if (encoding !== 'application/json') return new URLSearchParams(params.map(([name, value]): [string, string] => [name, value])).toString()
  const grouped = Map.groupBy(params, ([name]) => name)
  return JSON.stringify(
    Object.fromEntries([...grouped].map(([name, pairs]) => [name, pairs.length === 1 ? pairs[0]?.[1] : pairs.map(([, value]) => value)])),
  )
}
