import type { Ir } from '#src/lower/ir.ts'
import { cannotIterate } from '#src/paths/access.ts'
import { fieldsOf, keysOf } from '#src/values/keys.ts'
import { isArray, isObject, orNull, type Value } from '#src/values/value.ts'
import type { Compiler, Many, One } from './code.ts'
import { beginLot, grow, lotOfRounds } from './machine.ts'

/** The elements of an array or the fields of an object; anything else is an error. */
export function elementsOf(container: Value): readonly Value[] {
  if (isArray(container)) return container
  if (!isObject(container)) return cannotIterate(container)
  return fieldsOf(container, keysOf(container))
}

interface Staged {
  readonly source: One
  readonly stage: One | undefined
}

/** Recognises `source[] | stage` where both parts have one output: such a node needs no stream, only a loop. */
export function asLoop(compiler: Compiler, ir: Ir): Staged | undefined {
  if (ir.kind === 'iterate') {
    return ir.optional || ir.target.count === 'many' ? undefined : { source: compiler.one(ir.target), stage: undefined }
  }
  if (ir.kind !== 'pipe' || ir.right.count === 'many') return undefined
  const inner = asLoop(compiler, ir.left)
  if (inner === undefined) return undefined
  const outer = compiler.one(ir.right)
  const { stage } = inner
  if (stage === undefined) return { source: inner.source, stage: outer }
  return {
    source: inner.source,
    stage: (input, env) => {
      const value = stage(input, env)
      return value === undefined ? undefined : outer(value, env)
    },
  }
}

/** `[body]`: all outputs in an array. */
export function collect(compiler: Compiler, body: Ir): One {
  const { machine } = compiler
  const loop = asLoop(compiler, body)
  if (loop !== undefined) return collectLoop(compiler, loop)
  if (body.count === 'maybe') {
    const only = compiler.one(body)
    return (input, env) => {
      const value = only(input, env)
      return value === undefined ? [] : [value]
    }
  }
  if (body.kind === 'comma' && body.items.every((item) => item.count === 'maybe')) return collectItems(compiler, body.items)
  const many = compiler.many(body)
  return (input, env) => {
    const list: Value[] = []
    many(input, env, (value) => {
      list.push(value)
      if ((list.length & 1023) === 0) grow(machine, 1024)
      return false
    })
    grow(machine, list.length & 1023)
    return list
  }
}

function collectItems(compiler: Compiler, items: readonly Ir[]): One {
  const codes = items.map((item) => compiler.one(item))
  return (input, env) => {
    const list: Value[] = []
    for (const code of codes) {
      const value = code(input, env)
      if (value !== undefined) list.push(value)
    }
    return list
  }
}

function collectLoop(compiler: Compiler, { source, stage }: Staged): One {
  const { machine } = compiler
  return (input, env) => {
    const container = source(input, env)
    if (container === undefined) return []
    const elements = elementsOf(container)
    const list: Value[] = []
    for (let from = 0; from < elements.length; from += lotOfRounds) {
      const end = beginLot(machine, from, elements.length)
      for (let at = from; at < end; at++) {
        const element = orNull(elements[at])
        const value = stage === undefined ? element : stage(element, env)
        if (value !== undefined) list.push(value)
      }
    }
    grow(machine, list.length)
    return list
  }
}

/** `source[] | stage` as a stream. */
export function loopMany(compiler: Compiler, { source, stage }: Staged): Many {
  const { machine } = compiler
  return (input, env, emit) => {
    const container = source(input, env)
    if (container === undefined) return false
    const elements = elementsOf(container)
    for (let from = 0; from < elements.length; from += lotOfRounds) {
      const end = beginLot(machine, from, elements.length)
      for (let at = from; at < end; at++) {
        const element = orNull(elements[at])
        const value = stage === undefined ? element : stage(element, env)
        if (value !== undefined && emit(value)) return true
      }
    }
    return false
  }
}
