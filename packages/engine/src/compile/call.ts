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
import { compileTemplate } from './expression.ts'
import type { FunctionManifest } from './manifest.ts'
import { pointerSegment } from './reference.ts'
import { resourceAt, writtenUri } from './resource.ts'
import { compileInlineCheck } from './schema.ts'

type CompileTask = (name: string, task: Task, reference: string, context: CompileContext) => TaskNode

/** Where in the arguments of a call an authentication policy may stand. */
const policyPlaces: ReadonlyMap<string, readonly (readonly string[])[]> = new Map([
  ['http', [['endpoint']]],
  ['openapi', [[], ['document', 'endpoint']]],
  ['mcp', [['transport', 'http', 'endpoint']]],
])

export function compileCall(task: CallTask, context: CompileContext, compileTask: CompileTask): TaskBody {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A definition is parsed JSON; its types only name what is in it.
  const given = (task.with ?? {}) as unknown as Json
  const places = policyPlaces.get(task.call)
  if (places !== undefined) {
    const args = places.reduce((value, place) => withPolicy(value, place, context), given)
    return { kind: 'call', function: task.call, arguments: compileTemplate(args, context.expressions) }
  }
  const args = compileTemplate(given, context.expressions)
  const called = findFunction(task.call, context)
  if (called.kind === 'manifest') return bodyOf(called.manifest, args)
  if (context.callers.includes(called.reference)) throw new Error(`"call: ${task.call}" leads back to itself, which was not refused before`)
  const inner = { ...called.context, callers: [...context.callers, called.reference] }
  return {
    kind: 'function',
    foreign: called.foreign,
    arguments: args,
    node: compileTask(called.name, called.task, called.reference, inner),
  }
}

type Found =
  | { readonly kind: 'manifest'; readonly manifest: FunctionManifest }
  | {
      readonly kind: 'task'
      readonly foreign: boolean
      readonly name: string
      readonly task: Task
      readonly reference: string
      readonly context: CompileContext
    }

/** What a call means (docs/dsl.md, Functions). A function sees no variables of its callers, and one from elsewhere nothing of the document's `use`. */
function findFunction(call: string, context: CompileContext): Found {
  const { definition, installation } = context
  const called = calledFunction(call, knownNames(definition.use))
  const inner = { ...context, expressions: { ...context.expressions, locals: [] } }
  switch (called.kind) {
    case 'inline': {
      const task = definition.use?.functions?.[called.name]
      if (task === undefined) break
      return {
        kind: 'task',
        foreign: false,
        name: called.name,
        task,
        reference: `/use/functions/${pointerSegment(called.name)}`,
        context: inner,
      }
    }
    case 'default': {
      const manifest = catalogFunction(installation.functions, called.name, called.version)
      if (manifest === undefined) break
      return { kind: 'manifest', manifest }
    }
    case 'cataloged':
    case 'url': {
      const uri = uriOfFunction(called, definition)
      const fetched = resourceAt(installation.resources, uri)
      if (!isObject(fetched)) break
      const { use: _unseen, ...document } = definition
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It was parsed and validated as a function when it was fetched.
      const task = fetched as unknown as Task
      const name = called.kind === 'url' ? uri : called.name
      return {
        kind: 'task',
        foreign: true,
        name,
        task,
        reference: `/resources/${pointerSegment(uri)}`,
        context: { ...inner, definition: document },
      }
    }
    case 'built-in':
  }
  throw new Error(`"call: ${call}" was not refused before compiling`)
}

function uriOfFunction(called: Extract<CalledFunction, { readonly kind: 'cataloged' | 'url' }>, { use }: Definition): string {
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A definition is parsed JSON; its types only name what is in it.
  return policy === undefined ? authentication : (policy as unknown as Json)
}
