import { isArray, isObject, type Json } from '#core/json.ts'
import { isJsonType, parseMediaType } from '#effects/http/media-type.ts'
import type { Parameter, Serialization, Style } from '#effects/openapi/operation/operation.ts'
import { encodeLeavingReserved, percentEncode } from './encoding.ts'
import { type Parts, partsOf, scalar } from './parts.ts'

// Source for all of this: OpenAPI 3.1, "Style Values" and "Style Examples"; RFC 6570 where that is silent.

/** A parameter of the path, percent-encoded. */
export function pathText({ name, serialization }: Parameter, value: Json): string {
  if (serialization.kind === 'content') return percentEncode(contentText(name, serialization.mediaType, value))
  const { style, explode } = serialization
  const parts = partsOf(name, value, percentEncode)
  if (style === 'matrix') return matrix(percentEncode(name), parts, explode)
  if (style === 'label') return `.${joined(parts, explode ? '.' : ',', explode)}`
  return joined(parts, delimiters[style] ?? ',', explode)
}

/** The `name=value` pairs of a parameter of the query or of a form, percent-encoded; none for an empty list. */
export function queryPairs(name: string, serialization: Serialization, value: Json): readonly string[] {
  const key = percentEncode(name)
  if (serialization.kind === 'content') return [`${key}=${percentEncode(contentText(name, serialization.mediaType, value))}`]
  const { style, explode, allowReserved } = serialization
  const encode = allowReserved ? encodeLeavingReserved : percentEncode
  if (style === 'deepObject' && isObject(value)) return deepPairs(name, key, value, encode)
  const parts = partsOf(name, value, encode)
  if (parts.kind === 'text') return [`${key}=${parts.text}`]
  if (isEmpty(parts)) return []
  if (!explode) return [`${key}=${joined(parts, delimiters[style] ?? ',', false)}`]
  return parts.kind === 'list' ? parts.items.map((item) => `${key}=${item}`) : parts.fields.map(([field, text]) => `${field}=${text}`)
}

/** The value of a header. Nothing is encoded, since no receiver would decode it; the caller refuses what no header can carry. */
export function headerText({ name, serialization }: Parameter, value: Json): string {
  if (serialization.kind === 'content') return contentText(name, serialization.mediaType, value)
  const delimiter = plainDelimiters[serialization.style] ?? ','
  return joined(
    partsOf(name, value, (text) => text),
    delimiter,
    serialization.explode,
  )
}

const delimiters: Partial<Record<Style, string>> = { spaceDelimited: '%20', tabDelimited: '%09', pipeDelimited: '%7C' }
const plainDelimiters: Partial<Record<Style, string>> = { spaceDelimited: ' ', tabDelimited: '\t', pipeDelimited: '|' }

function isEmpty(parts: Parts): boolean {
  return (parts.kind === 'list' && parts.items.length === 0) || (parts.kind === 'fields' && parts.fields.length === 0)
}

/** `a,b` and `k,v,k,v`; exploded `a,b` and `k=v,k=v`. */
function joined(parts: Parts, delimiter: string, explode: boolean): string {
  if (parts.kind === 'text') return parts.text
  if (parts.kind === 'list') return parts.items.join(delimiter)
  return parts.fields.map(([key, text]) => (explode ? `${key}=${text}` : `${key}${delimiter}${text}`)).join(delimiter)
}

/** `;name=value`, and `;name` alone for an empty one. */
function matrix(key: string, parts: Parts, explode: boolean): string {
  const pair = (name: string, text: string) => (text === '' ? `;${name}` : `;${name}=${text}`)
  if (!explode || parts.kind === 'text') return pair(key, joined(parts, ',', false))
  return parts.kind === 'list'
    ? parts.items.map((item) => pair(key, item)).join('')
    : parts.fields.map(([field, text]) => pair(field, text)).join('')
}

/**
 * `name[key]=value`. OpenAPI leaves objects and lists inside open; they are written as those who use this style do: `name[key][inner]=value`,
 * and the pair once more for each item of a list.
 */
function deepPairs(name: string, key: string, value: Json, encode: (text: string) => string): readonly string[] {
  if (value === null) return []
  if (isArray(value)) return value.flatMap((item) => (item === null ? [] : [`${key}=${encode(scalar(name, item))}`]))
  if (!isObject(value)) return [`${key}=${encode(scalar(name, value))}`]
  return Object.entries(value).flatMap(([field, inner]) => deepPairs(name, `${key}%5B${percentEncode(field)}%5D`, inner, encode))
}

/** A parameter that is described by a media type: JSON where that is one, the text itself otherwise. */
function contentText(name: string, mediaType: string, value: Json): string {
  const type = parseMediaType(mediaType)
  return type !== undefined && isJsonType(type.essence) ? JSON.stringify(value) : scalar(name, value)
}
