import { Validator } from '@cfworker/json-schema'
import type { Schema } from '@millrace/dsl'
import { evaluate, type Evaluator } from '#core/evaluate.ts'
import { standardError } from '#core/error.ts'
import type { Check } from '#core/node.ts'
import { itemsOf, type Json, type JsonObject, parseJson, textsIn } from '#core/json.ts'
import type { Meter } from '#core/meter.ts'
import { InterruptedSignal, type Work } from '#core/work.ts'
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

/**
 * Compiles a JSON Schema (2020-12), inline or among what was fetched when the definition was published. It is walked, not turned into code:
 * schemas come from users.
 */
export function compileSchema(
  given: Schema,
  resources?: Installation['resources'],
): (value: Json, meter?: Meter) => readonly SchemaFault[] {
  const schema = inline(given, resources)
  if (schema === undefined)
    return () => [{ pointer: '', detail: 'its schema is at another place, and was not fetched when the definition was published' }]
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
  return checkBy({ format: 'json', document }, undefined, what)
}

/** Compiles the schema of a definition. */
export function compileCheck(schema: Schema | undefined, what: string, { resources }: Pick<Installation, 'resources'>): Check | undefined {
  return schema === undefined ? undefined : checkBy(schema, resources, what)
}

function inline(schema: Schema, resources: Installation['resources']): { readonly document: Json } | undefined {
  if ('document' in schema) return schema
  const document = resourceAt(resources, uriOf(schema.resource.endpoint))
  return document === undefined ? undefined : { document }
}

function checkBy(schema: Schema, resources: Installation['resources'], what: string): Check {
  const faultsOf = compileSchema(schema, resources)
  const evaluator: Evaluator<Json, string, undefined> = {
    attempt: (value, reference, work) => assertNone(namedFaults(faultsOf, value, work), what, reference),
    isInterruption: (error) => error instanceof InterruptedSignal,
    computation: (value) => ({ kind: 'schema', source: JSON.stringify(inline(schema, resources)?.document ?? null), value }),
    finish: (faults, _value, reference) => assertNone(itemsOf(faults), what, reference),
  }
  return (value, reference, work) => evaluate(evaluator, value, reference, work)
}

/** Checks by a schema given as JSON. @returns what does not fit, as texts. */
export function compileInlineSchema(source: string): (value: Json, work: Work) => Json {
  const faultsOf = compileSchema({ format: 'json', document: parseJson(source) })
  return (value, work) => namedFaults(faultsOf, value, work)
}

function namedFaults(faultsOf: ReturnType<typeof compileSchema>, value: Json, work: Work): readonly string[] {
  return faultsOf(value, work.meter())
    .slice(0, FAULTS_MAX)
    .map(({ pointer, detail }) => `${pointer === '' ? '/' : pointer}: ${detail}`)
}

function assertNone(faults: readonly Json[], what: string, reference: string): undefined {
  if (faults.length > 0) throw standardError('validation', `${what} does not fit its schema: ${textsIn(faults).join('; ')}`, reference)
}
