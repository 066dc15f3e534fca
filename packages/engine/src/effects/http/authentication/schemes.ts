import type { JsonObject } from '#core/json.ts'
import { invalidPolicy } from '#effects/http/http-call-error.ts'
import { expandUriTemplate } from '#effects/http/url.ts'
import { type AuthenticationContext, type Authenticator, fixedAuthorization } from './authenticator.ts'
import { authorityUrl, optionalText, policyUrl, requiredText, section } from './policy-text.ts'
import { tokenAuthenticator } from './token-authenticator.ts'
import { parseTokenSettings } from './token-settings.ts'

/** HTTP Basic with the user name and password in UTF-8. Source: RFC 7617. */
export function basicAuthenticator(policy: JsonObject, { mask }: AuthenticationContext): Authenticator {
  const username = requiredText(policy, 'basic', 'username')
  const password = requiredText(policy, 'basic', 'password')
  if (username.includes(':')) throw invalidPolicy('The user name of "basic" authentication cannot contain a colon.')
  const credentials = `${username}:${password}`
  mask.add(password)
  mask.add(credentials)
  return fixedAuthorization(`Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`)
}

/** A bearer token as it is given. Source: RFC 6750. */
export function bearerAuthenticator(policy: JsonObject, { mask }: AuthenticationContext): Authenticator {
  const bearer = requiredText(policy, 'bearer', 'token').trim()
  mask.add(bearer)
  if (!/^[\x21-\x7e]+$/.test(bearer))
    throw invalidPolicy('The token of "bearer" authentication is empty, or has characters that no token has.')
  return fixedAuthorization(`Bearer ${bearer}`)
}

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
