import { type EffectFunction, type Json, WorkflowError } from '@millrace/engine'
import { createSecretMask, type SecretMask } from '#platform/secrets/secret-mask.ts'
import type { SecretValue } from '#platform/secrets/secret-store.ts'

/**
 * Functions whose outcomes hold no secret of their execution: what a service echoes would otherwise stand in the journal, the timeline and the log for good.
 * One place for all functions, so that a new one cannot forget.
 */
export function maskSecrets(functions: ReadonlyMap<string, EffectFunction>): ReadonlyMap<string, EffectFunction> {
  return new Map([...functions].map(([name, perform]) => [name, masking(perform)]))
}

function masking(perform: EffectFunction): EffectFunction {
  return async (call) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Secrets are what the store gave: texts and objects.
    const mask = createSecretMask(call.secrets as Readonly<Record<string, SecretValue>>)
    if (mask === undefined) return perform(call)
    try {
      const output: Json = mask.json(await perform(call))
      return output
    } catch (error) {
      throw call.signal.aborted ? error : maskedError(error, mask)
    }
  }
}

function maskedError(error: unknown, mask: SecretMask): unknown {
  if (error instanceof WorkflowError) {
    const { type, title, detail, ...rest } = error.data
    const data = { ...rest, type: mask.text(type), title: mask.text(title), ...(detail === undefined ? {} : { detail: mask.text(detail) }) }
    return new WorkflowError(data, { retryAfterMs: error.retryAfterMs })
  }
  if (!(error instanceof Error)) return error
  // A bug, which is logged: with its stack, and without what hangs on it, which is of any kind.
  const masked = new Error(mask.text(error.message))
  masked.name = error.name
  masked.stack = mask.text(error.stack ?? '')
  return masked
}
