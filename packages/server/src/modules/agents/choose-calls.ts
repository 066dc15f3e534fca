import { offeredName } from '@millrace/contract/tool-names'
import { described, isAccountOperation, schemaOf } from '#modules/account-reads/index.ts'
import { compileSchema, type Json, type JsonObject } from '@millrace/engine'
import { type Completion, type ModelTool, readJsonText } from '#modules/models/index.ts'
import type { RunInput, RunState, ToolInput } from './model.ts'

/** A tool that a model can call; tools of MCP servers and operations of the account have the name of their tool as a prefix. */
export interface OfferedTool extends ModelTool {
  readonly tool: ToolInput
  /** Name at the MCP server, or of the operation. */
  readonly remote: string | undefined
}

const callsMax = 16
const valuesMax = 100_000

/** The fixed set of tools of a run. Of an MCP server only the tools that the run names are offered. */
export function offeredTools({ tools }: RunInput, { mcp = {} }: RunState): readonly OfferedTool[] {
  return tools.flatMap((tool): readonly OfferedTool[] => {
    if (tool.kind === 'account') return offeredOperations(tool)
    if (tool.kind !== 'mcp')
      return [
        { name: tool.name, description: tool.description, parameters: tool.parameters ?? { type: 'object' }, tool, remote: undefined },
      ]
    return (mcp[tool.name] ?? []).flatMap((listed) => {
      const { name, description, inputSchema } = Object(listed)
      if (typeof name !== 'string' || tool.tools?.includes(name) !== true) return []
      const parameters: JsonObject = typeof inputSchema === 'object' && inputSchema !== null ? inputSchema : { type: 'object' }
      const text = typeof description === 'string' ? description.slice(0, 2000) : name
      return [{ name: offeredName(tool.name, name), description: text, parameters, tool, remote: name }]
    })
  })
}

function offeredOperations(tool: ToolInput): readonly OfferedTool[] {
  return (tool.tools ?? []).filter(isAccountOperation).map((operation) => {
    const { description, parameters } = described[operation]
    return { name: offeredName(tool.name, operation), description, parameters: schemaOf(parameters), tool, remote: operation }
  })
}

/** A call that may be made. */
interface AcceptedCall {
  readonly id: string
  /** Name of the tool of the run, by which the definition finds its task. */
  readonly tool: string
  /** Name by which the model called it. */
  readonly name: string
  readonly remote: string | null
  readonly arguments: Json
  readonly request: { readonly url: string; readonly body: Json } | null
  readonly ask: boolean
  readonly title: string
  readonly reason: string
}

export interface ChosenCalls {
  readonly calls: readonly AcceptedCall[]
  /** Messages for the calls that are not made. */
  readonly refused: readonly {
    readonly role: 'tool'
    readonly id: string
    readonly name: string
    readonly ok: false
    readonly content: Json
  }[]
}

/** Checks the calls that a model wants: known tools, arguments that match their schema, addresses of the tool alone. */
export function chooseCalls(offered: readonly OfferedTool[], { toolCalls, text }: Completion, secretTexts: readonly string[]): ChosenCalls {
  const calls: AcceptedCall[] = []
  const refused: ChosenCalls['refused'][number][] = []
  for (const [index, call] of toolCalls.entries()) {
    const refuse = (detail: string) => refused.push({ role: 'tool', id: call.id, name: call.name, ok: false, content: { refused: detail } })
    const found = offered.find(({ name }) => name === call.name)
    if (index >= callsMax) refuse(`At most ${callsMax} calls may be made in one turn.`)
    else if (found === undefined) refuse('There is no such tool.')
    else if (call.arguments.length > valuesMax) refuse('The arguments are too long.')
    else {
      const args = call.arguments.trim() === '' ? {} : (readJsonText(call.arguments) ?? null)
      const fault =
        argumentFault(found, args) ??
        (secretTexts.some((secret) => call.arguments.includes(secret)) ? 'The arguments contain a secret.' : undefined)
      if (fault === undefined) calls.push(accepted(found, call.id, args, text))
      else refuse(fault)
    }
  }
  return { calls, refused }
}

function accepted({ tool, name, remote }: OfferedTool, id: string, args: Json, text: string): AcceptedCall {
  const request = tool.kind === 'http' ? requestOf(tool, Object(args)) : null
  const title = `An agent wants to call ${name}`
  const reason = text.trim() === '' ? 'The agent gave no reason.' : text.slice(0, 5000)
  return { id, tool: tool.name, name, remote: remote ?? null, arguments: args, request, ask: tool.ask, title, reason }
}

function argumentFault({ parameters, tool }: OfferedTool, args: Json): string | undefined {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return 'The arguments are not a JSON object.'
  const faults = faultsOf(parameters, args)
  if (faults.length > 0)
    return `The arguments do not match: ${faults
      .slice(0, 5)
      .map(({ pointer, detail }) => `${pointer} ${detail}`)
      .join('; ')}`
  if (tool.kind !== 'http') return undefined
  const wrong = Object.entries(args).find(([name, value]) => name !== 'query' && name !== 'body' && !isSegment(value))
  return wrong === undefined ? undefined : `The argument ${wrong[0]} is not a part of a path.`
}

/** A schema of a server that cannot be compiled permits any object; the server checks it itself. */
function faultsOf(schema: JsonObject, value: Json) {
  try {
    return compileSchema({ document: schema })(value)
  } catch {
    return []
  }
}

/** Dots alone would leave the path of the tool. */
function isSegment(value: Json): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'string' && value !== '' && value.length <= 500 && !/^\.{1,2}$/.test(value)
}

function requestOf({ url = '' }: ToolInput, args: Readonly<Record<string, Json>>): { readonly url: string; readonly body: Json } {
  const path = url.replaceAll(/\{([^{}]*)\}/g, (_match, name: string) => encodeURIComponent(textOf(args[name] ?? null)))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(Object(args['query'] ?? {}))) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    for (const item of values) if (item !== null) query.append(name, textOf(item))
  }
  const search = query.toString()
  return { url: search === '' ? path : `${path}?${search}`, body: args['body'] ?? null }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
