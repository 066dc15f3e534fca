import { settled } from './evaluate.ts'
import type { Json } from './json.ts'
import type { Finish } from './node.ts'
import type { Walk } from './request.ts'
import type { Scope } from './scope.ts'

/** Transforms and checks a raw output, then exports the context. Sets the scope's output and the strand's context. */
export function* finish({ outputAs, outputCheck, exportAs, exportCheck }: Finish, rawOutput: Json, scope: Scope): Walk<Json> {
  const { strand } = scope.place
  const reference = scope.task?.reference ?? ''
  const output = outputAs === undefined ? rawOutput : yield* settled(outputAs(rawOutput, scope))
  scope.output = output
  if (outputCheck !== undefined) yield* settled(outputCheck(output, reference, strand.work))
  const context = exportAs === undefined ? strand.context : yield* settled(exportAs(output, scope))
  if (exportCheck !== undefined) yield* settled(exportCheck(context, reference, strand.work))
  strand.context = context
  return output
}
