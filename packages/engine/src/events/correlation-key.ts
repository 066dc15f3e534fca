import { createHash } from 'node:crypto'
import { isObject, type Json, type JsonObject } from '#core/json.ts'

/** The correlation values of an event or a listener as the database indexes them: the same text for equal values, whatever their order. */
export function correlationKeyOf(values: JsonObject): string {
  return digestOf(values)
}

/** A digest that is the same for values that are equal as JSON. */
export function digestOf(value: Json): string {
  return createHash('sha256').update(canonical(value)).digest('base64url').slice(0, 32)
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}
