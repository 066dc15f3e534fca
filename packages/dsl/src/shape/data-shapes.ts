import { oauth2ClientAuthentications, oauth2Grants } from '#src/types/choices.ts'
import {
  any,
  enclosed,
  expression,
  formatted,
  integer,
  keyed,
  list,
  literal,
  map,
  must,
  object,
  oneOf,
  opaque,
  reference,
  text,
  union,
} from './build.ts'
import { intervalRule } from './interval.ts'
import type { ObjectRule, ObjectShape, Shape, StringShape } from './shape.ts'

/** Data of the author's that has to be an object. */
export const anyObject = map('an object', any)

const amount = integer({ min: 0 })

const durationParts = { days: amount, hours: amount, minutes: amount, seconds: amount, milliseconds: amount }

const durationExample = 'for example PT30S, PT5M, P1DT12H, or { minutes: 5 }'

export const duration = union('a duration', {
  example: durationExample,
  string: formatted('duration'),
  object: object('a duration', durationParts, { entriesMin: 1 }),
})

/** A duration between starts of a workflow. */
export const interval = union('a duration', {
  example: durationExample,
  string: formatted('interval', 'literal'),
  object: object('a duration', durationParts, { entriesMin: 1, rule: intervalRule }),
})

export const timeoutDefinition = object('a timeout', { after: must(duration) })

export const timeout = union('a timeout, or the name of one of use.timeouts', {
  string: reference('timeout'),
  object: timeoutDefinition,
})

const secret = object('a reference to a secret', { use: must({ ...reference('secret'), lengthMin: 1 }) })

const credential: StringShape = { ...text, credential: true }

const password = keyed({ use: secret }, object('the credentials', { username: must(text), password: must(credential) }))

const securityToken = object('a security token', { token: must(credential), type: must(text) })

/** What a client needs to prove who it is, where the reference or the method itself says so. */
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

const oauthClient = object(
  'an OAuth 2.0 client',
  { id: text, secret: credential, assertion: credential, authentication: oneOf(...oauth2ClientAuthentications) },
  { rule: clientHasProof },
)

const oauth = {
  client: oauthClient,
  request: object('an OAuth 2.0 token request', { encoding: oneOf('application/x-www-form-urlencoded', 'application/json') }),
  issuers: list('issuers', text),
  scopes: list('scopes', text),
  audiences: list('audiences', text),
  username: text,
  password: credential,
  subject: securityToken,
  actor: securityToken,
}

const authority = { authority: must(formatted('uri', 'literal')) }

const grant = { grant: must(oneOf(...oauth2Grants)) }

const path = formatted('uriTemplate', 'literal')
const endpoints = { endpoints: object('the endpoints of the authority', { token: path, revocation: path, introspection: path }) }

const schemes = {
  basic: password,
  bearer: keyed({ use: secret }, object('the credentials', { token: must(credential) })),
  digest: password,
  oauth2: keyed({ use: secret }, object('the configuration of OAuth 2.0', { ...authority, ...endpoints, ...grant, ...oauth })),
  oidc: keyed({ use: secret }, object('the configuration of OpenID Connect', { ...authority, ...grant, ...oauth })),
}

export const authenticationDefinition = object('an authentication policy', schemes, { exactlyOne: [Object.keys(schemes)] })

export const authentication = object(
  'an authentication policy',
  { use: { ...reference('authentication'), lengthMin: 1 }, ...schemes },
  { exactlyOne: [['use', ...Object.keys(schemes)]] },
)

export const endpoint = union('a URI, an expression that gives one, or an endpoint object', {
  string: formatted('uri'),
  object: object('an endpoint', { uri: must(formatted('uri')), authentication }),
})

export const externalResource = object('an external resource', { name: text, endpoint: must(endpoint) })

export const catalog = object('a catalog', { endpoint: must(endpoint) })

export const schema = object(
  'a schema',
  { format: literal, document: opaque, resource: externalResource },
  { exactlyOne: [['document', 'resource']] },
)

/** A mapping written as one expression, or as an object with expressions in it. */
const transformation = union('an expression, or an object with expressions in it', { string: expression, object: any })

export const input = object('an input', { schema, from: transformation })
export const output = object('an output', { schema, as: transformation })
export const exported = object('an export', { schema, as: transformation })

export const error = object('an error', {
  type: must(formatted('uri')),
  status: must(integer()),
  instance: formatted('pointer'),
  title: text,
  detail: text,
})

export const errorFilter = object(
  'an error filter',
  { type: literal, status: integer(), instance: literal, title: literal, detail: literal, details: literal },
  { entriesMin: 1 },
)

const backoff = object(
  'a backoff',
  { constant: anyObject, exponential: anyObject, linear: anyObject },
  { exactlyOne: [['constant', 'exponential', 'linear']] },
)

export const retryPolicy: ObjectShape = object('a retry policy', {
  when: expression,
  exceptWhen: expression,
  delay: duration,
  backoff,
  limit: object('a retry limit', {
    attempt: object('a limit of attempts', { count: integer(), duration }),
    duration,
  }),
  jitter: object('a jitter', { from: must(duration), to: must(duration) }),
})

export const stringMap: Shape = map('a map of strings', text)

/** A map of strings, or one expression that gives it. */
export const stringMapOrExpression = union('a map of strings, or an expression in ${ … } that gives one', {
  string: enclosed,
  object: stringMap,
})
