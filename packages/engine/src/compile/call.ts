import {
  calledFunction,
  type CalledFunction,
  type CallTask,
  catalogedFunctionUri,
  catalogFunction,
  type Definition,
  knownNames,
  rawUri,
  type Task,
} from '@millrace/dsl'
import { isObject, type Json, type JsonObject } from '#core/json.ts'
import type { TaskBody, TaskNode } from '#core/node.ts'
import { type CompileContext, optional } from './context.ts'
import { expandedCall } from './expanded-call.ts'
import { compileTemplate } from './expression.ts'
import type { FunctionManifest } from './manifest.ts'
import { pointerSegment } from '#core/json-pointer.ts'
import { resourceAt, writtenUri } from './resource.ts'
import { compileInlineCheck } from './schema.ts'

type CompileTask = (name: string, task: Task, reference: string, context: CompileContext) => TaskNode

/** Where in the arguments of a call an authentication policy may stand. */
const policyPlaces: ReadonlyMap<string, readonly (readonly string[])[]> = new Map([
  ['http', [['endpoint']]],
  ['openapi', [[], ['document', 'endpoint']]],
  ['mcp', [['transport', 'http', 'endpoint']]],
])

export function compileCall(task: CallTask, at: string, context: CompileContext, compileTask: CompileTask): TaskBody {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A definition is parsed JSON; its types only name what is in it.
  const given = (task.with ?? {}) as unknown as Json
  const places = policyPlaces.get(task.call)
  if (places !== undefined) {
    const args = places.reduce((value, place) => withPolicy(value, place, context), given)
    return { kind: 'call', function: task.call, arguments: compileTemplate(args, context.expressions) }
  }
  const args = compileTemplate(given, context.expressions)
  const called = findFunction(task.call, context)
  if (called.kind === 'manifest') {
    const tasks = resourceAt(context.installation.resources, expandedCall(called.manifest.name, given))
    if (!isObject(tasks)) return bodyOf(called.manifest, args)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The host made it when the definition was published.
    const node = compileTask(called.manifest.name, tasks as unknown as Task, `${at}/call`, withoutLocals(context))
    return { kind: 'function', foreign: false, arguments: args, node }
  }
  if (context.callers.includes(called.reference))
    throw new Error(`"call: ${task.call}" leads back to itself, which the checks before compiling should have refused`)
  const inner = { ...called.context, callers: [...context.callers, called.reference] }
  return {
    kind: 'function',
    foreign: called.foreign,
    arguments: args,
    node: functionNode(called, () => compileTask(called.name, called.task, called.reference, inner), context),
  }
}

/** One node serves all calls of a function, since it reads nothing of its callers. */
function functionNode(
  { reference }: { readonly reference: string },
  compile: () => TaskNode,
  { compiledFunctions, extensions }: CompileContext,
): TaskNode {
  // Functions that an extension calls are not extended.
  const key = `${extensions.length > 0} ${reference}`
  const known = compiledFunctions.get(key)
  if (known !== undefined) return known
  const node = compile()
  compiledFunctions.set(key, node)
  return node
}

type ResolvedFunction =
  | { readonly kind: 'manifest'; readonly manifest: FunctionManifest }
  | {
      readonly kind: 'task'
      readonly foreign: boolean
      readonly name: string
      readonly task: Task
      readonly reference: string
      readonly context: CompileContext
    }

/** Resolves the name in a call (docs/dsl.md, Functions). */
function findFunction(call: string, context: CompileContext): ResolvedFunction {
  const called = calledFunction(call, knownNames(context.definition.use))
  const found = lookUp(called, context)
  if (found === undefined) throw new Error(`"call: ${call}" should have been refused before compiling`)
  return found
}

function lookUp(called: CalledFunction, context: CompileContext): ResolvedFunction | undefined {
  switch (called.kind) {
    case 'inline':
      return inlineFunction(called.name, context)
    case 'default': {
      const manifest = catalogFunction(context.installation.functions, called.name, called.version)
      return manifest === undefined ? undefined : { kind: 'manifest', manifest }
    }
    case 'cataloged':
    case 'url':
      return fetchedFunction(called, context)
    case 'built-in':
      return undefined
  }
}

/** It sees no variables of its callers. */
function inlineFunction(name: string, context: CompileContext): ResolvedFunction | undefined {
  const task = context.definition.use?.functions?.[name]
  if (task === undefined) return undefined
  return { kind: 'task', foreign: false, name, task, reference: `/use/functions/${pointerSegment(name)}`, context: withoutLocals(context) }
}

/** It sees no variables of its callers, and nothing of the document's `use`. */
function fetchedFunction(called: FetchedFunction, context: CompileContext): ResolvedFunction | undefined {
  const uri = uriOfFunction(called, context.definition)
  const fetched = resourceAt(context.installation.resources, uri)
  if (!isObject(fetched)) return undefined
  const { use: _unseen, ...definition } = context.definition
  return {
    kind: 'task',
    foreign: true,
    name: called.kind === 'url' ? uri : called.name,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It was parsed and validated as a function when it was fetched.
    task: fetched as unknown as Task,
    reference: `/resources/${pointerSegment(uri)}`,
    context: { ...withoutLocals(context), definition },
  }
}

function withoutLocals(context: CompileContext): CompileContext {
  return { ...context, expressions: { ...context.expressions, locals: [] } }
}

type FetchedFunction = Extract<CalledFunction, { readonly kind: 'cataloged' | 'url' }>

function uriOfFunction(called: FetchedFunction, { use }: Definition): string {
  if (called.kind === 'url') return rawUri(called.url)
  const endpoint = use?.catalogs?.[called.catalog]?.endpoint
  return endpoint === undefined ? '' : catalogedFunctionUri(writtenUri(endpoint), called.name, called.version)
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
  return policy === undefined ? authentication : policy
}
