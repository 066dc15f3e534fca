import { dataParseLimits, parseDefinition } from '@millrace/dsl'
import { isObject, type Json, type JsonObject } from '#core/json.ts'
import { decodeText, jsonExcess } from '#effects/http/content.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import { quote } from '#effects/openapi/quote.ts'
import type { OpenApiDocument } from './document.ts'
import { indexOperations } from './index-operations.ts'

/**
 * Reads a document of Swagger 2.0 or OpenAPI 3, as JSON or as YAML.
 *
 * Throws a configuration error for any other text, for more than 200 levels, and for YAML of more than 2,000,000 characters or 800,000 tokens
 * (YAML is read fifty times slower than JSON, and nothing else happens in the meantime).
 */
export function parseDocument(bytes: Uint8Array, url: string): OpenApiDocument {
  const root = readObject(decodeText(bytes, undefined), url)
  const version = versionOf(root, url)
  return { version, root, url, ...indexOperations(root) }
}

const depthMax = 200
const valuesMax = 500_000

function readObject(text: string, url: string): JsonObject {
  const excess = /^\s*[[{]/.test(text) ? jsonExcess(text, { levels: depthMax, values: valuesMax }) : undefined
  if (excess === 'levels') throw unreadable(url, `it has more than ${depthMax} levels`)
  if (excess === 'values') throw unreadable(url, `it has more than ${valuesMax} values`)
  const value = /^\s*\{/.test(text) ? (fromJson(text) ?? fromYaml(text, url)) : fromYaml(text, url)
  if (isObject(value)) return value
  throw unreadable(url, 'it is not an object')
}

function fromJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch {
    // A text that begins like JSON may be YAML.
    return undefined
  }
}

function fromYaml(text: string, url: string): Json | undefined {
  const { document, diagnostics } = parseDefinition(text, { format: 'yaml', limits: { ...dataParseLimits, depthMax } })
  const [problem] = diagnostics
  if (problem === undefined) return document
  throw unreadable(url, `it is neither JSON nor YAML that can be read (line ${problem.line}: ${problem.message})`)
}

function versionOf(root: JsonObject, url: string): 2 | 3 {
  const { swagger, openapi } = root
  if (swagger === '2.0' || swagger === 2) return 2
  if (typeof openapi === 'string' && /^3\.\d/.test(openapi)) return 3
  const written = swagger ?? openapi
  if (written === undefined) throw unreadable(url, 'it has neither "openapi" nor "swagger"')
  throw unreadable(url, `it is of version ${quote(JSON.stringify(written))}; 2.0 and 3.x can be read`)
}

function unreadable(url: string, problem: string): HttpCallError {
  const { origin, pathname } = new URL(url)
  return new HttpCallError('configuration', `${origin}${pathname} is not an OpenAPI document that can be used: ${problem}.`)
}
