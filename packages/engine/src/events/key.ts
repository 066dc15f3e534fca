import { createHash } from 'node:crypto'
import { isObject, type Json, type JsonObject } from '#core/json.ts'

/** Values of correlations as the index has them: equal for equal values, whatever their order. */
export function keyOf(values: JsonObject): string {
  return digestOf(values)
}

/** The same for what is equal as JSON. */
export function digestOf(value: Json): string {
  return createHash('sha256').update(canonical(value)).digest('base64url').slice(0, 32)
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}
