import type { ReferenceableAuthentication } from './authentication.ts'
import type { a2aMethods, asyncApiProtocols, mcpMethods } from './choices.ts'
import type { Duration } from './duration.ts'
import type { Json, JsonObject } from './json.ts'
import type { Endpoint, ExternalResource } from './resource.ts'

/** What an HTTP or OpenAPI call gives back; `content` unless given. */
export type HttpOutputMode = 'raw' | 'content' | 'response'

/** `headers` and `query` may each be one runtime expression that gives the whole map. */
export interface HttpArguments {
  readonly method: string
  readonly endpoint: Endpoint
  readonly headers?: string | Readonly<Record<string, string>>
  readonly body?: Json
  readonly query?: string | Readonly<Record<string, string>>
  readonly output?: HttpOutputMode
  readonly redirect?: boolean
}

export interface OpenApiArguments {
  readonly document: ExternalResource
  readonly operationId: string
  readonly parameters?: JsonObject
  readonly authentication?: ReferenceableAuthentication
  readonly output?: HttpOutputMode
  readonly redirect?: boolean
}

export interface GrpcArguments {
  readonly proto: ExternalResource
  readonly service: {
    readonly name: string
    readonly host: string
    readonly port?: number
    readonly authentication?: ReferenceableAuthentication
  }
  readonly method: string
  readonly arguments?: JsonObject
}

export interface AsyncApiMessage {
  readonly payload?: JsonObject
  readonly headers?: JsonObject
}

/** Exactly one of `amount`, `while` and `until`. */
export interface AsyncApiConsumption {
  readonly for?: Duration
  readonly amount?: number
  readonly while?: string
  readonly until?: string
}

export type AsyncApiProtocol = (typeof asyncApiProtocols)[number]

export type A2aMethod = (typeof a2aMethods)[number]

export interface A2aArguments {
  readonly method: A2aMethod
  readonly agentCard?: ExternalResource
  readonly server?: Endpoint
  readonly parameters?: string | JsonObject
}

export type McpMethod = (typeof mcpMethods)[number]

/** Exactly one of `http` and `stdio`. */
export interface McpTransport {
  readonly http?: { readonly endpoint: Endpoint; readonly headers?: Readonly<Record<string, string>> }
  readonly stdio?: {
    readonly command: string
    readonly arguments?: readonly string[]
    readonly environment?: Readonly<Record<string, string>>
  }
  readonly options?: Readonly<Record<string, string>>
}

export interface McpArguments {
  readonly protocolVersion?: string
  readonly method: McpMethod
  readonly parameters?: string | JsonObject
  readonly timeout?: Duration
  readonly transport: McpTransport
  readonly client?: { readonly name: string; readonly version: string }
}
