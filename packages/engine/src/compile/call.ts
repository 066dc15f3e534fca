import { type CallTask, isCallOf } from '@millrace/dsl'
import { isObject, type Json } from '#core/json.ts'
import type { CallBody } from '#core/node.ts'
import type { CompileContext } from './context.ts'
import { compileTemplate } from './expression.ts'

export function compileCall(task: CallTask, context: CompileContext): CallBody {
  if (!isCallOf(task, 'http')) throw new Error(`"call: ${task.call}" was not refused before compiling`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A definition is parsed JSON; its types only name what is in it.
  const given = task.with as unknown as Json
  return { kind: 'call', function: 'http', arguments: compileTemplate(withPolicy(given, context), context.expressions) }
}

/** The arguments with the authentication policy that they name by `use` put in its place. */
function withPolicy(given: Json, { definition }: CompileContext): Json {
  if (!isObject(given) || !isObject(given.endpoint) || !isObject(given.endpoint.authentication)) return given
  const { use } = given.endpoint.authentication
  const policy = typeof use === 'string' ? definition.use?.authentications?.[use] : undefined
  if (policy === undefined) return given
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- As above.
  return { ...given, endpoint: { ...given.endpoint, authentication: policy as unknown as Json } }
}
