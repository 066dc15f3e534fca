import { standardError, WorkflowError } from '#core/error.ts'
import { type Json, textsIn } from '#core/json.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'
import { createTextMask } from '#core/secret-mask.ts'
import { ThreadPoolError, type ThreadPoolErrorKind } from '#threads/thread-pool.ts'
import type { ScriptPool } from './pool.ts'
import { scriptRequest } from './request.ts'
import { scriptResult } from './result.ts'

export interface ScriptFunctionDeps {
  readonly pool: ScriptPool
}

const refusals: Readonly<Record<ThreadPoolErrorKind, string>> = {
  full: 'too many scripts of this account wait to be run: run fewer at a time',
  closed: 'the script was not run to its end: the process is being shut down',
  unavailable: 'the script was not run: no thread could be started for it',
}

/**
 * `run: script` as a function of the engine. Its arguments are the evaluated `run.script` with `return` beside its properties.
 *
 * Raises configuration and validation errors for what cannot be run, a timeout error, and a runtime error for a script that fails.
 * Errors contain none of the script's secrets; the performer masks its output.
 */
export function createScriptFunction({ pool }: ScriptFunctionDeps): EffectFunction {
  return async ({ arguments: given, accountId, secrets, signal, log }) => {
    const { run, returns } = scriptRequest(given, pool.limits)
    try {
      const outcome = await pool.run(run, { accountId, signal })
      if (outcome.kind === 'exited') for (const text of [outcome.stdout, outcome.stderr]) if (text !== '') log?.(text)
      return scriptResult(outcome, returns, pool.limits)
    } catch (error) {
      if (error instanceof ThreadPoolError) throw standardError('runtime', refusals[error.kind])
      throw error instanceof WorkflowError ? masked(error, secrets) : error
    }
  }
}

function masked(error: WorkflowError, secrets: Json): WorkflowError {
  const { detail } = error.data
  if (detail === undefined) return error
  return new WorkflowError({ ...error.data, detail: createTextMask(textsIn(secrets)).text(detail) }, { cause: error.cause })
}
