import { WorkflowError } from '#core/error.ts'
import { isObject, type Json } from '#core/json.ts'
import type { EffectFunction } from '#durable/ports.ts'
import { callHttp, createCredentialCache, HttpCallError, type HttpCallLimits, type HttpPort } from '#effects/http/index.ts'

export interface HttpFunctionDeps {
  readonly http: HttpPort
  readonly clock: () => number
  /** An unpredictable text of at least 16 characters, new at each call. */
  readonly randomId: () => string
  readonly limits: HttpCallLimits
}

/** `call: http` as a function of the engine. */
export function createHttpFunction({ http, clock, randomId, limits }: HttpFunctionDeps): EffectFunction {
  const credentials = createCredentialCache(clock)
  return async (call) => {
    try {
      return await callHttp(call.arguments, {
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
      })
    } catch (error) {
      if (error instanceof HttpCallError) throw new WorkflowError(error.error, { cause: error, retryAfterMs: error.retryAfterMs })
      throw error
    }
  }
}

/** Every text in the secrets that is long enough to be recognised. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return value.length >= 4 ? [value] : []
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsIn(item))
  return isObject(value) ? Object.values(value).flatMap(textsIn) : []
}
