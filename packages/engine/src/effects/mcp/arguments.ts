import { durationMs, type McpMethod, mcpMethods } from '@millrace/dsl'
import { isObject, type Json, type JsonObject } from '#core/json.ts'
import { type PreparedCall, prepareCall } from '#effects/http/arguments.ts'
import { parseHeaders } from '#effects/http/headers.ts'
import { HttpCallError, invalidArgument } from '#effects/http/http-call-error.ts'
import type { McpCallContext } from './context.ts'
import { protocolVersion } from './protocol-version.ts'

/** A call whose arguments have been checked and resolved. */
export interface PreparedMcpCall {
  readonly method: McpMethod
  readonly parameters: JsonObject | undefined
  readonly protocolVersion: string
  readonly client: { readonly name: string; readonly version: string }
  readonly timeoutMs: number
  /** The request that every message of the session is sent with: its address, the author's headers, the authentication. */
  readonly endpoint: PreparedCall
}

/** Checks the evaluated arguments of `call: mcp`; throws a validation error that names the invalid argument. */
export function prepareMcpCall(args: Json, ctx: Pick<McpCallContext, 'uriVariables' | 'randomId' | 'limits' | 'version'>): PreparedMcpCall {
  if (!isObject(args)) throw invalidArgument('The arguments of an MCP call must be an object.')
  for (const name of Object.keys(args)) {
    if (!known.has(name)) throw invalidArgument(`An MCP call has no argument "${name}"; it has ${[...known].join(', ')}.`)
  }
  const method = parseMethod(args['method'])
  return {
    method,
    parameters: parseParameters(method, args['parameters']),
    protocolVersion: protocolVersion(args['protocolVersion']),
    client: parseClient(args['client'], ctx.version),
    timeoutMs: parseTimeout(args['timeout'], ctx.limits),
    endpoint: parseTransport(args['transport'], ctx),
  }
}

const known: ReadonlySet<string> = new Set(['protocolVersion', 'method', 'parameters', 'timeout', 'transport', 'client'])

function parseMethod(argument: Json | undefined): McpMethod {
  const method = mcpMethods.find((name) => name === argument)
  if (method !== undefined) return method
  const given = argument === undefined ? 'missing' : `${JSON.stringify(argument)}, which is not supported`
  throw invalidArgument(`"method" is ${given}; these are: ${mcpMethods.join(', ')}.`)
}

/** The parameters that identify the called object; the server validates all others. */
const named: Readonly<Partial<Record<McpMethod, string>>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

function parseParameters(method: McpMethod, argument: Json | undefined): JsonObject | undefined {
  const parameters = argument ?? undefined
  if (parameters !== undefined && !isObject(parameters)) {
    throw invalidArgument('"parameters" must be an object, or one expression that gives an object.')
  }
  const name = named[method]
  if (name !== undefined && typeof parameters?.[name] !== 'string') throw invalidArgument(`${method} needs "parameters.${name}", a string.`)
  return parameters
}

function parseClient(argument: Json | undefined, version: string): PreparedMcpCall['client'] {
  const client = argument ?? { name: 'millrace', version }
  if (isObject(client) && typeof client['name'] === 'string' && typeof client['version'] === 'string') {
    return { name: client['name'], version: client['version'] }
  }
  throw invalidArgument('"client" must be an object with a "name" and a "version", both strings.')
}

function parseTimeout(argument: Json | undefined, { timeoutMs, timeoutMsMax }: McpCallContext['limits']): number {
  if (argument === undefined || argument === null) return timeoutMs
  const given = durationMs(argument)
  if (given === undefined || given === 0) {
    throw invalidArgument(`"timeout" is ${JSON.stringify(argument)}; write a duration longer than none, such as PT30S or { seconds: 30 }.`)
  }
  return Math.min(given, timeoutMsMax)
}

function parseTransport(argument: Json | undefined, ctx: Pick<McpCallContext, 'uriVariables' | 'randomId'>): PreparedCall {
  if (!isObject(argument)) throw invalidArgument('"transport" must be an object with "http".')
  if (argument['stdio'] !== undefined)
    throw new HttpCallError('configuration', 'This installation calls MCP servers over HTTP, not over stdio.')
  refuseOptions(argument['options'])
  const http = argument['http']
  if (!isObject(http)) throw invalidArgument('"transport.http" must be an object with an "endpoint".')
  for (const name of Object.keys(http)) {
    if (name !== 'endpoint' && name !== 'headers')
      throw invalidArgument(`The HTTP transport has no property "${name}"; it has endpoint and headers.`)
  }
  const given = parseHeaders(http['headers'])
  for (const name of given.keys()) {
    if (protocolOwned.test(name)) throw invalidArgument(`The header "${name}" cannot be set: it belongs to the protocol.`)
  }
  // Every message of a session would carry the same key, and a server that checks keys would repeat the response to `initialize`.
  const headers = { 'idempotency-key': null, ...Object.fromEntries(given) }
  const request = prepareCall({ method: 'post', endpoint: http['endpoint'] ?? null, headers }, { ...ctx, idempotencyKey: '' })
  if (request.authentication !== undefined && given.has('authorization')) {
    throw invalidArgument('The transport has both an "authorization" header and an authentication policy; keep one.')
  }
  return request
}

/** Unknown options are refused, because the author may rely on them. */
function refuseOptions(argument: Json | undefined): void {
  const [name] = isObject(argument) ? Object.keys(argument) : []
  if (name !== undefined) throw invalidArgument(`The HTTP transport has no options, so "transport.options.${name}" cannot be heeded.`)
}

const protocolOwned = /^(?:accept|content-type|last-event-id|mcp-.*)$/
