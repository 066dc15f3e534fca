import { segmentName } from '#core/json-pointer.ts'
import { isArray, isObject, type Json, type JsonObject } from '#core/json.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import { ownProperty } from '#effects/openapi/own-property.ts'
import { quote } from '#effects/openapi/quote.ts'

/**
 * Resolves a value of a document: follows its `$ref`, over any number of references inside the document.
 *
 * Throws a configuration error for references that lead out of the document, to nothing, or in a circle.
 * Source: OpenAPI 3.1, Reference Object; RFC 6901.
 */
export function resolve(root: JsonObject, value: Json | undefined): Json | undefined {
  const seen = new Set<string>()
  let current = value
  for (let reference = referenceOf(current); reference !== undefined; reference = referenceOf(current)) {
    if (seen.has(reference)) throw broken(reference, 'leads in a circle')
    seen.add(reference)
    current = lookUp(root, reference)
  }
  return current
}

/** The same, where nothing but an object will do; `subject` names it to the reader. */
export function resolveObject(root: JsonObject, value: Json | undefined, subject: string): JsonObject {
  const resolved = resolve(root, value)
  if (isObject(resolved)) return resolved
  throw new HttpCallError('configuration', `The OpenAPI document is not valid: ${subject} must be an object.`)
}

function referenceOf(value: Json | undefined): string | undefined {
  const reference = ownProperty(value, '$ref')
  return typeof reference === 'string' ? reference : undefined
}

function lookUp(root: JsonObject, reference: string): Json {
  if (!reference.startsWith('#')) {
    throw broken(reference, 'leads out of the document; bundle the document into one file that has everything the operation needs')
  }
  const pointer = decode(reference.slice(1))
  if (pointer === undefined || (pointer !== '' && !pointer.startsWith('/'))) throw broken(reference, 'is not a JSON Pointer')
  let current: Json | undefined = root
  for (const part of pointer.split('/').slice(1)) {
    const name = segmentName(part)
    current = isArray(current) && /^\d+$/.test(name) ? current[Number(name)] : ownProperty(current, name)
    if (current === undefined) throw broken(reference, 'leads to nothing')
  }
  return current
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function broken(reference: string, problem: string): HttpCallError {
  return new HttpCallError('configuration', `The reference ${quote(reference)} of the OpenAPI document ${problem}.`)
}
