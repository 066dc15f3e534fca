import * as fc from 'fast-check'
import {
  anyExpression,
  data,
  durations,
  enclosed,
  names,
  objects,
  record,
  stringMaps,
  textOrExpression,
  uriOrExpression,
  uris,
  words,
} from './arbitrary-data.ts'

/** The components that generated documents define, so that generated references lead somewhere. */
export const components = {
  secrets: ['vault', 'token'],
  authentications: ['login', 'machine'],
  errors: ['broken', 'missing'],
  retries: ['patient', 'eager'],
  timeouts: ['short', 'long'],
  functions: ['compute', 'notify'],
  catalogs: ['shared'],
} as const

const secretReference = fc.constantFrom(...components.secrets).map((use) => ({ use }))

const password = fc.oneof(record({ username: textOrExpression, password: textOrExpression }, ['username', 'password']), secretReference)

const securityToken = record({ token: textOrExpression, type: textOrExpression }, ['token', 'type'])

const client = record({
  id: textOrExpression,
  secret: textOrExpression,
  assertion: textOrExpression,
  authentication: fc.constantFrom('client_secret_post', 'none'),
})

const provingClient = fc.oneof(
  client,
  record({ id: textOrExpression, secret: textOrExpression, authentication: fc.constantFrom('client_secret_basic', 'client_secret_jwt') }, [
    'secret',
  ]),
  record({ id: textOrExpression, assertion: textOrExpression, authentication: fc.constantFrom('private_key_jwt', 'client_secret_jwt') }, [
    'assertion',
  ]),
)

const oidc = {
  authority: uris,
  grant: fc.constantFrom(
    'authorization_code',
    'client_credentials',
    'password',
    'refresh_token',
    'urn:ietf:params:oauth:grant-type:token-exchange',
  ),
  client: provingClient,
  request: record({ encoding: fc.constantFrom('application/x-www-form-urlencoded', 'application/json') }),
  issuers: fc.array(words, { maxLength: 2 }),
  scopes: fc.array(words, { maxLength: 2 }),
  audiences: fc.array(words, { maxLength: 2 }),
  username: textOrExpression,
  password: textOrExpression,
  subject: securityToken,
  actor: securityToken,
}

const endpoints = record({
  token: fc.constant('/oauth2/token'),
  revocation: fc.constant('/revoke'),
  introspection: fc.constant('/introspect'),
})

export const authenticationPolicies = fc.oneof(
  fc.record({ basic: password }),
  fc.record({ bearer: fc.oneof(record({ token: textOrExpression }, ['token']), secretReference) }),
  fc.record({ digest: password }),
  fc.record({ oauth2: fc.oneof(record({ ...oidc, endpoints }, ['authority', 'grant']), secretReference) }),
  fc.record({ oidc: fc.oneof(record(oidc, ['authority', 'grant']), secretReference) }),
)

export const authentications = fc.oneof(
  authenticationPolicies,
  fc.constantFrom(...components.authentications).map((use) => ({ use })),
)

export const endpointsOrUris = fc.oneof(uriOrExpression, record({ uri: uriOrExpression, authentication: authentications }, ['uri']))

export const resources = record({ name: words, endpoint: endpointsOrUris }, ['endpoint'])

const schemas = fc.oneof(
  record({ format: fc.constantFrom('json', 'json:2020-12'), document: data }, ['document']),
  record({ format: fc.constant('json'), resource: resources }, ['resource']),
)

const transformation = fc.oneof(anyExpression, objects)

export const inputs = record({ schema: schemas, from: transformation })
export const outputs = record({ schema: schemas, as: transformation })

export const timeoutDefinitions = record({ after: durations }, ['after'])
export const timeouts = fc.oneof(timeoutDefinitions, fc.constantFrom(...components.timeouts))

export const errors = record(
  {
    type: uriOrExpression,
    status: fc.integer({ min: 100, max: 599 }),
    instance: fc.oneof(fc.constantFrom('', '/do/0/a', '/a~1b'), enclosed),
    title: textOrExpression,
    detail: textOrExpression,
  },
  ['type', 'status'],
)

export const errorFilters = record({
  type: words,
  status: fc.integer(),
  instance: words,
  title: words,
  detail: words,
  details: words,
}).filter((filter) => Object.keys(filter).length > 0)

const backoffs = fc.oneof(fc.record({ constant: objects }), fc.record({ exponential: objects }), fc.record({ linear: objects }))

export const retryPolicies = record({
  when: anyExpression,
  exceptWhen: anyExpression,
  delay: durations,
  backoff: backoffs,
  limit: record({ attempt: record({ count: fc.nat(9), duration: durations }), duration: durations }),
  jitter: record({ from: durations, to: durations }, ['from', 'to']),
})

const attributes = {
  id: textOrExpression,
  source: uriOrExpression,
  type: textOrExpression,
  time: fc.oneof(fc.constantFrom('2026-01-31T12:00:00Z', '2026-01-31T12:00:00.123+01:00'), enclosed),
  subject: textOrExpression,
  datacontenttype: fc.constant('application/json'),
  dataschema: uriOrExpression,
  data,
  tenant: data,
}

export const emittedEvents = record(attributes, ['source', 'type'])

const correlations = fc.dictionary(names, record({ from: anyExpression, expect: textOrExpression }, ['from']), { maxKeys: 2 })

const filters = record({ with: record(attributes).filter((filter) => Object.keys(filter).length > 0), correlate: correlations }, ['with'])

const simpleStrategies = fc.oneof(
  fc.record({ all: fc.array(filters, { maxLength: 2 }) }),
  fc.record({ any: fc.array(filters, { maxLength: 2 }) }),
  fc.record({ one: filters }),
)

export const strategies = fc.oneof(
  simpleStrategies,
  fc.record({ any: fc.array(filters, { maxLength: 2 }), until: fc.oneof(anyExpression, simpleStrategies) }),
)

export const readModes = fc.constantFrom('data', 'envelope', 'raw')

export const headers = fc.oneof(stringMaps, enclosed)
