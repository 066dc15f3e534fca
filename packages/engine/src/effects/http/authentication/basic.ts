import type { JsonObject } from '#core/json.ts'
import { invalidPolicy } from '#effects/http/http-call-error.ts'
import { type AuthenticationContext, type Authenticator, fixedAuthorization } from './authenticator.ts'
import { requiredText } from './policy-text.ts'

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
