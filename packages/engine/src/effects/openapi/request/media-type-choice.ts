import { isObject, type Json } from '#core/json.ts'
import { invalidArgument } from '#effects/http/http-call-error.ts'
import { formType, isJsonType, isTextType, parseMediaType } from '#effects/http/media-type.ts'
import type { BodyContent } from '#effects/openapi/operation/operation.ts'
import { quote, quoteAll } from '#effects/openapi/quote.ts'

/** A media type that a body is going to have, and what the document says of it. */
export interface ChosenContent {
  readonly mediaType: string
  readonly content: BodyContent
}

/**
 * Chooses the media type of a body among those that the operation takes: what the author asks for, else JSON, a form, multipart, text,
 * and the first of the others. Throws a validation error when the operation does not accept the requested type.
 */
export function chooseContent(
  contents: readonly BodyContent[],
  asked: string | undefined,
  value: Json | undefined,
): ChosenContent | undefined {
  if (asked !== undefined) return askedFor(contents, asked)
  const [best] = contents.toSorted((one, other) => rank(one.mediaType) - rank(other.mediaType))
  return best === undefined ? undefined : { mediaType: concrete(best.mediaType, value), content: best }
}

function askedFor(contents: readonly BodyContent[], asked: string): ChosenContent {
  const type = parseMediaType(asked)
  if (type === undefined) throw invalidArgument(`The Content-Type ${quote(asked)} is not one: it must be type/subtype.`)
  const candidates = contents.filter(({ mediaType }) => matches(mediaType, type.essence))
  // A type by its name goes before a range that has it.
  const content = candidates.find(({ mediaType }) => !mediaType.includes('*')) ?? candidates[0]
  if (content !== undefined) return { mediaType: asked, content }
  throw invalidArgument(
    `The operation does not take a body of type ${quote(asked)}; it takes ${contents.length === 0 ? 'none' : quoteAll(contents.map(({ mediaType }) => mediaType))}.`,
  )
}

function matches(mediaType: string, essence: string): boolean {
  const range = essenceOf(mediaType)
  return range === essence || range === '*/*' || (range.endsWith('/*') && essence.startsWith(range.slice(0, -1)))
}

function essenceOf(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase()
}

function rank(mediaType: string): number {
  const essence = essenceOf(mediaType)
  if (essence === 'application/json') return 0
  if (isJsonType(essence)) return 1
  if (essence === '*/*' || essence === 'application/*') return 2
  const at = [formType, 'multipart/form-data'].indexOf(essence)
  if (at !== -1) return 3 + at
  return isTextType(essence) ? 5 : 6
}

/** The concrete type for a range of accepted types, which depends on the value. */
function concrete(mediaType: string, value: Json | undefined): string {
  if (!mediaType.includes('*')) return mediaType
  const natural = naturalType(value)
  if (matches(mediaType, natural)) return natural
  throw invalidArgument(`The operation takes a body of any type ${quote(mediaType)}; give the parameter "Content-Type" to say which.`)
}

function naturalType(value: Json | undefined): string {
  if (typeof value === 'string') return 'text/plain'
  if (!isObject(value) || typeof value['base64'] !== 'string') return 'application/json'
  return typeof value['contentType'] === 'string' ? value['contentType'].toLowerCase() : 'application/octet-stream'
}
