import type { JsonObject } from '#core/json.ts'
import { expandUriTemplate } from '#effects/http/uri-template.ts'
import type { AuthenticationContext, Authenticator } from './authenticator.ts'
import { optionalText, section } from './policy-text.ts'
import { authorityUrl, policyUrl } from './policy-url.ts'
import { tokenAuthenticator } from './token-authenticator.ts'
import { parseTokenSettings } from './token-settings.ts'

/** OAuth 2.0 with a token endpoint under the authority, `/oauth2/token` unless the policy says where. Source: RFC 6749. */
export function oauth2Authenticator(policy: JsonObject, ctx: AuthenticationContext): Authenticator {
  const settings = parseTokenSettings(policy, 'oauth2', ctx.mask)
  const authority = authorityUrl('oauth2.authority', expandUriTemplate(settings.authority, ctx.uriVariables))
  const path = expandUriTemplate(
    optionalText(section(policy, 'oauth2', 'endpoints'), 'oauth2', 'token') ?? '/oauth2/token',
    ctx.uriVariables,
  )
  // The path is relative to the authority, whose own path stays: not what URL resolution would make of a leading slash.
  const url = policyUrl('oauth2.endpoints.token', /^[a-z][a-z0-9+.-]*:\/\//i.test(path) ? path : `${authority}/${path.replace(/^\/+/, '')}`)
  const located = { ...settings, authority: url }
  return tokenAuthenticator(located, async () => ({ url, audience: settings.issuers[0] ?? authority, issuers: settings.issuers }), ctx)
}
