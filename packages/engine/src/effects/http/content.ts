import type { Json } from '#core/json.ts'
import { toBase64 } from './body.ts'
import { HttpCallError } from './http-call-error.ts'
import { isJsonType, isTextType, parseMediaType } from './media-type.ts'

/**
 * Deserialises the body of a response: JSON types parsed, text decoded by its charset, everything else as base64; null for an empty body.
 *
 * A response without a content type counts as text if it is valid UTF-8. Throws a communication error for invalid JSON.
 */
export function parseContent(body: Uint8Array, contentType: string | undefined): Json {
  if (body.length === 0) return null
  const type = parseMediaType(contentType)
  if (type === undefined) return utf8Text(body) ?? toBase64(body)
  if (isJsonType(type.essence)) return parseJson(decodeText(body, type.charset))
  if (isTextType(type.essence) || type.charset !== undefined) return decodeText(body, type.charset)
  return toBase64(body)
}

/** Decodes text in the given charset; UTF-8 without a charset or with an unknown one. A byte order mark is dropped. */
export function decodeText(body: Uint8Array, charset: string | undefined): string {
  if (charset === undefined || charset === 'utf-8') return utf8.decode(body)
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    // RangeError: an unknown encoding. A text with replacement characters is more useful than a failed call.
    return utf8.decode(body)
  }
}

const utf8 = new TextDecoder('utf-8')
const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

function utf8Text(body: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(body)
  } catch {
    return undefined
  }
}

function parseJson(text: string): Json {
  const excess = jsonExcess(text, { levels: maxDepth, values: maxValues })
  if (excess === 'levels') throw new HttpCallError('communication', `The reply is JSON nested deeper than ${maxDepth} levels.`, badGateway)
  if (excess === 'values') throw new HttpCallError('communication', `The reply is JSON with more than ${maxValues} values.`, badGateway)
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch (error) {
    throw new HttpCallError('communication', 'The reply says that it is JSON and is not.', { ...badGateway, cause: error })
  }
}

const badGateway = { status: 502, title: 'Invalid response' } as const

/** JSON.parse accepts any depth, but serialising such a value again overflows the stack. */
const maxDepth = 1_000

/** Parsing, copying and writing so many values blocks the thread for some tens of milliseconds. */
const maxValues = 500_000

/** The limit that a JSON text exceeds, found without parsing it. */
export function jsonExcess(
  text: string,
  { levels, values }: { readonly levels: number; readonly values: number },
): 'levels' | 'values' | undefined {
  if (text.length <= levels) return undefined
  let depth = 0
  let count = 1
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x2c) count++
    else if (code === 0x5b || code === 0x7b) {
      count++
      depth++
      if (depth > levels) return 'levels'
    } else if (code === 0x5d || code === 0x7d) depth--
    if (count > values) return 'values'
  }
  return undefined
}
