import type { Json } from '@millrace/jq'
import type { EffectFunction } from '#durable/ports.ts'
import { createCredentialCache, type HttpPort } from '#effects/http/index.ts'
import { callMcp } from './call-mcp.ts'
import type { McpCallLimits } from './context.ts'

export interface McpFunctionDeps {
  readonly http: HttpPort
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** An unpredictable text of at least 16 characters, new at each call. */
  readonly randomId: () => string
  readonly limits: McpCallLimits
  /** This installation's version, which servers are told. */
  readonly version: string
}

/** `call: mcp` over HTTP as a function of the engine. */
export function createMcpFunction({ http, clock, randomId, limits, version }: McpFunctionDeps): EffectFunction {
  const credentials = createCredentialCache(clock)
  return (call) =>
    callMcp(call.arguments, {
      http,
      signal: call.signal,
      idempotencyKey: call.idempotencyKey,
      uriVariables: call.input,
      // Policies are put in the place of their names when the definition is compiled.
      authentication: () => undefined,
      secret: async (name) => call.secrets[name],
      sensitive: textsIn(call.secrets),
      credentials,
      clock,
      randomId,
      limits,
      version,
    })
}

/** Every text in the secrets that is long enough to be recognised. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return value.length >= 4 ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
