import { isArray, isJsonNumber, isNumeric, isObject, type Value } from '#src/values/value.ts'
import type { Ir, NativeName } from './ir.ts'
import { parts, visit } from './visit.ts'

/** The dependencies of a program besides its own text. */
export interface Reads {
  /** Names of the given variables that it uses. */
  readonly variables: ReadonlySet<string>
  /** The paths of the input that it reads, such as `.a.b` or `.items[]`; `.` when it may read all of it. */
  readonly paths: readonly string[]
  /** Whether the same input and variables always give the same outputs. */
  readonly deterministic: boolean
}

export function readsOf(ir: Ir): Reads {
  const variables = new Set<string>()
  let deterministic = true
  visit(ir, (node) => {
    if (node.kind === 'global') variables.add(node.name)
    if (node.kind === 'native' && node.name === 'now/0') deterministic = false
  })
  const seen: Seen = { paths: new Set(), left: pathsMax }
  use(trace(ir, ['.'], seen), seen)
  const { paths } = seen
  const lengths = new Set(Array.from(paths, (path) => path.length))
  return { variables, paths: [...paths].filter((path) => !isCovered(path, paths, lengths)).toSorted(), deterministic }
}

/** A longer path says nothing new when the value above it is read as a whole. */
function isCovered(path: string, paths: ReadonlySet<string>, lengths: ReadonlySet<number>): boolean {
  if (path !== '.' && paths.has('.')) return true
  for (let at = 1; at < path.length; at++) {
    if (lengths.has(at) && (path[at] === '.' || path[at] === '[') && paths.has(path.slice(0, at))) return true
  }
  return false
}

/** Paths that are followed in all; a program with more is taken to read everything. */
const pathsMax = 50_000

interface Seen {
  readonly paths: Set<string>
  left: number
}

/** One more step on each of the paths; nothing is left to follow once there are too many. */
function follow(paths: readonly string[], seen: Seen, next: (path: string) => string): readonly string[] {
  seen.left -= paths.length
  if (seen.left >= 0) return paths.map(next)
  seen.paths.add('.')
  return []
}

/** The paths of several nodes together. */
function together(seen: Seen, ...lists: readonly (readonly string[])[]): readonly string[] {
  return follow([...new Set(lists.flat())], seen, (path) => path)
}

/**
 * Follows where values come from: `at` are the paths of the input of a node, the result those of its outputs; nothing for a
 * value that the program made. What is used up on the way is put into `read`.
 */
function trace(ir: Ir, at: readonly string[], read: Seen): readonly string[] {
  switch (ir.kind) {
    case 'identity':
      return at
    case 'pipe':
      return trace(ir.right, trace(ir.left, at, read), read)
    case 'index': {
      const target = trace(ir.target, at, read)
      const name = constantKey(ir.key)
      if (name !== undefined) return follow(target, read, (path) => step(path, fieldStep(name)))
      use(trace(ir.key, at, read), read)
      return follow(target, read, (path) => step(path, '[]'))
    }
    case 'slice':
      use(trace(ir.from, at, read), read)
      use(trace(ir.to, at, read), read)
      return trace(ir.target, at, read)
    case 'iterate':
      return follow(trace(ir.target, at, read), read, (path) => step(path, '[]'))
    case 'comma':
      return together(read, ...ir.items.map((item) => trace(item, at, read)))
    case 'alternative':
      return together(read, trace(ir.left, at, read), trace(ir.right, at, read))
    case 'if':
      use(trace(ir.condition, at, read), read)
      return together(read, trace(ir.yes, at, read), trace(ir.no, at, read))
    case 'try': {
      const body = trace(ir.body, at, read)
      if (ir.handler !== undefined) use(trace(ir.handler, [], read), read)
      return body
    }
    case 'bind':
      use(trace(ir.source, at, read), read)
      return trace(ir.body, at, read)
    case 'label':
      return trace(ir.body, at, read)
    case 'constant':
    case 'variable':
    case 'global':
    case 'break':
      return []
    case 'native':
      return ir.name === 'empty/0' ? [] : traceOpaque(ir, at, read)
    default:
      return traceOpaque(ir, at, read)
  }
}

/** A node that makes a new value, or whose parts see values that are not followed. */
function traceOpaque(ir: Ir, at: readonly string[], read: Seen): readonly string[] {
  const direct = ['string', 'negate', 'binary', 'logic', 'array', 'object'].includes(ir.kind)
  // A node that runs a part on another value than its own input is assumed to read all of the input.
  if (!direct) use(at, read)
  if (ir.kind === 'object') for (const entry of ir.entries) if (entry.value === undefined) use(fieldPaths(entry.key, at), read)
  for (const part of parts(ir)) use(trace(part, at, read), read)
  return []
}

function constantKey(key: Ir): string | undefined {
  return key.kind === 'constant' && typeof key.value === 'string' ? key.value : undefined
}

function fieldPaths(key: Ir, at: readonly string[]): readonly string[] {
  const name = constantKey(key)
  return name === undefined ? at : at.map((path) => step(path, fieldStep(name)))
}

function use(paths: readonly string[], read: Seen): void {
  for (const path of paths) read.paths.add(path)
}

function step(path: string, next: string): string {
  return path === '.' && next.startsWith('.') ? next : path + next
}

/** The step of a path to a member. */
export function fieldStep(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}

/** Whether a program can put out a number that JSON cannot represent otherwise than by adding, subtracting, multiplying or dividing. */
export function leavesJson(ir: Ir, makesNumbers: (name: NativeName) => boolean): boolean {
  let leaves = false
  visit(ir, (node) => {
    if (node.kind === 'constant' && holdsMore(node.value)) leaves = true
    if (node.kind === 'native' && makesNumbers(node.name)) leaves = true
  })
  return leaves
}

function holdsMore(value: Value): boolean {
  if (isArray(value)) return value.some(holdsMore)
  return isObject(value) ? Object.values(value).some(holdsMore) : isNumeric(value) && !isJsonNumber(value)
}
