import { type AnyOperation, groups, isAlias, pathParameters, toOpenApi } from '@millrace/contract'

/** Every operation that is served. */
export const operations: readonly AnyOperation[] = Object.values(groups).flatMap((group) => Object.values(group))

/** Rows for `test.each`: the id names the test. */
export function rows(choose: (op: AnyOperation) => boolean): readonly (readonly [string, AnyOperation])[] {
  return operations.filter(choose).map((op) => [op.id, op] as const)
}

export interface Call {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Calls an operation over HTTP. */
export async function call(
  url: string,
  op: AnyOperation,
  { params = {}, query = {}, body, token, headers = {} }: Call,
): Promise<ApiResponse> {
  const path = op.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent((params[name] ?? 'none').toWellFormed()))
  const search = new URLSearchParams(query).toString()
  const response = await fetch(`${url}${path}${search === '' ? '' : `?${search}`}`, {
    method: op.method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = text !== '' && response.headers.get('content-type')?.includes('json') === true
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text === '' ? undefined : text }
}

const document = toOpenApi(groups)

/** The body that the published description shows for an operation. */
export function exampleBody(op: AnyOperation): Readonly<Record<string, unknown>> | undefined {
  const description = document.paths[op.path]?.[op.method.toLowerCase()]
  const example = dig(description, ['requestBody', 'content', 'application/json', 'example'])
  return op.body !== undefined && isRecord(example) ? example : undefined
}

/** The parameters of the query that an operation requires, as the published description shows them. */
export function requiredQuery(op: AnyOperation): Readonly<Record<string, string>> {
  const parameters = dig(document.paths[op.path]?.[op.method.toLowerCase()], ['parameters'])
  const required = (Array.isArray(parameters) ? parameters : []).filter(
    (each) => dig(each, ['in']) === 'query' && dig(each, ['required']) === true,
  )
  return Object.fromEntries(required.map((each) => [String(dig(each, ['name'])), String(dig(each, ['schema', 'examples', '0']))]))
}

/** Members of the body in the published description. */
export function memberNames(op: AnyOperation): readonly string[] {
  const schema = dig(document.paths[op.path]?.[op.method.toLowerCase()], ['requestBody', 'content', 'application/json', 'schema'])
  const options = dig(schema, ['anyOf'])
  const properties = dig(Array.isArray(options) ? options[0] : schema, ['properties'])
  return isRecord(properties) ? Object.keys(properties) : []
}

/** Query parameters in the published description. */
export function queryNames(op: AnyOperation): readonly string[] {
  const parameters = dig(document.paths[op.path]?.[op.method.toLowerCase()], ['parameters'])
  if (!Array.isArray(parameters)) return []
  return parameters.filter((parameter) => dig(parameter, ['in']) === 'query').map((parameter) => String(dig(parameter, ['name'])))
}

/** Prefix of the ids that a path parameter takes, as the published description shows it. */
export function prefixOf(op: AnyOperation, parameter: string): string {
  const description = document.paths[op.path]?.[op.method.toLowerCase()]
  const parameters = dig(description, ['parameters'])
  const described = Array.isArray(parameters) ? parameters.find((candidate) => dig(candidate, ['name']) === parameter) : undefined
  const examples = dig(described, ['schema', 'examples'])
  return Array.isArray(examples) ? (String(examples[0]).split('_')[0] ?? '') : ''
}

/** A value for every path parameter, chosen by the prefix of its ids. */
export function paramsOf(op: AnyOperation, idOf: (prefix: string) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(pathParameters(op).map((name) => [name, idOf(prefixOf(op, name))]))
}

/** The operation behind an alias, or itself. */
export function targetOf(op: AnyOperation): AnyOperation {
  return isAlias(op) ? (operations.find((candidate) => candidate.id === op.aliasOf) ?? op) : op
}

export function dig(value: unknown, path: readonly string[]): unknown {
  return path.reduce((node, key) => (isRecord(node) ? node[key] : Array.isArray(node) ? node[Number(key)] : undefined), value)
}

/** The text at a path of a response; throws when it is not a text. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const text = dig(value, path)
  if (typeof text !== 'string') throw new Error(`no text at ${path.join('.')} of ${JSON.stringify(value)}`)
  return text
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
