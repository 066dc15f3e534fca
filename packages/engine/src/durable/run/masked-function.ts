import { WorkflowError } from '#core/error.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'
import { maskFor, type SecretMask } from '#core/secret-mask.ts'

/**
 * Masks the secrets of the execution in the outcomes of a function. A service may echo them, and they would stay in the journal, the timeline and
 * the log.
 */
export function withMaskedOutcomes(perform: EffectFunction): EffectFunction {
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
  // An unexpected error is logged with its stack. Its other properties may contain secrets in any form and are dropped.
  const hidden = new Error(mask.text(error.message))
  hidden.name = error.name
  hidden.stack = mask.text(error.stack ?? '')
  return hidden
}
