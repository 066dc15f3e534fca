import { isArray, isObject, type Json } from '#core/json.ts'
import { HttpCallError, invalidArgument } from './http-call-error.ts'

/**
 * Expands a URI template with the top-level properties of the variables.
 *
 * Only simple string expansion exists (RFC 6570, section 3.2.2), names are taken verbatim (`{pet.id}` is the property `pet.id`), and a
 * variable that is absent or null becomes the empty string. Throws an expression error for a variable that is neither string, number,
 * boolean nor null, and a validation error for other operators and for a whole path segment that would be empty.
 * Source: DSL reference, URI Template.
 */
export function expandUriTemplate(template: string, variables: Json): string {
  if (!template.includes('{')) return template
  const expanded = template.replace(placeholders, (_, name: string) => encodeVariable(variableText(name, variables)))
  refuseDotSegments(template, expanded)
  refuseEmptySegments(template, variables)
  return expanded
}

const placeholders = /\{([^{}]*)\}/g

function variableText(name: string, variables: Json): string {
  const value = isObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined
  if (value === undefined) return missing(name)
  if (value === null) return ''
  if (typeof value === 'object') {
    throw new HttpCallError('expression', `The URI variable {${name}} must be a string, number, boolean or null, and is ${kindOf(value)}.`)
  }
  return String(value)
}

function missing(name: string): '' {
  if (/^[\w.%-]+$/.test(name)) return ''
  throw invalidArgument(`The URI template has {${name}}: only {name} is supported, without operators, lists or modifiers.`)
}

function kindOf(value: object): string {
  return Array.isArray(value) ? 'an array' : 'an object'
}

/** Everything but RFC 3986's unreserved characters; encodeURIComponent leaves these five. Lone surrogates become U+FFFD. */
function encodeVariable(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Values such as `..` are not percent-encoded, so that URL parsing would leave the path in the template. */
function refuseDotSegments(template: string, expanded: string): void {
  const written = pathSegments(template.replace(placeholders, 'x'))
  const resulting = pathSegments(expanded)
  if (written !== resulting) {
    throw invalidArgument('A URI variable makes the segment "." or ".." in the path of the endpoint; such values are refused.')
  }
}

/** `DELETE /orders/{id}` without an id would be a request to the whole collection. */
function refuseEmptySegments(template: string, variables: Json): void {
  const [path = ''] = template.split(/[?#]/, 1)
  for (const segment of path.split('/')) {
    const names = [...segment.matchAll(placeholders)].map(([, name = '']) => name)
    if (names.length === 0 || segment.replaceAll(placeholders, '') !== '' || names.some((name) => variableText(name, variables) !== ''))
      continue
    const message = `The URI variable {${names[0]}} is empty, and is a whole segment of the path. Give the data of the task a property "${names[0]}".`
    throw invalidArgument(message)
  }
}

function pathSegments(uri: string): number | undefined {
  if (!URL.canParse(uri)) return undefined
  return new URL(uri).pathname.split('/').length
}

/**
 * Adds the `query` argument to a URL, after the parameters that the URL has already.
 *
 * Arrays give one parameter per item, null and empty arrays none; numbers and booleans are written as text.
 */
export function addQuery(url: URL, argument: Json | undefined): void {
  if (argument === undefined || argument === null) return
  if (!isObject(argument)) throw invalidArgument('"query" must be an object of names and values.')
  const pairs: string[] = []
  for (const [name, value] of Object.entries(argument)) {
    for (const item of isArray(value) ? value : [value]) {
      if (item === null) continue
      if (typeof item === 'object') {
        throw invalidArgument(`The query parameter "${name}" must be a string, number, boolean, null, or an array of these.`)
      }
      pairs.push(`${encodeQueryPart(name)}=${encodeQueryPart(String(item))}`)
    }
  }
  if (pairs.length === 0) return
  // The query in the URI is preserved byte for byte; URLSearchParams would rewrite it (`%20` as `+`).
  url.search = url.search === '' ? pairs.join('&') : `${url.search}&${pairs.join('&')}`
}

function encodeQueryPart(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
