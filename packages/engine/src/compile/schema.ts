import type { Schema } from '@millrace/dsl'
import { standardError } from '#core/error.ts'
import { evaluate, type Evaluator } from '#core/evaluate.ts'
import type { Check } from '#core/node.ts'
import { itemsOf, type Json, type JsonObject, parseJson, textsIn } from '#core/json.ts'
import { InterruptedSignal, type Work } from '#core/work.ts'
import type { SchemaFault } from '#schema/run.ts'
import { createValidator, type Validator } from '#schema/validator.ts'
import type { Installation } from './context.ts'
import { resourceAt, uriOf } from './resource.ts'

/** A fault names this many places that do not fit; the rest would only bury them. */
const FAULTS_MAX = 5

export type { SchemaFault }

/**
 * Compiles a JSON Schema (2020-12), inline or fetched when the definition was published. Its faults are the same on every machine:
 * a validation is bounded by steps, not by time. A meter may interrupt it by an exception of its own; it can then begin again from the start.
 */
export function compileSchema(given: Schema, resources?: Installation['resources']): Validator {
  const schema = inline(given, resources)
  if (schema !== undefined) return createValidator(schema.document)
  return () => [{ pointer: '', detail: 'its schema is at another place, and was not fetched when the definition was published' }]
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

/** The schema itself; `null` for one that is at another place and was not fetched. */
export function schemaDocument(schema: Schema, resources: Installation['resources']): Json {
  return inline(schema, resources)?.document ?? null
}

function checkBy(schema: Schema, resources: Installation['resources'], what: string): Check {
  const faultsOf = compileSchema(schema, resources)
  const evaluator: Evaluator<Json, string, undefined> = {
    attempt: (value, reference, work) => assertNone(namedFaults(faultsOf, value, work), what, reference),
    isInterruption: (error) => error instanceof InterruptedSignal,
    computation: (value) => ({ kind: 'schema', source: JSON.stringify(schemaDocument(schema, resources)), value }),
    finish: (faults, _value, reference) => assertNone(itemsOf(faults), what, reference),
  }
  return (value, reference, work) => {
    if (!work.forgives(reference)) return evaluate(evaluator, value, reference, work)
    // It has its number all the same, by which the journal knows the evaluations that ran out of time.
    work.evaluations++
    return undefined
  }
}

/** Checks by a schema given as JSON. @returns what does not fit, as texts. */
export function compileInlineSchema(source: string): (value: Json, work: Work) => Json {
  const faultsOf = compileSchema({ format: 'json', document: parseJson(source) })
  return (value, work) => namedFaults(faultsOf, value, work)
}

function namedFaults(faultsOf: Validator, value: Json, work: Work): readonly string[] {
  return faultsOf(value, work.meter())
    .slice(0, FAULTS_MAX)
    .map(({ pointer, detail }) => `${pointer === '' ? '/' : pointer}: ${detail}`)
}

function assertNone(faults: readonly Json[], what: string, reference: string): undefined {
  if (faults.length > 0) throw standardError('validation', `${what} does not fit its schema: ${textsIn(faults).join('; ')}`, reference)
}
