import { ignoresInput } from '#src/lower/ignores-input.ts'
import type { Ir } from '#src/lower/ir.ts'
import { parts } from '#src/lower/visit.ts'
import { rebase } from '#src/lower/rebase.ts'
import { index } from '#src/paths/access.ts'
import { isObject, put, type MutableObject } from '#src/values/value.ts'
import type { Compiler, InPlace } from './code.ts'
import { grow } from './machine.ts'

/** One field of the new object: its value, and the field of the old object that the value is computed from, if any. */
interface Field {
  readonly key: string
  readonly from: string | undefined
  readonly value: InPlace
}

/**
 * An object whose fields are each computed from a different field of the input, as in
 * `{sum: (.sum + $x), all: (.all + [$x])}`. `undefined` for every other object.
 */
export function inPlaceObject(compiler: Compiler, ir: Extract<Ir, { kind: 'object' }>): InPlace | undefined {
  const fields: Field[] = []
  const used = new Set<string>()
  for (const { key, value } of ir.entries) {
    if (key.kind !== 'constant' || typeof key.value !== 'string' || value === undefined) return undefined
    const place = ignoresInput(value) ? undefined : firstField(value)
    const inner = place === undefined ? value : rebase(value, place.access)
    if (inner === undefined || (place === undefined && !ignoresInput(value)) || (place !== undefined && used.has(place.name)))
      return undefined
    if (place !== undefined) used.add(place.name)
    fields.push({ key: key.value, from: place?.name, value: compiler.inPlace(inner) })
  }
  return assemble(compiler, ir, fields)
}

function assemble(compiler: Compiler, ir: Ir, fields: readonly Field[]): InPlace {
  const { machine } = compiler
  const one = compiler.one(ir)
  return (input, env, owned) => {
    if (input !== null && !isObject(input)) return one(input, env)
    const object: MutableObject = {}
    for (const { key, from, value } of fields) {
      const made = value(from === undefined ? null : index(input, from), env, owned)
      if (made === undefined) return undefined
      put(object, key, made)
    }
    grow(machine, fields.length)
    owned.add(object)
    return object
  }
}

interface FieldAccess {
  readonly name: string
  readonly access: Ir
}

/** The first field of the input that a node names. */
function firstField(ir: Ir): FieldAccess | undefined {
  if (ir.kind === 'index' && ir.target.kind === 'identity' && ir.key.kind === 'constant' && typeof ir.key.value === 'string') {
    return ir.optional ? undefined : { name: ir.key.value, access: ir }
  }
  for (const part of parts(ir)) {
    const found = firstField(part)
    if (found !== undefined) return found
  }
  return undefined
}
