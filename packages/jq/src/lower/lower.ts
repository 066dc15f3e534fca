import { JqSyntaxError, StacklessError } from '#src/errors.ts'
import type { Definition, Node, ObjectEntry } from '#src/syntax/ast.ts'
import { negate } from '#src/values/arithmetic.ts'
import { interned } from '#src/values/intern.ts'
import { isNumeric, put, type MutableObject, type Value } from '#src/values/value.ts'
import { countOf } from './count.ts'
import { foldBinary, freeze } from './fold.ts'
import type { Count, Ir, IrEntry, IrShape, Routine } from './ir.ts'
import { isRecursive } from './is-recursive.ts'
import { lowerPatterns } from './patterns.ts'
import { weigh } from './weight.ts'
import { extend, findCallable, findLabel, findVariable, type Entry, type Scope } from './scope.ts'

/** A program that has grown to this size is not lowered a second time for a better count: definitions inside one another would each be. */
const retryNodesMax = 20_000

/** The functions that a program can call besides its own definitions. */
export interface Library {
  hasNative(name: string, arity: number): boolean
  definition(name: string, arity: number): Definition | undefined
  /** Why a name of jq is not there, or `undefined` when jq has no such name either. */
  refusal(name: string, arity: number): string | undefined
}

export interface LowerOptions {
  readonly source: string
  readonly variables: ReadonlySet<string>
  readonly library: Library
}

/** Definitions are copied into their calls until the program has this many nodes; then calls are real. */
const copiedNodesMax = 4_000

/** Arguments are written out wherever a copied definition uses them. A program that grows beyond this many nodes is lowered without copies. */
const grownNodesMax = 20_000

export interface Context extends LowerOptions {
  nodes: number
  /** As many nodes as copies may make the program. */
  readonly nodesMax: number
  /** Until the program has so many nodes definitions are copied. */
  readonly copiedMax: number
  /** The offsets of the lines of the source, computed at the first use. */
  lines: readonly number[] | undefined
  /** Library definitions that are called for real, one each for the whole program. */
  readonly shared: Map<string, Extract<Entry, { kind: 'definition' }>>
}

/** The context of a node: the names in scope, and the number of links of its environment. */
export interface Place {
  readonly scope: Scope | undefined
  readonly depth: number
}

/**
 * Resolves every name, copies small definitions into their calls, folds constants and counts outputs.
 * @throws JqSyntaxError for a name that is not defined
 */
export function lower(program: Node, options: LowerOptions): Ir {
  const nodesMax = grownNodesMax + 2 * options.source.length
  try {
    return lowerWithin(program, options, copiedNodesMax, nodesMax)
  } catch (error) {
    if (!(error instanceof Overgrown)) throw error
    return lowerWithin(program, options, 0, Number.POSITIVE_INFINITY)
  }
}

function lowerWithin(program: Node, options: LowerOptions, copiedMax: number, nodesMax: number): Ir {
  const ctx: Context = { ...options, nodes: 0, nodesMax, copiedMax, lines: undefined, shared: new Map() }
  return lowerNode(ctx, program, { scope: undefined, depth: 0 })
}

/** Copies have made the program too large. */
class Overgrown extends StacklessError {}

export function make(ctx: Context, shape: IrShape): Ir {
  if (++ctx.nodes > ctx.nodesMax) throw new Overgrown('The program has grown too large')
  return { ...shape, count: countOf(shape), ...weigh(shape) }
}

export function lowerNode(ctx: Context, node: Node, at: Place): Ir {
  const go = (child: Node): Ir => lowerNode(ctx, child, at)
  switch (node.kind) {
    case 'identity':
      return make(ctx, { kind: 'identity' })
    case 'literal':
      return make(ctx, { kind: 'constant', value: typeof node.value === 'string' ? interned(node.value) : node.value })
    case 'string': {
      const parts = node.parts.map((part) => (typeof part === 'string' ? part : go(part)))
      return make(ctx, { kind: 'string', format: node.format ?? 'text', parts })
    }
    case 'format':
      // `@text` hands a text back as it is, which an interpolation does not.
      if (node.name === 'text') return make(ctx, { kind: 'native', name: 'tostring/0', args: [] })
      return make(ctx, { kind: 'string', format: node.name, parts: [make(ctx, { kind: 'identity' })] })
    case 'index':
      return make(ctx, { kind: 'index', target: go(node.target), key: go(node.key), optional: node.optional })
    case 'slice':
      return make(ctx, { kind: 'slice', target: go(node.target), from: go(node.from), to: go(node.to), optional: node.optional })
    case 'iterate':
      return make(ctx, { kind: 'iterate', target: go(node.target), optional: node.optional })
    case 'try':
      return make(ctx, { kind: 'try', body: go(node.body), handler: node.handler === undefined ? undefined : go(node.handler) })
    case 'negate': {
      const operand = go(node.operand)
      if (operand.kind === 'constant' && isNumeric(operand.value)) return make(ctx, { kind: 'constant', value: negate(operand.value) })
      return make(ctx, { kind: 'negate', operand })
    }
    case 'pipe':
      return lowerPipe(ctx, go(node.left), go(node.right))
    case 'comma':
      return make(ctx, { kind: 'comma', items: node.items.map(go) })
    case 'binary': {
      const left = go(node.left)
      const right = go(node.right)
      const value = foldBinary(node.operator, left, right)
      return make(ctx, value === undefined ? { kind: 'binary', operator: node.operator, left, right } : { kind: 'constant', value })
    }
    case 'logic':
      return make(ctx, { kind: 'logic', operator: node.operator, left: go(node.left), right: go(node.right) })
    case 'alternative':
      return make(ctx, { kind: 'alternative', left: go(node.left), right: go(node.right) })
    case 'if':
      return make(ctx, { kind: 'if', condition: go(node.condition), yes: go(node.yes), no: go(node.no) })
    case 'array':
      return lowerArray(ctx, node.body === undefined ? undefined : go(node.body))
    case 'object':
      return lowerObject(ctx, node.entries, at)
    default:
      return lowerBinding(ctx, node, at)
  }
}

/** The nodes that bind names or refer to them. */
function lowerBinding(
  ctx: Context,
  node: Extract<Node, { kind: 'update' | 'reduce' | 'foreach' | 'define' | 'bind' | 'label' | 'break' | 'variable' | 'call' }>,
  at: Place,
): Ir {
  switch (node.kind) {
    case 'update':
      return lowerUpdate(ctx, node, at)
    case 'reduce':
    case 'foreach':
      return lowerLoop(ctx, node, at)
    case 'define': {
      const entry: Entry = {
        kind: 'definition',
        name: node.definition.name,
        definition: node.definition,
        depth: at.depth,
        routines: {},
      }
      return lowerNode(ctx, node.body, { scope: extend(at.scope, entry), depth: at.depth })
    }
    case 'bind': {
      const source = lowerNode(ctx, node.source, at)
      const { patterns, variables, inside } = lowerPatterns(node.patterns, at, (key) => lowerNode(ctx, key, at))
      return make(ctx, { kind: 'bind', source, patterns, variables, body: lowerNode(ctx, node.body, inside) })
    }
    case 'label': {
      const scope = extend(at.scope, { kind: 'label', name: node.name, depth: at.depth })
      return make(ctx, { kind: 'label', body: lowerNode(ctx, node.body, { scope, depth: at.depth + 1 }) })
    }
    case 'break': {
      const label = findLabel(at.scope, node.name)
      if (label === undefined) return fail(ctx, 'undefined-label', `$*label-${node.name} is not defined`, node)
      return make(ctx, { kind: 'break', up: at.depth - 1 - label.depth })
    }
    case 'variable':
      return lowerVariable(ctx, node, at)
    case 'call':
      return lowerCall(ctx, node, at)
  }
}

function fail(
  ctx: Context,
  code: 'undefined-function' | 'undefined-variable' | 'undefined-label' | 'refused' | 'clock-required',
  message: string,
  node: Node,
): never {
  throw new JqSyntaxError(ctx.source, { code, message, start: node.start, end: node.end })
}

function lowerPipe(ctx: Context, left: Ir, right: Ir): Ir {
  if (left.kind === 'identity') return right
  return right.kind === 'identity' ? left : make(ctx, { kind: 'pipe', left, right })
}

function lowerArray(ctx: Context, body: Ir | undefined): Ir {
  if (body === undefined) return make(ctx, { kind: 'constant', value: freeze([]) })
  const items = body.kind === 'comma' ? body.items : [body]
  const values: Value[] = []
  for (const item of items) if (item.kind === 'constant') values.push(item.value)
  if (values.length === items.length) return make(ctx, { kind: 'constant', value: freeze(values) })
  return make(ctx, { kind: 'array', body })
}

function lowerObject(ctx: Context, entries: readonly ObjectEntry[], at: Place): Ir {
  const lowered: IrEntry[] = entries.map((entry) => ({
    key: lowerNode(ctx, entry.key, at),
    value: entry.value === undefined ? undefined : lowerNode(ctx, entry.value, at),
  }))
  const constant: MutableObject = {}
  for (const { key, value } of lowered) {
    if (key.kind !== 'constant' || typeof key.value !== 'string' || value?.kind !== 'constant') {
      return make(ctx, { kind: 'object', entries: lowered })
    }
    put(constant, key.value, value.value)
  }
  return make(ctx, { kind: 'constant', value: freeze(constant) })
}

function lowerUpdate(ctx: Context, node: Extract<Node, { kind: 'update' }>, at: Place): Ir {
  const { operator } = node
  if (operator === '=') {
    return make(ctx, { kind: 'assign', target: lowerNode(ctx, node.target, at), value: lowerNode(ctx, node.value, at) })
  }
  if (operator === '|=') {
    return make(ctx, { kind: 'modify', target: lowerNode(ctx, node.target, at), update: lowerNode(ctx, node.value, at) })
  }
  // `a op= b` is `b as $x | a |= (. op $x)`: the right side sees the whole input and is evaluated first.
  const source = lowerNode(ctx, node.value, at)
  const inside = { scope: at.scope, depth: at.depth + 1 }
  const left = make(ctx, { kind: 'identity' })
  const right: Ir = source.kind === 'constant' ? source : make(ctx, { kind: 'variable', up: 0 })
  const update =
    operator === '//='
      ? make(ctx, { kind: 'alternative', left, right })
      : make(ctx, { kind: 'binary', operator: arithmeticOf(operator), left, right })
  if (source.kind === 'constant') return make(ctx, { kind: 'modify', target: lowerNode(ctx, node.target, at), update })
  const body = make(ctx, { kind: 'modify', target: lowerNode(ctx, node.target, inside), update })
  return make(ctx, { kind: 'bind', source, patterns: [{ kind: 'variable', slot: 0 }], variables: 1, body })
}

function arithmeticOf(operator: '+=' | '-=' | '*=' | '/=' | '%='): '+' | '-' | '*' | '/' | '%' {
  switch (operator) {
    case '+=':
      return '+'
    case '-=':
      return '-'
    case '*=':
      return '*'
    case '/=':
      return '/'
    case '%=':
      return '%'
  }
}

function lowerLoop(ctx: Context, node: Extract<Node, { kind: 'reduce' | 'foreach' }>, at: Place): Ir {
  const source = lowerNode(ctx, node.source, at)
  const initial = lowerNode(ctx, node.initial, at)
  const { patterns, variables, inside } = lowerPatterns(node.patterns, at, (key) => lowerNode(ctx, key, at))
  const update = lowerNode(ctx, node.update, inside)
  if (node.kind === 'reduce') return make(ctx, { kind: 'reduce', source, patterns, variables, initial, update })
  const extract = node.extract === undefined ? undefined : lowerNode(ctx, node.extract, inside)
  return make(ctx, { kind: 'foreach', source, patterns, variables, initial, update, extract })
}

function lowerVariable(ctx: Context, node: Extract<Node, { kind: 'variable' }>, at: Place): Ir {
  const { name } = node
  if (name === '__loc__') {
    return make(ctx, { kind: 'constant', value: freeze({ file: '<top-level>', line: lineOf(ctx, node.start) }) })
  }
  const entry = findVariable(at.scope, name)
  if (entry !== undefined) return make(ctx, { kind: 'variable', up: at.depth - 1 - entry.depth })
  if (ctx.variables.has(name)) return make(ctx, { kind: 'global', name })
  if (name === 'ENV') return fail(ctx, 'refused', '$ENV is not available: a program here reads nothing but its input and variables', node)
  return fail(ctx, 'undefined-variable', `$${name} is not defined`, node)
}

function lowerCall(ctx: Context, node: Extract<Node, { kind: 'call' }>, at: Place): Ir {
  const { name, args } = node
  const found = findCallable(at.scope, name, args.length)
  if (found?.entry.kind === 'parameter')
    return make(ctx, { kind: 'parameter', up: at.depth - 1 - found.entry.depth, single: found.entry.single })
  if (found?.entry.kind === 'argument') return lowerNode(ctx, found.entry.node, { scope: found.entry.scope, depth: at.depth })
  if (found !== undefined) return lowerDefinitionCall(ctx, found.entry, found.scope, args, at)
  const { library } = ctx
  if (library.hasNative(name, args.length)) {
    return make(ctx, { kind: 'native', name: `${name}/${args.length}`, args: args.map((arg) => lowerNode(ctx, arg, at)) })
  }
  const definition = library.definition(name, args.length)
  if (definition !== undefined) return lowerDefinitionCall(ctx, sharedEntry(ctx, definition), undefined, args, at)
  const refusal = library.refusal(name, args.length)
  if (refusal !== undefined) return fail(ctx, refusal.includes('clock') ? 'clock-required' : 'refused', refusal, node)
  return fail(ctx, 'undefined-function', `${name}/${args.length} is not defined`, node)
}

function lineOf(ctx: Context, at: number): number {
  ctx.lines ??= [...ctx.source.matchAll(/\n/g)].map(({ index }) => index)
  let low = 0
  let high = ctx.lines.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ctx.lines[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low + 1
}

type DefinitionEntry = Extract<Entry, { kind: 'definition' }>

function sharedEntry(ctx: Context, definition: Definition): DefinitionEntry {
  const key = `${definition.name}/${definition.parameters.length}`
  let entry = ctx.shared.get(key)
  if (entry === undefined) {
    entry = { kind: 'definition', name: definition.name, definition, depth: 0, routines: {} }
    ctx.shared.set(key, entry)
  }
  return entry
}

function lowerDefinitionCall(ctx: Context, entry: DefinitionEntry, scope: Scope | undefined, args: readonly Node[], at: Place): Ir {
  if (ctx.nodes < ctx.copiedMax && !isRecursive(entry.definition)) return copyDefinition(ctx, entry, scope, args, at)
  const lowered = args.map((arg) => lowerNode(ctx, arg, at))
  const form = lowered.every((arg) => arg.count === 'maybe') ? 'single' : 'general'
  const routine = entry.routines[form] ?? makeRoutine(ctx, entry, scope, form)
  return make(ctx, { kind: 'call', routine, up: at.depth - entry.depth, args: lowered })
}

/** Writes the body of a definition in place of its call. Closure parameters stay text, value parameters become bindings. */
function copyDefinition(ctx: Context, entry: DefinitionEntry, scope: Scope | undefined, args: readonly Node[], at: Place): Ir {
  const { parameters, body } = entry.definition
  // The definition sees itself only when it is recursive, and then it is not copied.
  let inner = scope?.outer
  const sources: Ir[] = []
  let { depth } = at
  parameters.forEach((parameter, index) => {
    const node = args[index]
    if (node === undefined) return
    inner = extend(inner, { kind: 'argument', name: parameter.name, node, scope: at.scope })
  })
  parameters.forEach((parameter, index) => {
    const node = args[index]
    if (node === undefined || !parameter.byValue) return
    sources.push(lowerNode(ctx, node, { scope: at.scope, depth }))
    inner = extend(inner, { kind: 'variable', name: parameter.name, depth })
    depth++
  })
  let result = lowerNode(ctx, body, { scope: inner, depth })
  for (const source of sources.toReversed()) {
    result = make(ctx, { kind: 'bind', source, patterns: [{ kind: 'variable', slot: 0 }], variables: 1, body: result })
  }
  return result
}

/** Whether the arguments of all calls that share a routine have one output at most. */
type Form = 'single' | 'general'

/** Lowers a definition once for all its calls of a form, first in the hope that a call has one output at most. */
function makeRoutine(ctx: Context, entry: DefinitionEntry, scope: Scope | undefined, form: Form): Routine {
  const { parameters } = entry.definition
  const values = form === 'single' ? parameters.flatMap((parameter, at) => (parameter.byValue ? [at] : [])) : []
  const attempt = (count: Count): Routine => {
    const routine: Routine = { name: entry.name, count, values, body: make(ctx, { kind: 'identity' }) }
    entry.routines[form] = routine
    routine.body = lowerRoutineBody(ctx, entry, scope, form)
    return routine
  }
  if (ctx.nodes > retryNodesMax) return attempt('many')
  const hopeful = attempt('maybe')
  return hopeful.body.count === 'maybe' ? hopeful : attempt('many')
}

function lowerRoutineBody(ctx: Context, entry: DefinitionEntry, scope: Scope | undefined, form: Form): Ir {
  const { parameters, body } = entry.definition
  let inner = scope ?? extend(undefined, entry)
  let depth = entry.depth
  for (const parameter of parameters) {
    inner = extend(inner, { kind: 'parameter', name: parameter.name, depth, single: form === 'single' })
    depth++
  }
  const closures = depth
  const values = parameters.filter((parameter) => parameter.byValue)
  for (const parameter of values) {
    inner = extend(inner, { kind: 'variable', name: parameter.name, depth })
    depth++
  }
  let result = lowerNode(ctx, body, { scope: inner, depth })
  if (form === 'single') return result
  for (const parameter of values.toReversed()) {
    depth--
    const up = depth - 1 - (closures - parameters.length + parameters.indexOf(parameter))
    const source = make(ctx, { kind: 'parameter', up, single: false })
    result = make(ctx, { kind: 'bind', source, patterns: [{ kind: 'variable', slot: 0 }], variables: 1, body: result })
  }
  return result
}
