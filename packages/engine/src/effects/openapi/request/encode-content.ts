import { isArray, isObject, type Json, type JsonObject } from '#core/json.ts'
import { encodeBody, type EncodedBody, toBase64 } from '#effects/http/body.ts'
import { checkHeaderValue } from '#effects/http/headers.ts'
import { formType, isJsonType, parseMediaType } from '#effects/http/media-type.ts'
import type { BodyContent, Serialization } from '#effects/openapi/operation/operation.ts'
import type { ChosenContent } from './media-type-choice.ts'
import { queryPairs } from './serialize.ts'

/**
 * Writes a body as the chosen media type has it. JSON is always written as JSON, a string too: a document says what the value is, and
 * not that it is JSON text already. All else is as in `call: http`: forms take objects, bytes are `{ base64 }`.
 */
export function encodeContent({ mediaType, content }: ChosenContent, value: Json, boundary: () => string): EncodedBody | undefined {
  checkHeaderValue('The media type of the body', mediaType)
  const essence = parseMediaType(mediaType)?.essence ?? ''
  if (isJsonType(essence)) return { body: JSON.stringify(value), contentType: mediaType }
  if (essence === formType && isObject(value)) return { body: formText(content, value), contentType: mediaType }
  if (essence === 'multipart/form-data' && isObject(value)) return encodeBody(parts(content, value), mediaType, boundary)
  return encodeBody(value, mediaType, boundary)
}

/** Without a word of the document a list is repeated and an object written as JSON. Source: OpenAPI 3.1, Encoding Object. */
function formText({ encodings }: BodyContent, value: JsonObject): string {
  return Object.entries(value)
    .flatMap(([name, item]) => (item === null ? [] : queryPairs(name, encodings.get(name)?.serialization ?? usual(item), item)))
    .join('&')
}

function usual(value: Json): Serialization {
  const isNested = isObject(value) || (isArray(value) && value.some((item) => typeof item === 'object' && item !== null))
  if (isNested) return { kind: 'content', mediaType: 'application/json' }
  return { kind: 'style', style: 'form', explode: true, allowReserved: false }
}

/** The fields of a multipart body: text for a file becomes a file, and a file gets the type that the document gives it. */
function parts({ properties, encodings }: BodyContent, value: JsonObject): JsonObject {
  const entries = Object.entries(value).map(([name, item]): [string, Json] => {
    const contentType = encodings.get(name)?.contentType
    const one = (single: Json): Json => filePart(properties.files.has(name) ? asFile(name, single) : single, contentType)
    return [name, isArray(item) ? item.map(one) : one(item)]
  })
  return Object.fromEntries(entries)
}

function asFile(name: string, value: Json): Json {
  if (typeof value !== 'string') return value
  return { base64: toBase64(Buffer.from(value, 'utf8')), filename: name, contentType: 'text/plain; charset=utf-8' }
}

function filePart(value: Json, contentType: string | undefined): Json {
  if (!isObject(value) || typeof value['base64'] !== 'string') return value
  // The document may name several types, or a range of them: then it is for the author to say which.
  const type = contentType !== undefined && parseMediaType(contentType) !== undefined && !/[,*]/.test(contentType) ? contentType : undefined
  return type === undefined || value['contentType'] !== undefined ? value : { ...value, contentType: type }
}
