import { format } from '@cfworker/json-schema'
import { RE2JS } from 're2js'
import { isObject, type Json } from '#core/json.ts'
import { pointerSegment } from './reference.ts'

/**
 * Patterns of schemas come from users and meet values from anywhere, and JavaScript's regular expressions can be made to run for hours. So
 * every `pattern` is handed to RE2, whose time grows with the text and nothing else, by way of a `format`, which the validator asks us about.
 */
const PREFIX = 'millrace-pattern:'
const CACHE_MAX = 500

const cache = new Map<string, (text: string) => boolean>()

// The validator looks formats up in this object; what it has not comes from its prototype, so nothing has to be registered and forgotten.
Object.setPrototypeOf(
  format,
  new Proxy(Object.create(null), {
    get: (_target, name) => (typeof name === 'string' && name.startsWith(PREFIX) ? matcherOf(name.slice(PREFIX.length)) : undefined),
  }),
)

function matcherOf(pattern: string): (text: string) => boolean {
  const found = cache.get(pattern)
  if (found !== undefined) return found
  const compiled = RE2JS.compile(pattern)
  const matcher = (text: string) => compiled.matcher(text).find()
  if (cache.size >= CACHE_MAX) cache.delete(cache.keys().next().value ?? '')
  cache.set(pattern, matcher)
  return matcher
}

/** What the validator says of a text that does not match, in the words of the schema. */
export function inWordsOfPattern(error: string): string {
  return error.replace(/does not match format "millrace-pattern:/, 'does not match pattern "')
}

/** A pattern that cannot be used, and where it stands in the schema. */
export interface PatternFault {
  readonly pointer: string
  readonly what: string
}

/** The schema with its patterns handed to RE2. */
export function withSafePatterns(schema: Json): Json {
  return rewrite(schema, '', [])
}

/** Patterns that RE2 does not know (backreferences, looking around), and patterns of names that could take long. */
export function patternFaults(schema: Json): readonly PatternFault[] {
  const faults: PatternFault[] = []
  rewrite(schema, '', faults)
  return faults
}

const one: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])
const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'])
const maps: ReadonlySet<string> = new Set(['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'])

function rewrite(schema: Json, pointer: string, faults: PatternFault[]): Json {
  if (!isObject(schema)) return schema
  const rewritten: [string, Json][] = []
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${pointer}/${pointerSegment(keyword)}`
    if (keyword === 'pattern' && typeof value === 'string') checkPattern(value, at, faults)
    else rewritten.push([keyword, rewriteMember(keyword, value, at, faults)])
  }
  const { pattern } = schema
  const result = Object.fromEntries(rewritten)
  if (typeof pattern !== 'string') return result
  if (schema['format'] === undefined) return { ...result, format: PREFIX + pattern }
  const before = Array.isArray(result['allOf']) ? result['allOf'] : []
  return { ...result, allOf: [...before, { format: PREFIX + pattern }] }
}

function rewriteMember(keyword: string, value: Json, at: string, faults: PatternFault[]): Json {
  if (keyword === 'patternProperties' && isObject(value)) for (const name of Object.keys(value)) checkNamePattern(name, at, faults)
  if (lists.has(keyword) && Array.isArray(value)) return value.map((item: Json, index) => rewrite(item, `${at}/${index}`, faults))
  if (maps.has(keyword) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, rewrite(item, `${at}/${pointerSegment(name)}`, faults)]))
  }
  return one.has(keyword) ? rewrite(value, at, faults) : value
}

function checkPattern(pattern: string, pointer: string, faults: PatternFault[]): void {
  try {
    RE2JS.compile(pattern)
  } catch (error) {
    faults.push({ pointer, what: `the pattern cannot be used: ${error instanceof Error ? error.message : 'it is no regular expression'}` })
  }
}

/** Names are matched by JavaScript's engine; with at most one repetition, and none of a group, that is harmless. */
function checkNamePattern(pattern: string, pointer: string, faults: PatternFault[]): void {
  checkPattern(pattern, pointer, faults)
  const bare = pattern.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x')
  if ((bare.match(/[*+{]/g) ?? []).length > 1 || /\)[*+{?]/.test(bare)) {
    faults.push({
      pointer,
      what: `the pattern of names ${JSON.stringify(pattern)} repeats more than once; write one that repeats once at most`,
    })
  }
}
