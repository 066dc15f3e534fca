import { isObject, type Json, type JsonObject } from '#core/json.ts'
import { type OutputFormat, parseEndpoint, parseOutput, parseRedirect, parseUrl } from '#effects/http/arguments.ts'
import type { HttpCallContext } from '#effects/http/context.ts'
import { invalidArgument } from '#effects/http/http-call-error.ts'
import { expandUriTemplate } from '#effects/http/url.ts'

/** Where a document is, and what opens the door to it. */
export interface DocumentSource {
  readonly url: URL
  readonly authentication: Json | undefined
}

/** The arguments of `call: openapi`, checked as far as they can be without the document. */
export interface OpenApiCall {
  readonly document: DocumentSource
  readonly operationId: string
  readonly parameters: JsonObject
  readonly authentication: Json | undefined
  readonly output: OutputFormat
  readonly redirect: boolean
}

/** Checks the evaluated arguments of `call: openapi`; throws a validation error that names the invalid argument. */
export function parseArguments(args: Json, ctx: Pick<HttpCallContext, 'uriVariables'>): OpenApiCall {
  if (!isObject(args)) throw invalidArgument('The arguments of an OpenAPI call must be an object.')
  refuseOthers(args, 'An OpenAPI call', known)
  const { operationId, parameters } = args
  if (typeof operationId !== 'string' || operationId === '') {
    throw invalidArgument('"operationId" is missing: name the operation of the document to call.')
  }
  if (parameters !== undefined && parameters !== null && !isObject(parameters)) {
    throw invalidArgument('"parameters" must be an object of names and values.')
  }
  return {
    document: parseSource(args['document'], ctx.uriVariables),
    operationId,
    parameters: parameters ?? {},
    authentication: args['authentication'] ?? undefined,
    output: parseOutput(args['output']),
    redirect: parseRedirect(args['redirect']),
  }
}

const known = ['document', 'operationId', 'parameters', 'authentication', 'output', 'redirect']

function parseSource(argument: Json | undefined, uriVariables: Json): DocumentSource {
  if (!isObject(argument)) throw invalidArgument('"document" must be an object with the "endpoint" of an OpenAPI document.')
  refuseOthers(argument, '"document"', ['endpoint', 'name'])
  const { uri, authentication } = parseEndpoint(argument['endpoint'])
  return { url: parseUrl(expandUriTemplate(uri, uriVariables)), authentication }
}

function refuseOthers(object: JsonObject, subject: string, names: readonly string[]): void {
  const other = Object.keys(object).find((name) => !names.includes(name))
  if (other !== undefined) throw invalidArgument(`${subject} has no property "${other}"; it has ${names.join(', ')}.`)
}
