import type { Schema } from '@millrace/dsl'
import { standardError } from '#core/error.ts'
import type { Check } from '#core/node.ts'
import type { Json, JsonObject } from '#core/json.ts'
import type { Meter } from '#core/meter.ts'
import type { SchemaFault } from '#schema/run.ts'
import { createValidator, type Validator } from '#schema/validator.ts'
import type { Installation } from './context.ts'
import { resourceAt, uriOf } from './resource.ts'

/** A fault names this many places that do not fit; the rest would only bury them. */
const FAULTS_MAX = 5

export type { SchemaFault }

/**
 * Compiles a JSON Schema (2020-12), inline or among what was fetched when the definition was published. What it finds is the same on every machine:
 * a validation is bounded by steps, not by time. A meter may interrupt it by an exception of its own; it can then begin again from the start.
 */
export function compileSchema(given: Schema, resources?: Installation['resources']): Validator {
  const schema = inline(given, resources)
  if (schema !== undefined) return createValidator(schema.document)
  return () => [{ pointer: '', detail: 'its schema is at another place, and was not fetched when the definition was published' }]
}

/** Compiles a schema that is given as such. */
export function compileInlineCheck(document: JsonObject, what: string): Check {
  return checkBy(compileSchema({ format: 'json', document }), what)
}

/** Compiles the schema of a definition. */
export function compileCheck(schema: Schema | undefined, what: string, { resources }: Pick<Installation, 'resources'>): Check | undefined {
  return schema === undefined ? undefined : checkBy(compileSchema(schema, resources), what)
}

function inline(schema: Schema, resources: Installation['resources']): { readonly document: Json } | undefined {
  if ('document' in schema) return schema
  const document = resourceAt(resources, uriOf(schema.resource.endpoint))
  return document === undefined ? undefined : { document }
}

function checkBy(faultsOf: Validator, what: string): Check {
  return (value, reference, meter?: Meter) => {
    const faults = faultsOf(value, meter)
    if (faults.length === 0) return
    const named = faults.slice(0, FAULTS_MAX).map(({ pointer, detail }) => `${pointer === '' ? '/' : pointer}: ${detail}`)
    throw standardError('validation', `${what} does not fit its schema: ${named.join('; ')}`, reference)
  }
}
