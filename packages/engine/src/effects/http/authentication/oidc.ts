import { isObject, type JsonObject } from '#core/json.ts'
import { exchange, describeRequest } from '#effects/http/exchange.ts'
import { parseContent } from '#effects/http/content.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import { expandUriTemplate } from '#effects/http/url.ts'
import type { AuthenticationContext, Authenticator } from './authenticator.ts'
import type { ProviderMetadata } from './credential-cache.ts'
import type { Expiring } from './expiring-cache.ts'
import { authorityUrl, policyUrl } from './policy-text.ts'
import { tokenAuthenticator } from './token-authenticator.ts'
import { parseTokenSettings, type TokenSettings } from './token-settings.ts'

/** OpenID Connect: OAuth 2.0 whose token endpoint is named in the provider's configuration document. Source: OpenID Connect Discovery 1.0. */
export function oidcAuthenticator(policy: JsonObject, ctx: AuthenticationContext): Authenticator {
  const settings = parseTokenSettings(policy, 'oidc', ctx.mask)
  const authority = authorityUrl('oidc.authority', expandUriTemplate(settings.authority, ctx.uriVariables)).replace(wellKnown, '')
  const located: TokenSettings = { ...settings, authority }
  return tokenAuthenticator(
    located,
    async () => {
      const provider = await ctx.credentials.providers.take(authority, () => discover(authority, ctx))
      checkIssuer(provider.issuer, located)
      return { url: provider.tokenEndpoint, audience: provider.issuer, issuers: settings.issuers }
    },
    ctx,
  )
}

const wellKnown = /\/\.well-known\/openid-configuration$/
const metadataMs = 10 * 60_000
const unaborted = new AbortController().signal

async function discover(authority: string, ctx: AuthenticationContext): Promise<Expiring<ProviderMetadata>> {
  const url = `${authority}/.well-known/openid-configuration`
  const subject = describeRequest('GET', url)
  const headers = { accept: 'application/json', 'user-agent': 'millrace' }
  const reply = await exchange(ctx, { method: 'GET', url, headers, followRedirects: false }, unaborted)
  if (reply.status !== 200) {
    throw new HttpCallError('communication', `${subject} answered ${reply.status}, so the OpenID provider is unknown.`, {
      status: reply.status,
    })
  }
  const document = parseContent(reply.body, 'application/json')
  const issuer = isObject(document) ? document['issuer'] : undefined
  const tokenEndpoint = isObject(document) ? document['token_endpoint'] : undefined
  if (typeof issuer !== 'string' || typeof tokenEndpoint !== 'string') {
    throw new HttpCallError('communication', `${subject} names no issuer or no token endpoint.`, { status: 502, title: 'Invalid response' })
  }
  return { value: { issuer, tokenEndpoint: policyUrl('token_endpoint', tokenEndpoint) }, expiresAtMs: ctx.clock() + metadataMs }
}

/** A provider that says it is someone else is refused, unless the policy lists that name. OpenID Connect Discovery 1.0, section 4.3. */
function checkIssuer(issuer: string, { authority, issuers }: TokenSettings): void {
  if (issuer.replace(/\/+$/, '') === authority || issuers.includes(issuer)) return
  throw new HttpCallError(
    'authentication',
    `The OpenID provider at ${authority} says that it is ${issuer}; list that under "oidc.issuers" to accept it.`,
  )
}
