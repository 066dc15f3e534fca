import type { DurationPart } from '#src/duration.ts'
import {
  any,
  condition,
  enclosed,
  expression,
  formatted,
  integer,
  jsonSchema,
  keyed,
  list,
  literal,
  map,
  must,
  object,
  oneOf,
  reference,
  text,
  union,
  variants,
} from './build.ts'
import { intervalRule } from './interval.ts'
import type { ObjectRule, TypeOf } from './shape.ts'

/** The author's own data that must be an object. */
export const anyObject = map('an object', any)

const amount = integer({ min: 0 })

const durationParts = {
  days: amount,
  hours: amount,
  minutes: amount,
  seconds: amount,
  milliseconds: amount,
} as const satisfies Record<DurationPart, unknown>

const durationExample = 'for example PT30S, PT5M, P1DT12H, or { minutes: 5 }'

const partialDuration = object('a duration', durationParts, { entriesMin: 1 })

/** A duration given by its parts; at least one of them, all whole numbers that are not negative. */
export interface DurationParts extends TypeOf<typeof partialDuration> {}

export const duration = union('a duration', { string: formatted('duration'), object: partialDuration }, { example: durationExample })

/** An ISO 8601 duration, a runtime expression that gives one, or its parts (dsl-reference, Duration). */
export type Duration = TypeOf<typeof duration>

/** A duration between starts of a workflow. */
export const interval = union(
  'a duration',
  { string: formatted('interval', 'literal'), object: object('a duration', durationParts, { entriesMin: 1, rule: intervalRule }) },
  { example: durationExample },
)

export const timeoutDefinition = object('a timeout', { after: must(duration) })

/** The task or workflow fails when `after` has passed (dsl-reference, Timeout). */
export interface Timeout extends TypeOf<typeof timeoutDefinition> {}

export const timeout = union(
  'a timeout, or the name of one of use.timeouts',
  { string: reference('timeout'), object: timeoutDefinition },
  { example: 'timeout: { after: PT30S }' },
)

const secret = object('a reference to a secret', { use: must({ ...reference('secret'), lengthMin: 1 }) })

/** The name of a secret of `use.secrets` that contains the whole configuration of the scheme. */
export interface SecretReference extends TypeOf<typeof secret> {}

const credential = { ...text, credential: true }

const usernamePassword = object('the credentials', { username: must(text), password: must(credential) })

export interface UsernamePassword extends TypeOf<typeof usernamePassword> {}

const password = keyed({ use: secret }, usernamePassword)

const bearerToken = object('the credentials', { token: must(credential) })

export interface BearerToken extends TypeOf<typeof bearerToken> {}

const securityToken = object('a security token', { token: must(credential), type: must(text) })

/** The token of a subject or an actor, for a token exchange. */
export interface OAuth2Token extends TypeOf<typeof securityToken> {}

/** The credentials that a method of client authentication requires; one of them must be present. */
const proofs: Readonly<Record<string, readonly string[]>> = {
  client_secret_basic: ['secret'],
  client_secret_jwt: ['secret', 'assertion'],
  private_key_jwt: ['assertion'],
}

const clientHasProof: ObjectRule = (client) => {
  const method = typeof client['authentication'] === 'string' ? client['authentication'] : ''
  const proof = Object.hasOwn(proofs, method) ? (proofs[method] ?? []) : []
  if (proof.length === 0 || proof.some((key) => key in client)) return undefined
  const message = `An OAuth 2.0 client with ${method} needs ${proof.map((key) => JSON.stringify(key)).join(' or ')}.`
  return { code: 'missing_property', message, hint: `Add ${proof[0]}: to it.` }
}

const clientAuthentication = oneOf('client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'private_key_jwt', 'none')

export type OAuth2ClientAuthentication = TypeOf<typeof clientAuthentication>

const oauthClient = object(
  'an OAuth 2.0 client',
  { id: text, secret: credential, assertion: credential, authentication: clientAuthentication },
  { rule: clientHasProof },
)

export interface OAuth2Client extends TypeOf<typeof oauthClient> {}

const tokenRequest = object('an OAuth 2.0 token request', {
  encoding: oneOf('application/x-www-form-urlencoded', 'application/json'),
})

export interface OAuth2TokenRequest extends TypeOf<typeof tokenRequest> {}

const oauth = {
  client: oauthClient,
  request: tokenRequest,
  issuers: list('issuers', text),
  scopes: list('scopes', text),
  audiences: list('audiences', text),
  username: text,
  password: credential,
  subject: securityToken,
  actor: securityToken,
}

const authority = { authority: must(formatted('uri', 'literal')) }

const oauth2Grant = oneOf(
  'authorization_code',
  'client_credentials',
  'password',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:token-exchange',
)

export type OAuth2Grant = TypeOf<typeof oauth2Grant>

const grant = { grant: must(oauth2Grant) }

const path = formatted('uriTemplate', 'literal')
const endpoints = object('the endpoints of the authority', { token: path, revocation: path, introspection: path })

/** Paths relative to the authority. */
export interface OAuth2Endpoints extends TypeOf<typeof endpoints> {}

const oauth2Properties = object('the configuration of OAuth 2.0', { ...authority, endpoints, ...grant, ...oauth })

export interface OAuth2Properties extends TypeOf<typeof oauth2Properties> {}

const oidcProperties = object('the configuration of OpenID Connect', { ...authority, ...grant, ...oauth })

/** The configuration of OpenID Connect; the endpoints come from the authority's discovery document. */
export interface OidcProperties extends TypeOf<typeof oidcProperties> {}

const schemes = {
  basic: password,
  bearer: keyed({ use: secret }, bearerToken),
  digest: password,
  oauth2: keyed({ use: secret }, oauth2Properties),
  oidc: keyed({ use: secret }, oidcProperties),
}

const schemeNames = ['basic', 'bearer', 'digest', 'oauth2', 'oidc'] as const

export const authenticationDefinition = variants('an authentication policy', schemes, schemeNames)

/** One scheme, decided by its only key (dsl-reference, Authentication). */
export type AuthenticationPolicy = TypeOf<typeof authenticationDefinition>

export const authentication = variants('an authentication policy', { use: { ...reference('authentication'), lengthMin: 1 }, ...schemes }, [
  'use',
  ...schemeNames,
])

/** A policy, or `use` with the name of a policy of `use.authentications`. */
export type ReferenceableAuthentication = TypeOf<typeof authentication>

const endpointObject = object('an endpoint', { uri: must(formatted('uri')), authentication })

export interface EndpointObject extends TypeOf<typeof endpointObject> {}

export const endpoint = union('a URI, an expression that gives one, or an endpoint object', {
  string: formatted('uri'),
  object: endpointObject,
})

/** A URI template, a runtime expression that gives a URI, or either of them with its authentication. */
export type Endpoint = TypeOf<typeof endpoint>

export const externalResource = object('an external resource', { name: text, endpoint: must(endpoint) })

export interface ExternalResource extends TypeOf<typeof externalResource> {}

/** `endpoint` is the root of the catalog. */
export const catalog = object('a catalog', { endpoint: must(endpoint) })

export interface Catalog extends TypeOf<typeof catalog> {}

/** `format` defaults to `json`; `json:2020-12` names a version. */
export const schema = variants('a schema', { format: literal, document: jsonSchema, resource: externalResource }, ['document', 'resource'])

/** A schema of data, inline or as an external resource (dsl-reference, Schema). */
export type Schema = TypeOf<typeof schema>

/** A mapping written as one expression, or as an object with expressions in it. */
const transformation = union('an expression, or an object with expressions in it', { string: expression, object: anyObject })

export type Transformation = TypeOf<typeof transformation>

export const input = object('an input', { schema, from: transformation })
export const output = object('an output', { schema, as: transformation })
export const exported = object('an export', { schema, as: transformation })

export interface Input extends TypeOf<typeof input> {}
export interface Output extends TypeOf<typeof output> {}
export interface Export extends TypeOf<typeof exported> {}

export const error = object('an error', {
  type: must(formatted('uri')),
  status: must(integer()),
  instance: formatted('pointer'),
  title: text,
  detail: text,
})

/** An error as the definition describes it (RFC 7807). */
export interface ErrorDefinition extends TypeOf<typeof error> {}

/** Matches errors whose properties all equal the given ones; `details` is the schema's spelling of `detail`. */
export const errorFilter = object(
  'an error filter',
  { type: literal, status: integer(), instance: literal, title: literal, detail: literal, details: literal },
  { entriesMin: 1 },
)

export interface ErrorFilter extends TypeOf<typeof errorFilter> {}

const backoff = object(
  'a backoff',
  { constant: anyObject, exponential: anyObject, linear: anyObject },
  { exactlyOne: [['constant', 'exponential', 'linear']] },
)

export interface Backoff extends TypeOf<typeof backoff> {}

const retryLimit = object('a retry limit', {
  attempt: object('a limit of attempts', { count: integer(), duration }),
  duration,
})

export interface RetryLimit extends TypeOf<typeof retryLimit> {}

export const retryPolicy = object('a retry policy', {
  when: condition,
  exceptWhen: condition,
  delay: duration,
  backoff,
  limit: retryLimit,
  jitter: object('a jitter', { from: must(duration), to: must(duration) }),
})

/** How a failed try is repeated (dsl-reference, Retry). */
export interface RetryPolicy extends TypeOf<typeof retryPolicy> {}

export const stringMap = map('a map of strings', text)

/** A map of strings, or one expression that gives it. */
export const stringMapOrExpression = union('a map of strings, or an expression in ${ … } that gives one', {
  string: enclosed,
  object: stringMap,
})
