import type { Ir, IrEntry } from '#src/lower/ir.ts'
import { index } from '#src/paths/access.ts'
import { describe, raise } from '#src/values/describe.ts'
import { put, type MutableObject, type ObjectValue, type Value } from '#src/values/value.ts'
import { inputPath, isContainer, type InputPath } from './access-one.ts'
import type { Compiler, Many, One } from './code.ts'
import { grow, work } from './machine.ts'

type ObjectIr = Extract<Ir, { kind: 'object' }>

const noPath = { outer: undefined, inner: undefined }
const noFields: ObjectValue = {}

function keyText(key: Value): string {
  return typeof key === 'string' ? key : raise(`Cannot use ${describe(key)} as object key`)
}

interface ConstantEntry {
  readonly key: string
  /** Set when the value is no more than a field of the input. */
  readonly path: InputPath | undefined
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
    work(machine, entries.length)
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
    constants.push({ key: name, path: inputPath(value), value: value === undefined ? (input) => index(input, name) : compiler.one(value) })
  }
  return constants
}

/**
 * An object with constant keys. Few fields are set one by one through captured keys, which the host turns into a plain
 * allocation as long as it sees few shapes here; computed literals, loops and copies of a template are several times slower.
 * Fields of the input are read right here, each at a place of its own in the code, since the host remembers shapes by place; what
 * is absent or null takes the way of all other values. Two fields and three stay apart for the same reason: as one function, objects of
 * two take up to a quarter longer once a program makes objects of three as well.
 */
function fixedObject(compiler: Compiler, entries: readonly ConstantEntry[]): One {
  const [first, second, third, fourth, ...rest] = entries
  if (first === undefined) return () => ({})
  // A repeated key would need the order of the writes; the loop has it.
  if (rest.length > 0 || new Set(entries.map(({ key }) => key)).size < entries.length) return anyFields(compiler, entries)
  if (second === undefined) return oneField(compiler, first)
  if (third === undefined) return twoFields(compiler, first, second)
  return fourth === undefined ? threeFields(compiler, first, second, third) : anyFields(compiler, entries)
}

function oneField({ machine }: Compiler, { key, value }: ConstantEntry): One {
  return (input, env) => {
    const a = value(input, env)
    if (a === undefined) return undefined
    grow(machine, 1)
    const object: MutableObject = {}
    object[key] = a
    return object
  }
}

function twoFields({ machine }: Compiler, first: ConstantEntry, second: ConstantEntry): One {
  const { key: firstKey, value: firstValue } = first
  const { key: secondKey, value: secondValue } = second
  const { outer: firstOuter, inner: firstInner } = first.path ?? noPath
  const { outer: secondOuter, inner: secondInner } = second.path ?? noPath
  return (input, env) => {
    const fields = isContainer(input) ? input : noFields
    const x = firstOuter === undefined ? undefined : fields[firstOuter]
    const a = (firstInner === undefined ? x : isContainer(x) ? x[firstInner] : undefined) ?? firstValue(input, env)
    if (a === undefined) return undefined
    const y = secondOuter === undefined ? undefined : fields[secondOuter]
    const b = (secondInner === undefined ? y : isContainer(y) ? y[secondInner] : undefined) ?? secondValue(input, env)
    if (b === undefined) return undefined
    grow(machine, 2)
    const object: MutableObject = {}
    object[firstKey] = a
    object[secondKey] = b
    return object
  }
}

function threeFields({ machine }: Compiler, first: ConstantEntry, second: ConstantEntry, third: ConstantEntry): One {
  const { key: firstKey, value: firstValue } = first
  const { key: secondKey, value: secondValue } = second
  const { key: thirdKey, value: thirdValue } = third
  const { outer: firstOuter, inner: firstInner } = first.path ?? noPath
  const { outer: secondOuter, inner: secondInner } = second.path ?? noPath
  const { outer: thirdOuter, inner: thirdInner } = third.path ?? noPath
  return (input, env) => {
    const fields = isContainer(input) ? input : noFields
    const x = firstOuter === undefined ? undefined : fields[firstOuter]
    const a = (firstInner === undefined ? x : isContainer(x) ? x[firstInner] : undefined) ?? firstValue(input, env)
    if (a === undefined) return undefined
    const y = secondOuter === undefined ? undefined : fields[secondOuter]
    const b = (secondInner === undefined ? y : isContainer(y) ? y[secondInner] : undefined) ?? secondValue(input, env)
    if (b === undefined) return undefined
    const z = thirdOuter === undefined ? undefined : fields[thirdOuter]
    const c = (thirdInner === undefined ? z : isContainer(z) ? z[thirdInner] : undefined) ?? thirdValue(input, env)
    if (c === undefined) return undefined
    grow(machine, 3)
    const object: MutableObject = {}
    object[firstKey] = a
    object[secondKey] = b
    object[thirdKey] = c
    return object
  }
}

function anyFields({ machine }: Compiler, entries: readonly ConstantEntry[]): One {
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
