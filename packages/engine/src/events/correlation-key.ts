import { createHash } from 'node:crypto'
import { canonicalJson } from '#core/canonical-json.ts'
import type { Json, JsonObject } from '#core/json.ts'

/** The correlation values of an event or a listener as the database indexes them: the same text for equal values, whatever their order. */
export function correlationKeyOf(values: JsonObject): string {
  return digestOf(values)
}

/** A digest that is the same for values that are equal as JSON. */
export function digestOf(value: Json): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url').slice(0, 32)
}
