import type {
  AuthenticationPolicy,
  DurationParts,
  EndpointObject,
  ErrorDefinition,
  ErrorFilter,
  Export,
  ExternalResource,
  Input,
  OAuth2Properties,
  OidcProperties,
  Output,
  RetryPolicy,
} from '#src/shape/data-shapes.ts'
import type { EventConsumptionStrategy, EventFilter, EventProperties } from '#src/shape/event-shapes.ts'

/*
 * Parts of definitions in which every property of the DSL is set. The types, the tests over the shapes and the official schema check that none is
 * missing.
 */

export const duration = { days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 5 } satisfies Required<DurationParts>

const oidc = {
  authority: 'https://login.example.com',
  grant: 'urn:ietf:params:oauth:grant-type:token-exchange',
  client: { id: 'millrace', secret: '${ $secrets.vault }', assertion: 'a.b.c', authentication: 'private_key_jwt' },
  request: { encoding: 'application/x-www-form-urlencoded' },
  issuers: ['https://issuer.example.com'],
  scopes: ['read', 'write'],
  audiences: ['orders'],
  username: 'ada',
  password: '${ $secrets.vault }',
  subject: { token: 't', type: 'urn:ietf:params:oauth:token-type:jwt' },
  actor: { token: 'u', type: 'urn:ietf:params:oauth:token-type:jwt' },
} as const satisfies Required<OidcProperties>

const oauth2 = {
  authority: 'https://login.example.com',
  endpoints: { token: '/oauth2/token', revocation: '/oauth2/revoke', introspection: '/oauth2/introspect' },
  grant: 'client_credentials',
  client: { id: 'millrace', secret: 's', assertion: 'a', authentication: 'client_secret_basic' },
  request: { encoding: 'application/json' },
  issuers: ['https://issuer.example.com'],
  scopes: ['read'],
  audiences: ['orders'],
  username: 'ada',
  password: 'p',
  subject: { token: 't', type: 'jwt' },
  actor: { token: 'u', type: 'jwt' },
} as const satisfies Required<OAuth2Properties>

export const policies = {
  basic: { basic: { username: 'ada', password: '${ $secrets.vault }' } },
  basicBySecret: { basic: { use: 'vault' } },
  bearer: { bearer: { token: '${ .token }' } },
  bearerBySecret: { bearer: { use: 'vault' } },
  digest: { digest: { username: 'ada', password: 'p' } },
  digestBySecret: { digest: { use: 'vault' } },
  oauth2: { oauth2 },
  oauth2BySecret: { oauth2: { use: 'vault' } },
  oidc: { oidc },
  oidcBySecret: { oidc: { use: 'vault' } },
} as const satisfies Record<string, AuthenticationPolicy>

export const endpoint = {
  uri: 'https://api.example.com/orders/{orderId}',
  authentication: { use: 'basic' },
} as const satisfies Required<EndpointObject>

export const resource = {
  name: 'petstore',
  endpoint: { uri: 'https://example.com/openapi.json', authentication: policies.bearer },
} as const satisfies Required<ExternalResource>

export const input = {
  schema: { format: 'json', document: { type: 'object', required: ['id'] } },
  from: { id: '${ .order.id }', list: ['${ .a }', 1, null] },
} as const satisfies Required<Input>

export const output = {
  schema: { format: 'json:2020-12', resource },
  as: '{ id: .id }',
} as const satisfies Required<Output>

export const exported = {
  schema: { document: {} },
  as: '$context + { last: $output }',
} as const satisfies Required<Export>

export const error = {
  type: 'https://example.com/errors/out-of-stock',
  status: 409,
  instance: '/do/0/order',
  title: 'Out of stock',
  detail: '${ "There is no \\(.item) left." }',
} as const satisfies Required<ErrorDefinition>

export const filter = {
  type: 'https://open-workflow-specification.org/spec/1.0.0/errors/communication',
  status: 503,
  instance: '/do/0/order',
  title: 'Unavailable',
  detail: 'try later',
  details: 'try later',
} as const satisfies Required<ErrorFilter>

export const retryPolicy = {
  when: '$error.status >= 500',
  exceptWhen: '$error.status == 501',
  delay: { seconds: 1 },
  backoff: { exponential: { factor: 2 } },
  limit: { attempt: { count: 5, duration: 'PT10S' }, duration: { minutes: 5 } },
  jitter: { from: 'PT0S', to: { milliseconds: 500 } },
} as const satisfies Required<RetryPolicy>

export const event = {
  id: '${ .id }',
  source: 'https://example.com/orders',
  type: 'com.example.order.placed.v1',
  time: '2026-01-31T12:00:00Z',
  subject: 'order/1',
  datacontenttype: 'application/json',
  dataschema: 'https://example.com/schemas/order.json',
  data: { order: '${ .order }' },
  tenant: 'acme',
} as const satisfies EventProperties

export const eventFilter = {
  with: event,
  correlate: { order: { from: '.data.orderId', expect: '${ .order.id }' } },
} as const satisfies Required<EventFilter>

export const strategies = {
  one: { one: eventFilter },
  all: { all: [eventFilter, { with: { type: 'x' } }] },
  any: { any: [eventFilter] },
  anyEvent: { any: [] },
  anyUntilCondition: { any: [], until: '( . | length ) > 3' },
  anyUntilEvent: { any: [eventFilter], until: { all: [eventFilter] } } satisfies Required<
    Extract<EventConsumptionStrategy, { any: unknown }>
  >,
} as const satisfies Record<string, EventConsumptionStrategy>
