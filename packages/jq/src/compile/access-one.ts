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

function constantField(target: One, key: string): One {
  if (!isPlainKey(key)) {
    return (input, env) => {
      const container = target(input, env)
      return container === undefined ? undefined : index(container, key)
    }
  }
  return (input, env) => {
    const container = target(input, env)
    if (typeof container === 'object' && container !== null) {
      // An array has no such property either, so a hit proves that this is an object.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above.
      const found = (container as ObjectValue)[key]
      if (found !== undefined) return found
    }
    return container === undefined ? undefined : index(container, key)
  }
}

/** A field of the input itself, the commonest access of all, without a call for its target. */
function fieldOfInput(key: string): One {
  return (input) => {
    if (typeof input === 'object' && input !== null) {
      // As above: a hit proves that this is an object.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above.
      const found = (input as ObjectValue)[key]
      if (found !== undefined) return found
    }
    return index(input, key)
  }
}

/** The key when a node is nothing but a field of its input. */
function inputField(ir: Ir): string | undefined {
  if (ir.kind !== 'index' || ir.optional || ir.target.kind !== 'identity' || ir.key.kind !== 'constant') return undefined
  return typeof ir.key.value === 'string' && isPlainKey(ir.key.value) ? ir.key.value : undefined
}

/** Two fields in a row off the input, again without calls between them. */
function fieldsOfInput(outer: string, inner: string): One {
  const whole = fieldOfInput(outer)
  return (input, env) => {
    if (typeof input === 'object' && input !== null) {
      // As above: hits prove that both are objects.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above.
      const container = (input as ObjectValue)[outer]
      if (typeof container === 'object' && container !== null) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above.
        const found = (container as ObjectValue)[inner]
        if (found !== undefined) return found
      }
    }
    return index(orNull(whole(input, env)), inner)
  }
}

export function compileIndex(compiler: Compiler, ir: Extract<Ir, { kind: 'index' }>): One {
  const target = compiler.one(ir.target)
  if (ir.optional) return optionalIndex(target, compiler.one(ir.key))
  if (ir.key.kind === 'constant' && typeof ir.key.value === 'string') {
    const key = ir.key.value
    if (!isPlainKey(key)) return constantField(target, key)
    if (ir.target.kind === 'identity') return fieldOfInput(key)
    const outer = inputField(ir.target)
    return outer === undefined ? constantField(target, key) : fieldsOfInput(outer, key)
  }
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
