import { isObject, type Json, type JsonObject, parseObject, textsIn } from '#core/json.ts'
import { HttpCallError, invalidPolicy } from '#effects/http/http-call-error.ts'
import type { AuthenticationContext, Authenticator } from './authenticator.ts'
import { basicAuthenticator, bearerAuthenticator, oauth2Authenticator } from './schemes.ts'
import { digestAuthenticator } from './digest.ts'
import { oidcAuthenticator } from './oidc.ts'

const schemes = ['basic', 'bearer', 'digest', 'oauth2', 'oidc'] as const
type Scheme = (typeof schemes)[number]

const factories: Readonly<Record<Scheme, (settings: JsonObject, ctx: AuthenticationContext) => Authenticator>> = {
  basic: basicAuthenticator,
  bearer: bearerAuthenticator,
  digest: digestAuthenticator,
  oauth2: oauth2Authenticator,
  oidc: oidcAuthenticator,
}

/**
 * Makes the authenticator of a policy: `{ use }` for a named one, otherwise exactly one scheme, whose settings stand inline or in the
 * secret that its `use` names. Source: DSL reference, Authentication.
 */
export async function createAuthenticator(policy: Json | undefined, ctx: AuthenticationContext): Promise<Authenticator | undefined> {
  if (policy === undefined) return undefined
  const { scheme, settings } = pickScheme(named(policy, ctx))
  return factories[scheme](await resolveSecret(scheme, settings, ctx), ctx)
}

function named(policy: Json, ctx: AuthenticationContext): JsonObject {
  if (!isObject(policy)) throw invalidPolicy('An authentication policy must be an object.')
  const name = policy['use']
  if (name === undefined) return policy
  if (typeof name !== 'string') throw invalidPolicy('"authentication.use" must be the name of a policy under use.authentications.')
  const found = ctx.authentication(name)
  if (!isObject(found)) throw invalidPolicy(`There is no authentication policy "${name}" under use.authentications.`)
  if ('use' in found) throw invalidPolicy(`The authentication policy "${name}" refers to another one; it must name a scheme.`)
  return found
}

function pickScheme(policy: JsonObject): { readonly scheme: Scheme; readonly settings: JsonObject } {
  const present = schemes.filter((name) => policy[name] !== undefined && policy[name] !== null)
  const [scheme, second] = present
  if (scheme === undefined) throw invalidPolicy(`An authentication policy must have one of ${schemes.join(', ')}.`)
  if (second !== undefined) throw invalidPolicy(`An authentication policy has both ${scheme} and ${second}; keep one.`)
  const settings = policy[scheme]
  if (!isObject(settings)) throw invalidPolicy(`"${scheme}" authentication must be an object.`)
  return { scheme, settings }
}

async function resolveSecret(scheme: Scheme, settings: JsonObject, ctx: AuthenticationContext): Promise<JsonObject> {
  const name = settings['use']
  if (name === undefined) return settings
  if (typeof name !== 'string') throw invalidPolicy(`"${scheme}.use" must be the name of a secret.`)
  const secret = await ctx.secret(name)
  if (secret === undefined) {
    throw new HttpCallError('authorization', `The secret "${name}" does not exist, or this workflow may not read it.`)
  }
  for (const text of textsIn(secret)) ctx.mask.add(text)
  return secretSettings(scheme, name, secret)
}

/** A secret contains the settings as an object or as JSON text; a secret for a bearer token may be the plain token. */
function secretSettings(scheme: Scheme, name: string, secret: Json): JsonObject {
  if (isObject(secret)) return secret
  const parsed = typeof secret === 'string' ? parseObject(secret) : undefined
  if (parsed !== undefined) return parsed
  if (scheme === 'bearer' && typeof secret === 'string') return { token: secret }
  throw invalidPolicy(`The secret "${name}" must contain an object with the settings of "${scheme}" authentication.`)
}
