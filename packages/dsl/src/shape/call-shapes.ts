import { any, boolean, enclosed, formatted, integer, list, literal, must, object, oneOf, openObject, text, union } from './build.ts'
import { anyObject, authentication, duration, endpoint, externalResource, stringMap, stringMapOrExpression } from './data-shapes.ts'
import type { Shape, TypeOf } from './shape.ts'

/** The output of an HTTP or OpenAPI call; `content` unless given. */
const httpOutputMode = oneOf('raw', 'content', 'response')

export type HttpOutputMode = TypeOf<typeof httpOutputMode>

const responseModes = { output: httpOutputMode, redirect: boolean }

/** `headers` and `query` may each be one runtime expression that gives the whole map. */
const http = object('the arguments of an HTTP call', {
  method: must(formatted('httpMethod')),
  endpoint: must(endpoint),
  headers: stringMapOrExpression,
  query: stringMapOrExpression,
  body: any,
  ...responseModes,
})

export interface HttpArguments extends TypeOf<typeof http> {}

const openapi = object('the arguments of an OpenAPI call', {
  document: must(externalResource),
  operationId: must(text),
  parameters: anyObject,
  authentication,
  ...responseModes,
})

export interface OpenApiArguments extends TypeOf<typeof openapi> {}

const grpc = object('the arguments of a gRPC call', {
  proto: must(externalResource),
  service: must(
    object('a gRPC service', {
      name: must(text),
      host: must(formatted('host', 'literal')),
      port: integer({ min: 0, max: 65_535 }),
      authentication,
    }),
  ),
  method: must(text),
  arguments: anyObject,
})

export interface GrpcArguments extends TypeOf<typeof grpc> {}

const protocol = oneOf(
  'amqp',
  'amqp1',
  'anypointmq',
  'googlepubsub',
  'http',
  'ibmmq',
  'jms',
  'kafka',
  'mercure',
  'mqtt',
  'mqtt5',
  'nats',
  'pulsar',
  'redis',
  'sns',
  'solace',
  'sqs',
  'stomp',
  'ws',
)

export type AsyncApiProtocol = TypeOf<typeof protocol>

const message = object('an AsyncAPI message', { payload: anyObject, headers: anyObject })

export interface AsyncApiMessage extends TypeOf<typeof message> {}

const consumption = object(
  'a consumption policy',
  { for: duration, amount: integer(), while: enclosed, until: enclosed },
  { exactlyOne: [['amount', 'while', 'until']] },
)

export interface AsyncApiConsumption extends TypeOf<typeof consumption> {}

/** The arguments of an AsyncAPI call, whose subscription iterates over messages with tasks. */
export function asyncApiArguments<Iterator extends Shape>(iterator: Iterator) {
  return object(
    'the arguments of an AsyncAPI call',
    {
      document: must(externalResource),
      channel: text,
      operation: text,
      server: object('an AsyncAPI server', { name: must(text), variables: anyObject }),
      protocol,
      message,
      subscription: object('an AsyncAPI subscription', { filter: enclosed, consume: must(consumption), foreach: iterator }),
      authentication,
    },
    {
      exactlyOne: [
        ['channel', 'operation'],
        ['message', 'subscription'],
      ],
    },
  )
}

const a2aMethod = oneOf(
  'message/send',
  'message/stream',
  'tasks/get',
  'tasks/list',
  'tasks/cancel',
  'tasks/resubscribe',
  'tasks/pushNotificationConfig/set',
  'tasks/pushNotificationConfig/get',
  'tasks/pushNotificationConfig/list',
  'tasks/pushNotificationConfig/delete',
  'agent/getAuthenticatedExtendedCard',
)

export type A2aMethod = TypeOf<typeof a2aMethod>

const a2a = object(
  'the arguments of an A2A call',
  {
    method: must(a2aMethod),
    agentCard: externalResource,
    server: endpoint,
    parameters: union('the parameters, or an expression that gives them', {
      string: text,
      object: openObject('the parameters of an A2A method', {}, any, { entriesMin: 1 }),
    }),
  },
  { atLeastOne: ['agentCard', 'server'] },
)

export interface A2aArguments extends TypeOf<typeof a2a> {}

export const mcpMethods = [
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/read',
  'resources/templates/list',
] as const

export type McpMethod = (typeof mcpMethods)[number]

const transport = object(
  'an MCP transport',
  {
    http: object('an MCP transport over HTTP', { endpoint: must(endpoint), headers: stringMap }),
    stdio: object('an MCP transport over stdio', {
      command: must(text),
      arguments: list('arguments', text),
      environment: stringMap,
    }),
    options: stringMap,
  },
  { exactlyOne: [['http', 'stdio']] },
)

export interface McpTransport extends TypeOf<typeof transport> {}

const mcp = object('the arguments of an MCP call', {
  protocolVersion: literal,
  method: must(oneOf(...mcpMethods)),
  parameters: union('the parameters, or an expression that gives them', { string: text, object: anyObject }),
  timeout: duration,
  transport: must(transport),
  client: object('an MCP client', { name: must(literal), version: must(literal) }),
})

export interface McpArguments extends TypeOf<typeof mcp> {}

/** The shapes of the arguments of the built-in calls that contain no tasks. */
export const callArguments = { grpc, http, openapi, a2a, mcp }
