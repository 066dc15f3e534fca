import { Fault } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import { readJson } from '#platform/http/index.ts'
import { collect, malformed, textOf } from './form-values.ts'
import { readMultipart } from './read-multipart.ts'

const fieldsMax = 1_000

/** Reads the body of a webhook by its content type: JSON, forms and text as what they are, anything else as base64. */
export function readContent(contentType: string | undefined, body: Buffer): Json {
  if (body.length === 0) return null
  const essence = essenceOf(contentType)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The result of JSON.parse.
  if (essence === 'application/json' || essence.endsWith('+json')) return readJson(body) as Json
  if (essence === 'application/x-www-form-urlencoded') return mislabelledJson(body) ?? readForm(body)
  if (essence === 'multipart/form-data') return readMultipart(contentType ?? '', body)
  const text = textOf(body)
  return text === undefined || !isTextual(essence) ? inBase64(body) : text
}

/** GitHub can send an event as a form as well, with the JSON in its one field `payload`: the workflow sees the same body. */
export function readGithubContent(contentType: string | undefined, body: Buffer): Json {
  const content = readContent(contentType, body)
  if (essenceOf(contentType) !== 'application/x-www-form-urlencoded' || !isPayloadOnly(content)) return content
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The result of JSON.parse.
  return readJson(Buffer.from(content.payload)) as Json
}

function isPayloadOnly(content: Json): content is { readonly payload: string } {
  if (typeof content !== 'object' || content === null || !('payload' in content)) return false
  return typeof content['payload'] === 'string' && Object.keys(content).length === 1
}

function essenceOf(contentType = ''): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/**
 * JSON that claims to be a form, as `curl -d` sends it without a header; undefined for anything else. In a form, braces and brackets are escaped.
 */
function mislabelledJson(body: Buffer): Json | undefined {
  if (!/^\s*[{[]/.test(body.toString('latin1', 0, 100))) return undefined
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The result of JSON.parse.
    return readJson(body) as Json
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** A body as it was sent: text, or base64 of what is no text in UTF-8. */
export function asSent(body: Buffer): Json {
  return textOf(body) ?? inBase64(body)
}

function inBase64(body: Buffer): Json {
  return { base64: body.toString('base64'), bytes: body.length }
}

function isTextual(essence: string): boolean {
  return (
    essence === '' || essence.startsWith('text/') || essence.endsWith('+xml') || essence === 'application/xml' || essence.endsWith('yaml')
  )
}

/** Fields of a form. Parsed here, since URLSearchParams takes quadratic time for fields without a value. */
function readForm(body: Buffer): Json {
  const text = textOf(body)
  if (text === undefined) throw malformed('The form is not text in UTF-8.')
  const pairs = text.split('&', fieldsMax + 1)
  if (pairs.length > fieldsMax) throw malformed(`The form has more than ${fieldsMax} fields.`)
  return collect(
    pairs
      .filter((pair) => pair !== '')
      .map((pair): readonly [string, Json] => {
        const at = pair.indexOf('=')
        return at === -1 ? [decode(pair), ''] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))]
      }),
  )
}

function decode(text: string): string {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    if (!decoded.includes('\0')) return decoded
  } catch (cause) {
    throw malformed('The form has a field that cannot be decoded.', cause)
  }
  throw malformed('The form contains the character NUL, which cannot be stored.')
}
