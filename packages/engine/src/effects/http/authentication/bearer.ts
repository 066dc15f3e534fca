import type { JsonObject } from '#core/json.ts'
import { invalidPolicy } from '#effects/http/http-call-error.ts'
import { type AuthenticationContext, type Authenticator, fixedAuthorization } from './authenticator.ts'
import { requiredText } from './policy-text.ts'

/** A bearer token as it is given. Source: RFC 6750. */
export function bearerAuthenticator(policy: JsonObject, { mask }: AuthenticationContext): Authenticator {
  const bearer = requiredText(policy, 'bearer', 'token').trim()
  mask.add(bearer)
  if (!/^[\x21-\x7e]+$/.test(bearer))
    throw invalidPolicy('The token of "bearer" authentication is empty, or has characters that no token has.')
  return fixedAuthorization(`Bearer ${bearer}`)
}
