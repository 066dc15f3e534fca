import { Fault } from '@millrace/contract'
import type { Json, Processor } from '@millrace/engine'
import { compile, JqSyntaxError } from '@millrace/jq'

/** Fault `mapping_invalid` for a text that is not a jq expression without free variables. */
export function checkMapping(mapping: string | undefined, pointer = '/mapping'): void {
  if (mapping === undefined) return
  try {
    compile(mapping, { clock: () => 0 })
  } catch (error) {
    if (!(error instanceof JqSyntaxError)) throw error
    throw new Fault('mapping_invalid', { errors: [{ pointer, detail: `Is not a jq expression: ${error.message}.` }], cause: error })
  }
}

export interface MappingDeps {
  readonly processor: Pick<Processor, 'compute'>
  readonly now: () => number
}

/** Applies a mapping in another thread, within its limits of time and memory. Fault `mapping_failed` when it fails. */
export async function applyMapping(
  { processor, now }: MappingDeps,
  accountId: string,
  mapping: string,
  { dot, signal }: { readonly dot: Json; readonly signal: AbortSignal | undefined },
): Promise<Json> {
  const nowMs = now()
  const computation = { kind: 'expression', source: mapping, locals: [], variables: [], dot, nowMs } as const
  const outcome = await processor.compute(accountId, computation, signal)
  if (outcome.ok) return outcome.value
  const { title, detail } = outcome.error
  throw new Fault('mapping_failed', { detail: `The mapping failed for this input: ${detail ?? title}` })
}
