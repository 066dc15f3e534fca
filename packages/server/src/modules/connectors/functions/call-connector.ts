import { httpConnectionKinds } from '@millrace/contract'
import {
  callDocument,
  compileSchema,
  createMcpFunction,
  type EffectCall,
  type EffectFunction,
  type HttpEffectDeps,
  type Json,
  type JsonObject,
  membersOf,
  standardError,
  textOf,
} from '@millrace/engine'
import { type UseConnection } from '#modules/connections/index.ts'
import type { CallableConnector } from './callable-connector.ts'
import { type ConnectorSource, functionManifest, toolOf } from './connector-source.ts'

type Http = HttpEffectDeps['http']

/** An error names this many places. */
const faultsMax = 5

export interface McpCallDeps {
  readonly use: UseConnection
  /** The requests of one execution. */
  readonly httpOf: (call: EffectCall) => Http
  readonly effects: Omit<Parameters<typeof createMcpFunction>[0], 'http' | 'httpOf'>
}

export interface CallConnectorDeps extends McpCallDeps {
  readonly source: Pick<ConnectorSource, 'find'>
}

/** The effects behind the functions of connectors, by their full names. */
export function createConnectorFunctions(deps: CallConnectorDeps) {
  const { source, use, httpOf, effects } = deps
  const callMcp = createMcpCall(deps)

  async function perform(connector: CallableConnector, name: string, call: EffectCall): Promise<Json> {
    if (connector.code !== undefined) {
      const found = connector.code.functions.find((candidate) => candidate.name === name)
      if (found === undefined) throw gone(connector.name, name)
      return found.perform(call)
    }
    const { connection, ...parameters } = membersOf(call.arguments)
    if (connector.kind === 'mcp') {
      const tool = toolOf(connector, name)
      if (tool === undefined) throw gone(connector.name, name)
      const { url = '' } = connector.root
      const args = { url, method: 'tools/call', parameters: { name: tool['name'] ?? '', arguments: parameters } }
      return callMcp({ ...call, arguments: connection === undefined ? args : { ...args, connection } })
    }
    const { document } = connector
    if (document?.operations.has(name) !== true) throw gone(connector.name, name)
    const target = { document, operationId: name, parameters }
    if (connection === undefined)
      return accepted(
        connector,
        await callDocument(call, { ...target, server: undefined }, { ...effects, http: withHeaders(httpOf(call), connector) }),
      )
    const output = await use(call, httpConnectionKinds, ({ settings, http }, inner) => {
      const server = 'url' in settings ? settings.url : undefined
      return callDocument(inner, { ...target, server }, { ...effects, http: withHeaders(http, connector) })
    })
    return accepted(connector, output)
  }

  async function findByName(
    accountId: string,
    fullName: string,
  ): Promise<{ readonly connector: CallableConnector; readonly name: string }> {
    const [connectorName = '', name = ''] = fullName.split('.')
    const connector = await source.find(accountId, connectorName)
    if (connector === undefined) throw standardError('configuration', `The account has no connector "${connectorName}" any more.`)
    return { connector, name }
  }

  async function callByName(fullName: string, call: EffectCall): Promise<Json> {
    const { connector, name } = await findByName(call.accountId, fullName)
    return perform(connector, name, call)
  }

  /** `call: connector-call`: the function and its arguments are those of the call, so that no definition has checked them. */
  const callNamed: EffectFunction = async (call) => {
    const { function: fullName, connection, arguments: given } = membersOf(call.arguments)
    const { connection: _chosen, ...others } = membersOf(given)
    const args = connection === undefined ? others : { ...others, connection }
    const { connector, name } = await findByName(call.accountId, textOf(fullName) ?? '')
    assertArguments(connector, name, args)
    return perform(connector, name, { ...call, arguments: args })
  }

  return {
    /** @returns undefined for a name that no connector can have. */
    get(fullName: string): EffectFunction | undefined {
      if (fullName === 'connector-call') return callNamed
      return fullName.includes('.') ? (call) => callByName(fullName, call) : undefined
    },
  }
}

/** Requests to MCP servers: arguments `url`, `method`, `parameters`, and `connection` if the server asks for credentials. */
export function createMcpCall({ use, httpOf, effects }: McpCallDeps) {
  const request = (call: EffectCall, http: Http): Promise<Json> => {
    const { url, method, parameters } = membersOf(call.arguments)
    const endpoint = { uri: (textOf(url) ?? '').replaceAll('{', '%7B').replaceAll('}', '%7D') }
    const args: JsonObject = { method: method ?? '', parameters: parameters ?? {}, transport: { http: { endpoint } } }
    return createMcpFunction({ ...effects, http })({ ...call, arguments: args, input: {} })
  }
  return (call: EffectCall): Promise<Json> =>
    membersOf(call.arguments)['connection'] === undefined
      ? request(call, httpOf(call))
      : use(call, httpConnectionKinds, ({ http }, inner) => request(inner, http))
}

function withHeaders(http: Http, { headers }: CallableConnector): Http {
  if (headers === undefined) return http
  return { request: (request, signal) => http.request({ ...request, headers: { ...request.headers, ...headers } }, signal) }
}

/** Some services answer 200 to what they refuse. */
function accepted({ refusal, title }: CallableConnector, output: Json): Json {
  if (refusal === undefined || membersOf(output)[refusal.member] !== refusal.equals) return output
  const why = membersOf(output)[refusal.detail]
  throw standardError('communication', `${title} refused: ${typeof why === 'string' ? why : 'no reason given'}.`)
}

/** Functions rely on the schema of their input. */
function assertArguments(connector: CallableConnector, name: string, args: JsonObject): void {
  const manifest = functionManifest(connector, name)
  if (manifest === undefined) throw gone(connector.name, name)
  const faults = compileSchema({ document: manifest.input })(args).slice(0, faultsMax)
  if (faults.length === 0) return
  const places = faults.map(({ pointer, detail }) => `${pointer === '' ? '/' : pointer}: ${detail}`)
  throw standardError('validation', `The arguments of "${manifest.name}" do not fit its schema: ${places.join('; ')}`)
}

function gone(connector: string, name: string) {
  return standardError('configuration', `The connector "${connector}" has no function "${name}" any more.`)
}
