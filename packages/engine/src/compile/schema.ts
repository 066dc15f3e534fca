import { Validator } from '@cfworker/json-schema'
import type { Schema } from '@millrace/dsl'
import { standardError } from '#core/error.ts'
import type { Check } from '#core/node.ts'
import type { Json } from '#core/json.ts'

/** A fault names this many places that do not fit; the rest would only bury them. */
const FAULTS_MAX = 5

/** One place of a value that does not fit its schema: a JSON Pointer into the value. */
export interface SchemaFault {
  readonly pointer: string
  readonly detail: string
}

/** Compiles an inline JSON Schema (2020-12). It is walked, not turned into code: schemas come from users. */
export function compileSchema(schema: Schema): (value: Json) => readonly SchemaFault[] {
  if (!('document' in schema))
    return () => [{ pointer: '', detail: 'its schema is at another place, which this installation does not read' }]
  // Whether it is a schema was checked when the definition was saved; the validator treats what it does not know as true.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Its own type of a schema is wider than JSON and narrower than ours.
  const validator = new Validator(schema.document as never, '2020-12', false)
  return (value) => {
    const result = validator.validate(value)
    if (result.valid) return []
    return result.errors.map(({ instanceLocation, error }) => ({ pointer: instanceLocation.replace(/^#/, ''), detail: error }))
  }
}

export function compileCheck(schema: Schema | undefined, what: string): Check | undefined {
  if (schema === undefined) return undefined
  const faultsOf = compileSchema(schema)
  return (value, reference) => {
    const faults = faultsOf(value)
    if (faults.length === 0) return
    const named = faults.slice(0, FAULTS_MAX).map(({ pointer, detail }) => `${pointer === '' ? '/' : pointer}: ${detail}`)
    throw standardError('validation', `${what} does not fit its schema: ${named.join('; ')}`, reference)
  }
}
