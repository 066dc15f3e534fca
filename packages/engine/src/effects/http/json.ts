import type { Json } from '@millrace/jq'

export type JsonObject = { readonly [key: string]: Json }

/** Whether a value is a JSON object: not an array, not null. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is a JSON array; `Array.isArray` alone does not narrow readonly arrays. */
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
