import { Fault } from '@millrace/contract'
import type { Json, JsonObject, Processor } from '@millrace/engine'
import { compile, JqSyntaxError } from '@millrace/jq'
import type { Trigger } from './model.ts'

/** Fault `mapping_invalid` for a text that is not a jq expression without free variables. */
export function checkMapping(mapping: string | undefined): void {
  assertJq('mapping_invalid', '/mapping', mapping)
}

export function assertJq(code: 'mapping_invalid' | 'filter_invalid', pointer: string, source: string | undefined): void {
  if (source === undefined) return
  try {
    compile(source, { clock: () => 0 })
  } catch (error) {
    if (!(error instanceof JqSyntaxError)) throw error
    throw new Fault(code, { errors: [{ pointer, detail: `Is not a jq expression: ${error.message}.` }], cause: error })
  }
}

export interface MappingDeps {
  readonly processor: Pick<Processor, 'compute'>
  readonly now: () => number
}

/** What an expression of a trigger is applied to. */
export interface Given {
  readonly data: JsonObject
  readonly signal: AbortSignal | undefined
}

/** Applies the mapping of a trigger. Fault `mapping_failed` when it fails, or gives nothing. */
export async function applyMapping(deps: MappingDeps, trigger: Trigger, mapping: string, given: Given): Promise<Json> {
  const result = await firstOutput(deps, trigger, mapping, given)
  if ('failure' in result) throw new Fault('mapping_failed', { detail: `The mapping failed for this input: ${result.failure}` })
  const [input] = result.outputs
  if (input !== undefined) return input
  const advice =
    trigger.kind === 'webhook' && trigger.webhook?.form === undefined
      ? 'To start for some requests only, use the `filter` of the trigger.'
      : 'Let it give a value, such as null; a `filter` is for webhooks without a form.'
  throw new Fault('mapping_failed', {
    detail: `The mapping gave no result for this input, as \`empty\` does, so nothing was started. ${advice}`,
  })
}

/**
 * The first output of an expression of a trigger, computed in another thread within the limits of steps, time and memory.
 * @returns a list, which is empty if there is no output, or why it failed
 */
export async function firstOutput(
  { processor, now }: MappingDeps,
  { accountId, input = null }: Pick<Trigger, 'accountId' | 'input'>,
  source: string,
  { data, signal }: Given,
): Promise<{ readonly outputs: readonly Json[] } | { readonly failure: string }> {
  const dot = { ...data, input }
  const computation = { kind: 'expression', source, locals: [], variables: [], dot, nowMs: now(), inList: true } as const
  const outcome = await processor.compute(accountId, computation, signal)
  if (outcome.ok) return { outputs: Array.isArray(outcome.value) ? outcome.value : [] }
  const { title, detail } = outcome.error
  return { failure: detail ?? title }
}
