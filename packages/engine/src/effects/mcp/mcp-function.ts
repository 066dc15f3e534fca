import type { EffectFunction } from '#durable/ports/effects.ts'
import { contextOf, type HttpEffectDeps } from '#effects/http/effect-call.ts'
import { createCredentialCache } from '#effects/http/index.ts'
import { callMcp } from './call-mcp.ts'
import type { McpCallLimits } from './context.ts'

export interface McpFunctionDeps extends HttpEffectDeps {
  readonly limits: McpCallLimits
  /** This installation's version, which is sent to servers. */
  readonly version: string
}

/** `call: mcp` over HTTP as a function of the engine. */
export function createMcpFunction(deps: McpFunctionDeps): EffectFunction {
  const credentials = createCredentialCache(deps.clock)
  const { limits, version } = deps
  return (call) => callMcp(call.arguments, { ...contextOf(call, deps, credentials), limits, version })
}
