import type { Json } from '#core/json.ts'
import { parseUrl } from '#effects/http/arguments.ts'
import { HttpCallError, invalidArgument } from '#effects/http/http-call-error.ts'
import type { Operation, Parameter, Server, ServerVariable } from '#effects/openapi/operation/operation.ts'
import { quote, quoteAll } from '#effects/openapi/quote.ts'
import type { Assignment } from './assign.ts'
import { pathText, queryPairs } from './serialize.ts'

/** The address of a call: the server, relative to the document when it says no more, the path with its parameters, the query. */
export function targetUrl(operation: Operation, { values, serverVariables }: Assignment, documentUrl: string): URL {
  const base = serverUrl(operation.server, serverVariables, documentUrl)
  const path = fillPath(operation, values)
  const url = parseUrl(`${base.origin}${base.pathname.replace(/\/$/, '')}${path}`)
  const pairs = operation.parameters.flatMap((parameter) => {
    const value = parameter.in === 'query' ? values.get(parameter) : undefined
    return value === undefined ? [] : queryPairs(parameter.name, parameter.serialization, value)
  })
  const query = [base.search.slice(1), url.search.slice(1), ...pairs].filter((part) => part !== '').join('&')
  // Percent-encoded text is preserved byte for byte: URLSearchParams would rewrite it.
  url.search = query
  return url
}

function serverUrl({ url, variables }: Server, given: ReadonlyMap<string, Json>, documentUrl: string): URL {
  const text = url.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => variableText(name, variables.get(name), given.get(name)))
  if (URL.canParse(text, documentUrl)) return parseUrl(new URL(text, documentUrl).href)
  throw new HttpCallError('configuration', `The server ${quote(text)} of the OpenAPI document is not a URL.`)
}

/** A value of an author may not change which part of the address it stands in; what the document itself says may be anything. */
function variableText(name: string, variable: ServerVariable | undefined, given: Json | undefined): string {
  if (variable === undefined) {
    throw new HttpCallError('configuration', `The server of the OpenAPI document has the variable ${quote(name)} and does not describe it.`)
  }
  if (given === undefined) return variable.value
  const text = typeof given === 'object' ? '' : String(given)
  if (variable.allowed !== undefined && !variable.allowed.includes(text)) {
    throw invalidArgument(`The server variable ${quote(name)} must be one of ${quoteAll(variable.allowed)}.`)
  }
  if (variable.allowed === undefined && !/^[\w~-][\w.~-]*$/.test(text)) {
    throw invalidArgument(`The server variable ${quote(name)} must be made of letters, digits, "-", "_", "~" and ".".`)
  }
  return text
}

function fillPath({ path, parameters }: Operation, values: ReadonlyMap<Parameter, Json>): string {
  const byName = new Map(parameters.filter((parameter) => parameter.in === 'path').map((parameter) => [parameter.name, parameter]))
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const parameter = byName.get(name)
    const value = parameter === undefined ? undefined : values.get(parameter)
    if (parameter === undefined || value === undefined) {
      throw new HttpCallError(
        'configuration',
        `The path ${quote(path)} of the OpenAPI document has the parameter ${quote(name)} and does not describe it.`,
      )
    }
    return segmentText(parameter, value)
  })
  if (filled.split(/[?#]/)[0]?.split('/').some(isDotSegment)) {
    throw invalidArgument(`The parameters make the segment "." or ".." in the path ${quote(path)}; such values are refused.`)
  }
  return filled
}

/** Nothing in the place of something leads to another resource: `/pets/` is not a pet. */
function segmentText(parameter: Parameter, value: Json): string {
  const text = pathText(parameter, value)
  if (text !== '') return text
  throw invalidArgument(`The path parameter ${quote(parameter.name)} is empty; the call would go to another resource.`)
}

/** As the URL parser sees it, which takes `%2e` for a dot as well. */
function isDotSegment(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment)
}
