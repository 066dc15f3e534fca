import type { EffectFunction } from '#durable/ports/effects.ts'
import { contextOf, type HttpEffectDeps, toWorkflowError } from '#effects/http/effect-call.ts'
import { callHttp, createCredentialCache } from '#effects/http/index.ts'
import { createMcpFunction, type McpFunctionDeps } from '#effects/mcp/index.ts'
import { createOpenApiFunction, type OpenApiFunctionDeps } from '#effects/openapi/index.ts'

/** Everything that calls services over HTTP, by the name that `call` has for it. */
export function createHttpFunctions(
  deps: McpFunctionDeps & OpenApiFunctionDeps,
): readonly (readonly [name: string, perform: EffectFunction])[] {
  return [
    ['http', createHttpFunction(deps)],
    ['openapi', createOpenApiFunction(deps)],
    ['mcp', createMcpFunction(deps)],
  ]
}

/** `call: http` as a function of the engine. */
export function createHttpFunction(deps: HttpEffectDeps): EffectFunction {
  const credentials = createCredentialCache(deps.clock)
  return async (call) => {
    try {
      return await callHttp(call.arguments, contextOf(call, deps, credentials))
    } catch (error) {
      throw toWorkflowError(error)
    }
  }
}
