import { Validator } from '@cfworker/json-schema'
import type { Schema } from '@millrace/dsl'
import { standardError } from '#core/error.ts'
import type { Check } from '#core/node.ts'
import type { Json, JsonObject } from '#core/json.ts'
import type { Installation } from './context.ts'
import { resourceAt, uriOf } from './resource.ts'
import { inWordsOfPattern, patternFaults, withSafePatterns } from './schema-patterns.ts'

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
  const [unusable] = patternFaults(schema.document)
  if (unusable !== undefined) return () => [{ pointer: '', detail: `the schema cannot be applied: ${unusable.pointer}: ${unusable.what}` }]
  // What the validator does not know it treats as true; what it cannot make sense of at all it finds out at different times.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Data becomes a schema by being used as one.
  const validator = attempt(() => new Validator(withSafePatterns(schema.document) as never, '2020-12', false))
  if ('broken' in validator) return () => [validator.broken]
  return (value) => {
    const result = attempt(() => validator.validate(value))
    if ('broken' in result) return [result.broken]
    if (result.valid) return []
    return result.errors.map(({ instanceLocation, error }) => ({
      pointer: instanceLocation.replace(/^#/, ''),
      detail: inWordsOfPattern(error),
    }))
  }
}

/** A reference to nowhere, a pattern that is none, a schema that refers to itself: a fault like any other, since authors write schemas. */
function attempt<T>(act: () => T): T | { readonly broken: SchemaFault } {
  try {
    return act()
  } catch (error) {
    const reason = error instanceof RangeError ? 'schema or value nest too deeply' : String(error instanceof Error ? error.message : error)
    return { broken: { pointer: '', detail: `the schema cannot be applied: ${reason.split('\n', 1)[0]}` } }
  }
}

/** Compiles a schema that is given as such. */
export function compileInlineCheck(document: JsonObject, what: string): Check {
  return checkBy(compileSchema({ format: 'json', document }), what)
}

/** Compiles the schema of a definition, inline or among what was fetched when it was published. */
export function compileCheck(schema: Schema | undefined, what: string, { resources }: Pick<Installation, 'resources'>): Check | undefined {
  if (schema === undefined) return undefined
  if ('document' in schema) return checkBy(compileSchema(schema), what)
  const uri = uriOf(schema.resource.endpoint)
  const document = resourceAt(resources, uri)
  if (document === undefined) throw new Error(`the schema ${uri} was not fetched before compiling`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Data becomes a schema by being used as one.
  return checkBy(compileSchema({ format: 'json', document: document as JsonObject }), what)
}

function checkBy(faultsOf: (value: Json) => readonly SchemaFault[], what: string): Check {
  return (value, reference) => {
    const faults = faultsOf(value)
    if (faults.length === 0) return
    const named = faults.slice(0, FAULTS_MAX).map(({ pointer, detail }) => `${pointer === '' ? '/' : pointer}: ${detail}`)
    throw standardError('validation', `${what} does not fit its schema: ${named.join('; ')}`, reference)
  }
}
