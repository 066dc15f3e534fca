import { WorkflowError } from '#core/error.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'
import { maskFor, type SecretMask } from '#core/secret-mask.ts'

/**
 * A function whose outcomes hold no secret of their execution: what a service echoes would otherwise stand in the journal, the timeline and the log for good.
 */
export function masked(perform: EffectFunction): EffectFunction {
  return async (call) => {
    const mask = maskFor(call.secrets)
    if (mask === undefined) return perform(call)
    try {
      return mask.json(await perform(call))
    } catch (error) {
      throw call.signal.aborted ? error : maskedError(error, mask)
    }
  }
}

function maskedError(error: unknown, mask: SecretMask): unknown {
  if (error instanceof WorkflowError) return new WorkflowError(mask.error(error.data), { retryAfterMs: error.retryAfterMs })
  if (!(error instanceof Error)) return error
  // A bug, which is logged: with its stack, and without what hangs on it, which is of any kind.
  const hidden = new Error(mask.text(error.message))
  hidden.name = error.name
  hidden.stack = mask.text(error.stack ?? '')
  return hidden
}
