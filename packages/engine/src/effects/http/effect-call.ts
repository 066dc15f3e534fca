import { textsIn } from '#core/json.ts'
import { WorkflowError } from '#core/error.ts'
import type { EffectCall } from '#durable/ports/effects.ts'
import type { CredentialCache } from '#effects/http/authentication/credential-cache.ts'
import type { HttpCallContext, HttpCallLimits } from './context.ts'
import { HttpCallError } from './http-call-error.ts'
import type { HttpPort } from './port.ts'

/** The dependencies of every effect over HTTP. */
export interface HttpEffectDeps {
  readonly http: HttpPort
  /** Makes the requests of one call in place of `http`. */
  readonly httpOf?: (call: Pick<EffectCall, 'accountId' | 'executionId' | 'depth' | 'log'>) => HttpPort
  readonly clock: () => number
  /** An unpredictable text of at least 16 characters, new at each call. */
  readonly randomId: () => string
  readonly limits: HttpCallLimits
}

/** The context of one effect of the engine. */
export function contextOf(call: EffectCall, deps: HttpEffectDeps, credentials: CredentialCache): HttpCallContext {
  return {
    ...deps,
    http: deps.httpOf?.(call) ?? deps.http,
    credentials,
    signal: call.signal,
    idempotencyKey: call.idempotencyKey,
    uriVariables: call.input,
    // The compiler replaces the names of policies by the policies.
    authentication: () => undefined,
    secret: async (name) => (Object.hasOwn(call.secrets, name) ? call.secrets[name] : undefined),
    sensitive: textsIn(call.secrets),
  }
}

/** A failed call as the error that a workflow can catch; everything else as it is. */
export function toWorkflowError(error: unknown): unknown {
  if (!(error instanceof HttpCallError)) return error
  return new WorkflowError(error.error, { cause: error, retryAfterMs: error.retryAfterMs })
}
