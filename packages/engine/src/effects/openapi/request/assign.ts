import type { Json, JsonObject } from '#core/json.ts'
import { invalidArgument } from '#effects/http/http-call-error.ts'
import { didYouMean } from '#effects/openapi/did-you-mean.ts'
import type { Operation, Parameter } from '#effects/openapi/operation/operation.ts'
import { quote, quoteAll } from '#effects/openapi/quote.ts'
import { type BodyFinder, createBodyFinder, type GivenBody } from './given-body.ts'
import { findParameter, namesOf } from './find-parameter.ts'

/** The parameters of a call, each where it belongs. */
export interface Assignment {
  readonly values: ReadonlyMap<Parameter, Json>
  readonly serverVariables: ReadonlyMap<string, Json>
  /** The media types that the author asks for. */
  readonly contentType: string | undefined
  readonly accept: string | undefined
  readonly body: GivenBody | undefined
}

/**
 * Gives every parameter its place; null counts as not given.
 *
 * In this order a name means: a parameter of the operation (`in.name` where several have the name), a variable of the server
 * (`server.name`), the media types (`Content-Type`, `Accept`), the whole body (`body`), a property of the body.
 * Throws a validation error for unknown names and for missing required parameters.
 */
export function assign(operation: Operation, parameters: JsonObject): Assignment {
  const given = Object.entries(parameters).filter(([, value]) => value !== null)
  const rest: [string, Json][] = []
  const values = new Map<Parameter, Json>()
  const serverVariables = new Map<string, Json>()
  const media = new Map<string, string>()
  for (const [name, value] of given) {
    const parameter = findParameter(operation.parameters, name)
    if (parameter !== undefined) {
      if (values.has(parameter)) throw invalidArgument(`The parameter ${quote(parameter.name)} is given twice, under two names.`)
      values.set(parameter, value)
    } else if (name.startsWith('server.') && operation.server.variables.has(name.slice(7))) serverVariables.set(name.slice(7), value)
    else if (isMediaName(name)) media.set(name.toLowerCase(), mediaText(name, value))
    else rest.push([name, value])
  }
  refuseMissing(operation, values)
  const contentType = media.get('content-type')
  const finder = createBodyFinder(operation.body, contentType)
  const body = finder.find(rest, (name) => unknown(operation, finder, name))
  return { values, serverVariables, contentType, accept: media.get('accept'), body }
}

function isMediaName(name: string): boolean {
  return name.toLowerCase() === 'content-type' || name.toLowerCase() === 'accept'
}

function mediaText(name: string, value: Json): string {
  if (typeof value === 'string') return value
  throw invalidArgument(`The parameter "${name}" must be the text of a media type.`)
}

/** The key that the engine sends with every call is the one that such a header asks for. */
function refuseMissing({ parameters }: Operation, values: ReadonlyMap<Parameter, Json>): void {
  const missing = namesOf(parameters).filter(
    ([, parameter]) => parameter.required && !values.has(parameter) && parameter.name.toLowerCase() !== 'idempotency-key',
  )
  if (missing.length === 0) return
  const shown = missing.slice(0, 10).map(([name, parameter]) => `${quote(name)} (${parameter.in})`)
  const list = [...shown, ...(missing.length > 10 ? [`${missing.length - 10} more`] : [])].join(', ')
  throw invalidArgument(`The operation requires ${list}: give ${missing.length === 1 ? 'it' : 'them'} under "parameters".`)
}

function unknown({ parameters, server }: Operation, finder: BodyFinder, name: string): string {
  const names = [
    ...namesOf(parameters).map(([known]) => known),
    ...[...server.variables.keys()].map((variable) => `server.${variable}`),
    ...finder.names,
  ]
  const list = names.length === 0 ? 'It takes none.' : `It takes ${quoteAll(names)}.`
  return `The operation has no parameter ${quote(name)}.${advice(name)}${didYouMean(name, names)} ${list}`
}

function advice(name: string): string {
  return name.toLowerCase() === 'authorization' ? ' Credentials are given as "authentication".' : ''
}
