import type { EffectFunction } from '#durable/ports.ts'
import { contextOf, type HttpEffectDeps, toWorkflowError } from '#effects/http/effect-call.ts'
import { createCredentialCache } from '#effects/http/index.ts'
import { callOpenApi } from './call-openapi.ts'
import { createDocumentCache } from './document/document-cache.ts'

/** `call: openapi` as a function of the engine. */
export function createOpenApiFunction(deps: HttpEffectDeps): EffectFunction {
  const credentials = createCredentialCache(deps.clock)
  const documents = createDocumentCache(deps.clock)
  return async (call) => {
    const { accountId, secrets } = call
    try {
      return await callOpenApi(call.arguments, { ...contextOf(call, deps, credentials), accountId, secrets, documents })
    } catch (error) {
      throw toWorkflowError(error)
    }
  }
}
