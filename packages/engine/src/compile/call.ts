import { type CallTask, functionReference, type Task } from '@millrace/dsl'
import { isObject, type Json, type JsonObject } from '#core/json.ts'
import type { TaskBody, TaskNode } from '#core/node.ts'
import { type CompileContext, optional } from './context.ts'
import { compileTemplate } from './expression.ts'
import type { FunctionManifest } from './manifest.ts'
import { pointerSegment } from './reference.ts'
import { compileInlineCheck } from './schema.ts'

type CompileTask = (name: string, task: Task, reference: string, context: CompileContext) => TaskNode

/** Where in the arguments of a call an authentication policy may stand. */
const policyPlaces: Readonly<Record<string, readonly (readonly string[])[]>> = {
  http: [['endpoint']],
  openapi: [[], ['document', 'endpoint']],
  mcp: [['transport', 'http', 'endpoint']],
}

export function compileCall(task: CallTask, context: CompileContext, compileTask: CompileTask): TaskBody {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A definition is parsed JSON; its types only name what is in it.
  const given = (task.with ?? {}) as unknown as Json
  const places = policyPlaces[task.call]
  if (places !== undefined) {
    const args = places.reduce((value, place) => withPolicy(value, place, context), given)
    return { kind: 'call', function: task.call, arguments: compileTemplate(args, context.expressions) }
  }
  const called = findFunction(task.call, context)
  const args = compileTemplate(given, context.expressions)
  if ('manifest' in called) return bodyOf(called.manifest, args)
  if (context.callers.includes(called.reference)) throw new Error(`"call: ${task.call}" leads back to itself, which was not refused before`)
  const inner = {
    ...context,
    callers: [...context.callers, called.reference],
    expressions: { ...context.expressions, locals: [] },
  }
  return { kind: 'function', arguments: args, node: compileTask(called.name, called.task, called.reference, inner) }
}

type Called = { readonly manifest: FunctionManifest } | { readonly name: string; readonly task: Task; readonly reference: string }

/** What a name means: a function of the document, of a catalog that it names, of the default catalog, or at an address. */
function findFunction(call: string, context: CompileContext): Called {
  const { use } = context.definition
  const reference = functionReference(call)
  const own =
    reference.kind === 'name' && use?.functions !== undefined && Object.hasOwn(use.functions, call) ? use.functions[call] : undefined
  if (own !== undefined) return { name: call, task: own, reference: `/use/functions/${pointerSegment(call)}` }
  const manifest = manifestOf(call, context)
  if (manifest !== undefined) return { manifest }
  throw new Error(`"call: ${call}" was not refused before compiling`)
}

/** `name`, `name:version` and `name:version@default`; of several versions the last is the latest. */
function manifestOf(call: string, { installation, definition }: CompileContext): FunctionManifest | undefined {
  const [, name = '', version, catalog] = /^([^:@/]+)(?::([^:@/]+))?(?:@([^:@/]+))?$/.exec(call) ?? []
  if (catalog !== undefined && (catalog !== 'default' || definition.use?.catalogs?.default !== undefined)) return undefined
  return installation.functions.findLast((candidate) => candidate.name === name && (version === undefined || candidate.version === version))
}

function bodyOf({ name, performs, input }: FunctionManifest, args: ReturnType<typeof compileTemplate>): TaskBody {
  const check = compileInlineCheck(input, `what "${name}" is called with`)
  if (performs === 'waiting') return { kind: 'message', topic: name, arguments: args, check }
  return performs === 'answer' ? { kind: 'answer', arguments: args, check } : { kind: 'call', function: name, arguments: args, check }
}

/** The arguments with the authentication policy that they name by `use` put in its place. */
function withPolicy(given: Json, place: readonly string[], context: CompileContext): Json {
  if (!isObject(given)) return given
  const [first, ...rest] = place
  if (first !== undefined) {
    const inner = given[first]
    return inner === undefined ? given : { ...given, [first]: withPolicy(inner, rest, context) }
  }
  return { ...given, ...optional('authentication', policyOf(given, context)) }
}

function policyOf({ authentication }: JsonObject, { definition }: CompileContext): Json | undefined {
  if (!isObject(authentication)) return authentication
  const { use } = authentication
  const policy = typeof use === 'string' ? definition.use?.authentications?.[use] : undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A definition is parsed JSON; its types only name what is in it.
  return policy === undefined ? authentication : (policy as unknown as Json)
}
