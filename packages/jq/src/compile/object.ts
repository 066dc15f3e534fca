import type { Ir, IrEntry } from '#src/lower/ir.ts'
import { index } from '#src/paths/access.ts'
import { describe, raise } from '#src/values/describe.ts'
import { put, type MutableObject, type Value } from '#src/values/value.ts'
import type { Compiler, Many, One } from './code.ts'
import { grow } from './machine.ts'

type ObjectIr = Extract<Ir, { kind: 'object' }>

function keyText(key: Value): string {
  return typeof key === 'string' ? key : raise(`Cannot use ${describe(key)} as object key`)
}

interface ConstantEntry {
  readonly key: string
  readonly value: One
}

/** An object whose entries all have one output. */
export function objectOne(compiler: Compiler, ir: ObjectIr): One {
  const constants = constantEntries(compiler, ir.entries)
  if (constants !== undefined) return fixedObject(compiler, constants)
  const { machine } = compiler
  const entries = ir.entries.map((entry) => ({ key: compiler.one(entry.key), value: valueOf(compiler, entry) }))
  return (input, env) => {
    const object: MutableObject = {}
    for (const entry of entries) {
      const key = entry.key(input, env)
      if (key === undefined) return undefined
      const value = entry.value === undefined ? index(input, key) : entry.value(input, env)
      if (value === undefined) return undefined
      put(object, keyText(key), value)
    }
    grow(machine, entries.length)
    return object
  }
}

function valueOf(compiler: Compiler, entry: IrEntry): One | undefined {
  return entry.value === undefined ? undefined : compiler.one(entry.value)
}

function constantEntries(compiler: Compiler, entries: readonly IrEntry[]): ConstantEntry[] | undefined {
  const constants: ConstantEntry[] = []
  for (const { key, value } of entries) {
    if (key.kind !== 'constant' || typeof key.value !== 'string' || key.value === '__proto__') return undefined
    const name = key.value
    constants.push({ key: name, value: value === undefined ? (input) => index(input, name) : compiler.one(value) })
  }
  return constants
}

function fixedObject(compiler: Compiler, entries: readonly ConstantEntry[]): One {
  const { machine } = compiler
  const [first, second, third, ...rest] = entries
  if (first === undefined) return () => ({})
  if (second === undefined || third === undefined || rest.length > 0) {
    return (input, env) => {
      const object: MutableObject = {}
      for (const entry of entries) {
        const value = entry.value(input, env)
        if (value === undefined) return undefined
        object[entry.key] = value
      }
      grow(machine, entries.length)
      return object
    }
  }
  return (input, env) => {
    const a = first.value(input, env)
    const b = a === undefined ? undefined : second.value(input, env)
    const c = b === undefined ? undefined : third.value(input, env)
    if (a === undefined || b === undefined || c === undefined) return undefined
    grow(machine, 3)
    return { [first.key]: a, [second.key]: b, [third.key]: c }
  }
}

/** Every combination of the outputs of keys and values, the first entry changing slowest. */
export function objectMany(compiler: Compiler, ir: ObjectIr): Many {
  const { machine } = compiler
  const entries = ir.entries.map((entry) => ({
    key: compiler.many(entry.key),
    value: entry.value === undefined ? undefined : compiler.many(entry.value),
  }))
  return (input, env, emit) => {
    const from = (at: number, object: MutableObject): boolean => {
      const entry = entries[at]
      if (entry === undefined) return emit(object)
      return entry.key(input, env, (key) => {
        const extend = (value: Value): boolean => {
          grow(machine, at + 1)
          const extended = { ...object }
          put(extended, keyText(key), value)
          return from(at + 1, extended)
        }
        return entry.value === undefined ? extend(index(input, key)) : entry.value(input, env, extend)
      })
    }
    return from(0, {})
  }
}
