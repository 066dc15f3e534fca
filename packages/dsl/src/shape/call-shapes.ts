import { a2aMethods, asyncApiProtocols, mcpMethods } from '#src/types/choices.ts'
import { any, boolean, enclosed, formatted, integer, list, literal, must, object, oneOf, text, union } from './build.ts'
import { anyObject, authentication, duration, endpoint, externalResource, stringMap, stringMapOrExpression } from './data-shapes.ts'
import { subscriptionIterator } from './event-shapes.ts'
import type { ObjectShape } from './shape.ts'

const responseModes = { output: oneOf('raw', 'content', 'response'), redirect: boolean }

const http = object('the arguments of an HTTP call', {
  method: must(text),
  endpoint: must(endpoint),
  headers: stringMapOrExpression,
  query: stringMapOrExpression,
  body: any,
  ...responseModes,
})

const openapi = object('the arguments of an OpenAPI call', {
  document: must(externalResource),
  operationId: must(text),
  parameters: anyObject,
  authentication,
  ...responseModes,
})

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

const asyncapi = object(
  'the arguments of an AsyncAPI call',
  {
    document: must(externalResource),
    channel: text,
    operation: text,
    server: object('an AsyncAPI server', { name: must(text), variables: anyObject }),
    protocol: oneOf(...asyncApiProtocols),
    message: object('an AsyncAPI message', { payload: anyObject, headers: anyObject }),
    subscription: object('an AsyncAPI subscription', {
      filter: enclosed,
      consume: must(
        object(
          'a consumption policy',
          { for: duration, amount: integer(), while: enclosed, until: enclosed },
          { exactlyOne: [['amount', 'while', 'until']] },
        ),
      ),
      foreach: subscriptionIterator,
    }),
    authentication,
  },
  {
    exactlyOne: [
      ['channel', 'operation'],
      ['message', 'subscription'],
    ],
  },
)

const a2a = object(
  'the arguments of an A2A call',
  {
    method: must(oneOf(...a2aMethods)),
    agentCard: externalResource,
    server: endpoint,
    parameters: union('the parameters, or an expression that gives them', {
      string: text,
      object: object('the parameters of an A2A method', {}, { rest: any, entriesMin: 1 }),
    }),
  },
  { atLeastOne: ['agentCard', 'server'] },
)

const mcp = object('the arguments of an MCP call', {
  protocolVersion: literal,
  method: must(oneOf(...mcpMethods)),
  parameters: union('the parameters, or an expression that gives them', { string: text, object: anyObject }),
  timeout: duration,
  transport: must(
    object(
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
    ),
  ),
  client: object('an MCP client', { name: must(literal), version: must(literal) }),
})

/** The shapes of the arguments of the calls that the DSL itself knows. */
export const callArguments: ReadonlyMap<string, ObjectShape> = new Map(Object.entries({ asyncapi, grpc, http, openapi, a2a, mcp }))
