import type { Json } from './json.ts'
import type { Finish } from './node.ts'
import type { Scope } from './scope.ts'

/** What a raw output comes to; `scope` then knows the output, and the strand the context that was exported. */
export function finish({ outputAs, outputCheck, exportAs, exportCheck }: Finish, rawOutput: Json, scope: Scope): Json {
  const { strand } = scope.place
  const reference = scope.task?.reference ?? ''
  const output = outputAs === undefined ? rawOutput : outputAs(rawOutput, scope)
  scope.output = output
  outputCheck?.(output, reference)
  const context = exportAs === undefined ? strand.context : exportAs(output, scope)
  exportCheck?.(context, reference)
  strand.context = context
  return output
}
