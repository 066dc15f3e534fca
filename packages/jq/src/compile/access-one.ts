import type { Ir } from '#src/lower/ir.ts'
import { index, slice } from '#src/paths/access.ts'
import { JqError } from '#src/errors.ts'
import { orNull, type ObjectValue, type Value } from '#src/values/value.ts'
import type { Compiler, One } from './code.ts'

/**
 * Names that a property read could find on a prototype, or as an element of an array. They take the careful road; every other
 * name can be read straight away, since nothing but an own property answers to it.
 */
function isPlainKey(key: string): boolean {
  return !(key in Object.prototype) && !(key in Array.prototype) && !/^\d/.test(key)
}

/**
 * Whether plain keys can be read straight off a value. An array has no property under such a key either, so a hit proves an object.
 */
export function isContainer(value: Value | undefined): value is ObjectValue {
  return typeof value === 'object' && value !== null
}

function constantField(target: One, key: string): One {
  if (!isPlainKey(key)) {
    return (input, env) => {
      const container = target(input, env)
      return container === undefined ? undefined : index(container, key)
    }
  }
  return (input, env) => {
    const container = target(input, env)
    if (isContainer(container)) {
      const found = container[key]
      if (found !== undefined) return found
    }
    return container === undefined ? undefined : index(container, key)
  }
}

/** A field of the input itself, the commonest access of all, without a call for its target. */
function fieldOfInput(key: string): One {
  return (input) => {
    if (isContainer(input)) {
      const found = input[key]
      if (found !== undefined) return found
    }
    return index(input, key)
  }
}

/** One or two plain keys off the input, which a node can read in place of calling the code of a part. */
export interface InputPath {
  readonly outer: string
  readonly inner: string | undefined
}

/** The keys when a node is nothing but a field of its input, or a field of such a field. */
export function inputPath(ir: Ir | undefined): InputPath | undefined {
  if (ir?.kind !== 'index' || ir.optional || ir.key.kind !== 'constant') return undefined
  const key = ir.key.value
  if (typeof key !== 'string' || !isPlainKey(key)) return undefined
  if (ir.target.kind === 'identity') return { outer: key, inner: undefined }
  const above = inputPath(ir.target)
  return above === undefined || above.inner !== undefined ? undefined : { outer: above.outer, inner: key }
}

/** Two fields in a row off the input, again without calls between them. */
function fieldsOfInput(outer: string, inner: string): One {
  const whole = fieldOfInput(outer)
  return (input, env) => {
    if (isContainer(input)) {
      const container = input[outer]
      if (isContainer(container)) {
        const found = container[inner]
        if (found !== undefined) return found
      }
    }
    return index(orNull(whole(input, env)), inner)
  }
}

export function compileIndex(compiler: Compiler, ir: Extract<Ir, { kind: 'index' }>): One {
  const path = inputPath(ir)
  if (path !== undefined) return path.inner === undefined ? fieldOfInput(path.outer) : fieldsOfInput(path.outer, path.inner)
  const target = compiler.one(ir.target)
  if (ir.optional) return optionalIndex(target, compiler.one(ir.key))
  if (ir.key.kind === 'constant' && typeof ir.key.value === 'string') return constantField(target, ir.key.value)
  const key = compiler.one(ir.key)
  return (input, env) => {
    const at = key(input, env)
    const container = at === undefined ? undefined : target(input, env)
    return at === undefined || container === undefined ? undefined : index(container, at)
  }
}

function optionalIndex(target: One, key: One): One {
  return (input, env) => {
    const at = key(input, env)
    const container = at === undefined ? undefined : target(input, env)
    return at === undefined || container === undefined ? undefined : forgiving(() => index(container, at))
  }
}

/** Runs an access that may fail and gives nothing when it does. */
export function forgiving(access: () => Value): Value | undefined {
  try {
    return access()
  } catch (error) {
    if (error instanceof JqError) return undefined
    throw error
  }
}

export function compileSlice(compiler: Compiler, ir: Extract<Ir, { kind: 'slice' }>): One {
  const target = compiler.one(ir.target)
  const from = compiler.one(ir.from)
  const to = compiler.one(ir.to)
  const { optional } = ir
  return (input, env) => {
    const start = from(input, env)
    const end = start === undefined ? undefined : to(input, env)
    const container = end === undefined ? undefined : target(input, env)
    if (start === undefined || end === undefined || container === undefined) return undefined
    return optional ? forgiving(() => slice(container, start, end)) : slice(container, start, end)
  }
}
