import { isArray, isObject, type Json } from '#core/json.ts'
import { invalidArgument } from '#effects/http/http-call-error.ts'
import { quote } from '#effects/openapi/quote.ts'

/** A value as the styles of OpenAPI see it: one text, a list of texts, or names with texts. */
export type Parts =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'fields'; readonly fields: readonly (readonly [string, string])[] }

/**
 * Takes a parameter's value apart, each text written by `encode`; null items and properties are left out.
 *
 * Throws a validation error for lists and objects inside it: OpenAPI says of none of its styles how these would be written.
 */
export function partsOf(name: string, value: Json, encode: (text: string) => string): Parts {
  if (isArray(value)) return { kind: 'list', items: value.flatMap((item) => (item === null ? [] : [encode(scalar(name, item))])) }
  if (!isObject(value)) return { kind: 'text', text: encode(scalar(name, value)) }
  const fields = Object.entries(value).filter(([, item]) => item !== null)
  return { kind: 'fields', fields: fields.map(([key, item]) => [encode(key), encode(scalar(name, item))] as const) }
}

/** The text of a value that is neither list nor object. */
export function scalar(name: string, value: Json): string {
  if (typeof value !== 'object' || value === null) return String(value)
  throw invalidArgument(
    `The parameter ${quote(name)} has ${isArray(value) ? 'a list' : 'an object'} inside it, and its style cannot carry that.`,
  )
}
