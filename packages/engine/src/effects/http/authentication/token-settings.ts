import type { JsonObject } from '#core/json.ts'
import { invalidPolicy } from '#effects/http/http-call-error.ts'
import type { TextMask } from '#core/secret-mask.ts'
import { optionalText, requiredText, section, textList } from './policy-text.ts'

const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const grants = ['client_credentials', 'password', 'refresh_token', tokenExchange] as const
const clientAuthentications = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'private_key_jwt', 'none'] as const
const encodings = ['application/x-www-form-urlencoded', 'application/json'] as const

type Grant = (typeof grants)[number]
type ClientAuthentication = (typeof clientAuthentications)[number]

interface SecurityToken {
  readonly token: string
  readonly type: string
}

/** The validated settings that `oauth2` and `oidc` policies share. */
export interface TokenSettings {
  readonly authority: string
  readonly grant: Grant
  readonly client: {
    readonly id: string | undefined
    readonly secret: string | undefined
    readonly assertion: string | undefined
    readonly authentication: ClientAuthentication
  }
  readonly encoding: (typeof encodings)[number]
  readonly issuers: readonly string[]
  readonly scopes: readonly string[]
  readonly audiences: readonly string[]
  readonly username: string | undefined
  readonly password: string | undefined
  readonly subject: SecurityToken | undefined
  readonly actor: SecurityToken | undefined
}

/** Checks a policy; throws a configuration error for what no authorization server could be asked. Source: DSL reference, OAUTH2 Authentication. */
export function parseTokenSettings(policy: JsonObject, scheme: 'oauth2' | 'oidc', mask: TextMask): TokenSettings {
  const settings: TokenSettings = {
    authority: requiredText(policy, scheme, 'authority'),
    grant: parseGrant(requiredText(policy, scheme, 'grant'), scheme),
    client: parseClient(section(policy, scheme, 'client'), scheme),
    encoding: oneOf(
      encodings,
      optionalText(section(policy, scheme, 'request'), scheme, 'encoding') ?? encodings[0],
      `${scheme}.request.encoding`,
    ),
    issuers: textList(policy, scheme, 'issuers'),
    scopes: textList(policy, scheme, 'scopes'),
    audiences: textList(policy, scheme, 'audiences'),
    username: optionalText(policy, scheme, 'username'),
    password: optionalText(policy, scheme, 'password'),
    subject: parseToken(policy, scheme, 'subject'),
    actor: parseToken(policy, scheme, 'actor'),
  }
  const { client, password, subject, actor } = settings
  for (const secret of [client.secret, client.assertion, password, subject?.token, actor?.token]) if (secret !== undefined) mask.add(secret)
  checkGrant(settings, scheme)
  return settings
}

function parseGrant(grant: string, scheme: string): Grant {
  if (grant === 'authorization_code') {
    throw invalidPolicy(`"${scheme}.grant" authorization_code needs a person with a browser; a workflow can use ${grants.join(', ')}.`)
  }
  return oneOf(grants, grant, `${scheme}.grant`)
}

function parseClient(client: JsonObject, scheme: string): TokenSettings['client'] {
  const authentication = oneOf(
    clientAuthentications,
    optionalText(client, scheme, 'authentication') ?? 'client_secret_post',
    `${scheme}.client.authentication`,
  )
  const id = optionalText(client, scheme, 'id')
  const secret = optionalText(client, scheme, 'secret')
  const assertion = optionalText(client, scheme, 'assertion')
  if (id === undefined && authentication !== 'none') throw invalidPolicy(`"${scheme}.client.id" is missing.`)
  if (secret === undefined && authentication === 'client_secret_basic') {
    throw invalidPolicy(`"${scheme}.client.secret" is missing, which client_secret_basic needs.`)
  }
  if (secret === undefined && assertion === undefined && authentication === 'client_secret_jwt') {
    throw invalidPolicy(
      `"${scheme}.client.secret" is missing, and so is "${scheme}.client.assertion": client_secret_jwt needs one of the two.`,
    )
  }
  if (assertion === undefined && authentication === 'private_key_jwt') {
    throw invalidPolicy(`"${scheme}.client.assertion" is missing, which private_key_jwt needs.`)
  }
  return { id, secret, assertion, authentication }
}

/** The DSL names no property for the refresh token: it is the subject, on whose behalf the request is made. */
function checkGrant({ grant, username, password, subject }: TokenSettings, scheme: string): void {
  if (grant === 'password' && (username === undefined || password === undefined)) {
    throw invalidPolicy(`The grant password needs "${scheme}.username" and "${scheme}.password".`)
  }
  if ((grant === 'refresh_token' || grant === tokenExchange) && subject === undefined) {
    throw invalidPolicy(`The grant ${grant} needs "${scheme}.subject" with the token and its type.`)
  }
}

function parseToken(policy: JsonObject, scheme: string, name: 'subject' | 'actor'): SecurityToken | undefined {
  if (policy[name] === undefined || policy[name] === null) return undefined
  const value = section(policy, scheme, name)
  const type = requiredText(value, `${scheme}.${name}`, 'type')
  return {
    token: requiredText(value, `${scheme}.${name}`, 'token'),
    type: type.includes(':') ? type : `urn:ietf:params:oauth:token-type:${type}`,
  }
}

function oneOf<T extends string>(allowed: readonly T[], value: string, name: string): T {
  const found = allowed.find((item) => item === value)
  if (found === undefined) throw invalidPolicy(`"${name}" is ${JSON.stringify(value)}; it must be one of ${allowed.join(', ')}.`)
  return found
}
