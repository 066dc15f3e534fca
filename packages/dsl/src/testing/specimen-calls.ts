import type { A2aArguments, GrpcArguments, HttpArguments, McpArguments, OpenApiArguments } from '#src/shape/call-shapes.ts'
import type { AsyncApiArguments, SubscriptionIterator, TaskList } from '#src/shape/task-shapes.ts'
import { duration, endpoint, policies, resource } from './specimen-parts.ts'

export const http = {
  method: 'post',
  endpoint,
  headers: { accept: 'application/json', 'x-trace': '${ .trace }' },
  body: { order: '${ .order }', list: [1, '${ .x }', null, true] },
  query: { page: '1', search: '${ .search }' },
  output: 'response',
  redirect: true,
} as const satisfies Required<HttpArguments>

export const openapi = {
  document: resource,
  operationId: 'findPets',
  parameters: { status: 'available', limit: 5 },
  authentication: { use: 'bearer' },
  output: 'raw',
  redirect: false,
} as const satisfies Required<OpenApiArguments>

export const grpc = {
  proto: { endpoint: 'file://app/greet.proto' },
  service: { name: 'Greeter', host: 'greet.example.com', port: 5011, authentication: policies.digest },
  method: 'SayHello',
  arguments: { name: '${ .name }' },
} as const satisfies Required<GrpcArguments>

export const iterator = {
  item: 'message',
  at: 'position',
  do: [{ keep: { set: { message: '${ $message }', position: '${ $position }' } } }],
  output: { schema: { document: {} }, as: '$message.payload' },
  export: { schema: { document: {} }, as: '[$context, $position]' },
} as const satisfies Required<SubscriptionIterator>

export const publishing = {
  document: resource,
  channel: '/orders',
  server: { name: 'production', variables: { environment: 'eu' } },
  protocol: 'kafka',
  message: { payload: { order: '${ .order }' }, headers: { trace: '${ .trace }' } },
  authentication: policies.oauth2,
} as const satisfies AsyncApiArguments

export const subscribing = {
  document: resource,
  operation: 'receiveOrders',
  server: { name: 'production' },
  protocol: 'mqtt5',
  subscription: { filter: '${ .kind == "order" }', consume: { for: duration, amount: 5 }, foreach: iterator },
  authentication: { use: 'oidc' },
} as const satisfies AsyncApiArguments

export const a2a = {
  method: 'message/send',
  agentCard: resource,
  server: endpoint,
  parameters: { message: { parts: [{ kind: 'text', text: '${ .text }' }] } },
} as const satisfies Required<A2aArguments>

export const mcp = {
  protocolVersion: '2025-06-18',
  method: 'tools/call',
  parameters: { name: 'search', arguments: { query: '${ .query }' } },
  timeout: 'PT30S',
  transport: { http: { endpoint, headers: { authorization: '${ .token }' } }, options: { retries: '3' } },
  client: { name: 'millrace', version: '1.0.0' },
} as const satisfies Required<McpArguments>

export const mcpByProcess = {
  method: 'tools/list',
  transport: { stdio: { command: 'npx', arguments: ['server', '${ .flag }'], environment: { TOKEN: '${ .token }' } } },
} as const satisfies McpArguments

/** Every call, with every property that its arguments have. */
export const calls = [
  { http: { call: 'http', with: http } },
  { httpByExpression: { call: 'http', with: { method: 'get', endpoint: '${ .uri }', headers: '${ .headers }', query: '${ .query }' } } },
  { openapi: { call: 'openapi', with: openapi } },
  { grpc: { call: 'grpc', with: grpc } },
  { publishing: { call: 'asyncapi', with: publishing } },
  { subscribing: { call: 'asyncapi', with: subscribing } },
  {
    subscribingWhile: {
      call: 'asyncapi',
      with: { document: resource, operation: 'o', subscription: { consume: { while: '${ .more }' } } },
    },
  },
  {
    subscribingUntil: {
      call: 'asyncapi',
      with: { document: resource, operation: 'o', subscription: { consume: { until: '${ .done }' } } },
    },
  },
  { a2a: { call: 'a2a', with: a2a } },
  { mcp: { call: 'mcp', with: mcp } },
  { mcpByProcess: { call: 'mcp', with: mcpByProcess } },
  { function: { call: 'compute', with: { id: '${ .id }', deep: { list: [1] } } } },
  { cataloged: { call: 'log:1.0.0@shared', with: {} } },
  { byUrl: { call: 'https://example.com/functions/log/1.0.0/function.yaml' } },
] as const satisfies TaskList
