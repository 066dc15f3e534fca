import { isObject, type Json, type JsonObject } from '#core/json.ts'
import { encodeBody } from './body.ts'
import type { HttpCallContext } from './context.ts'
import { parseHeaders } from './headers.ts'
import { invalidArgument } from './http-call-error.ts'
import { addQuery, expandUriTemplate } from './url.ts'

export type OutputFormat = 'raw' | 'content' | 'response'

/** A call whose arguments have been checked and resolved. */
export interface PreparedCall {
  readonly method: string
  /** As the author wrote it, for the `response` output. */
  readonly writtenMethod: string
  readonly url: URL
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  readonly output: OutputFormat
  readonly redirect: boolean
  readonly authentication: Json | undefined
}

type ArgumentContext = Pick<HttpCallContext, 'idempotencyKey' | 'uriVariables' | 'randomId'>

/** Checks the evaluated arguments of `call: http`; throws a validation error that names the invalid argument. */
export function prepareCall(args: Json, ctx: ArgumentContext): PreparedCall {
  if (!isObject(args)) throw invalidArgument('The arguments of an HTTP call must be an object.')
  for (const name of Object.keys(args)) {
    if (!known.has(name)) throw invalidArgument(`An HTTP call has no argument "${name}"; it has ${[...known].join(', ')}.`)
  }
  const endpoint = parseEndpoint(args['endpoint'])
  const url = parseUrl(expandUriTemplate(endpoint.uri, ctx.uriVariables))
  addQuery(url, args['query'])
  const given = parseHeaders(args['headers'])
  const encoded = encodeBody(args['body'], given.get('content-type') ?? undefined, ctx.randomId)
  const headers = withDefaults(given, encoded?.contentType, ctx.idempotencyKey)
  return {
    ...parseMethod(args['method']),
    url,
    headers,
    body: encoded?.body,
    output: parseOutput(args['output']),
    redirect: parseRedirect(args['redirect']),
    authentication: endpoint.authentication,
  }
}

const known: ReadonlySet<string> = new Set(['method', 'endpoint', 'headers', 'body', 'query', 'output', 'redirect'])

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

function parseMethod(argument: Json | undefined): { readonly method: string; readonly writtenMethod: string } {
  if (typeof argument !== 'string') throw invalidArgument('"method" is missing: name an HTTP method, such as get.')
  const method = argument.toUpperCase()
  if (!methods.has(method)) {
    throw invalidArgument(`The method ${JSON.stringify(argument)} is not supported; these are: ${[...methods].join(', ')}.`)
  }
  return { method, writtenMethod: argument }
}

/** Reads an endpoint: a URI, or an object with one and an authentication policy. */
export function parseEndpoint(argument: Json | undefined): { readonly uri: string; readonly authentication: Json | undefined } {
  if (typeof argument === 'string') return { uri: argument, authentication: undefined }
  if (!isObject(argument)) throw invalidArgument('"endpoint" must be a URI, or an object with a "uri".')
  refuseOtherKeys(argument)
  if (typeof argument['uri'] !== 'string') throw invalidArgument('"endpoint.uri" must be a URI.')
  return { uri: argument['uri'], authentication: argument['authentication'] ?? undefined }
}

function refuseOtherKeys(endpoint: JsonObject): void {
  const other = Object.keys(endpoint).find((key) => key !== 'uri' && key !== 'authentication')
  if (other !== undefined) throw invalidArgument(`An endpoint has no property "${other}"; it has uri and authentication.`)
}

/** Reads an absolute http or https URL without credentials; throws a validation error for every other. */
export function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw invalidArgument(`${JSON.stringify(text)} is not an absolute URL.`)
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalidArgument(`An HTTP call goes to http or https, not to ${JSON.stringify(url.protocol.slice(0, -1))}.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidArgument('The URL carries a user name or a password; give them as "endpoint.authentication" instead.')
  }
  url.hash = ''
  return url
}

export function parseOutput(argument: Json | undefined): OutputFormat {
  if (argument === undefined || argument === null) return 'content'
  if (argument === 'raw' || argument === 'content' || argument === 'response') return argument
  throw invalidArgument('"output" must be raw, content or response.')
}

export function parseRedirect(argument: Json | undefined): boolean {
  if (argument === undefined || argument === null) return false
  if (typeof argument === 'boolean') return argument
  throw invalidArgument('"redirect" must be true or false.')
}

/** A header that is given as null is one that the author does not want, the defaults included. */
function withDefaults(
  given: ReadonlyMap<string, string | null>,
  contentType: string | undefined,
  idempotencyKey: string,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { accept: '*/*', 'user-agent': 'millrace', 'idempotency-key': idempotencyKey }
  if (contentType !== undefined) headers['content-type'] = contentType
  for (const [name, value] of given) {
    if (value === null) delete headers[name]
    // A multipart type gets its boundary from the encoder.
    else if (name !== 'content-type' || contentType === undefined) headers[name] = value
  }
  return headers
}
