import { Fault, JsonValue } from '@millrace/contract'
import type { Executions } from '#modules/executions/index.ts'
import type { Exchange } from '#platform/http/exchange-route.ts'
import { toTypeId, idOf } from '#platform/ids.ts'
import type { McpCaller } from './handlers.ts'
import type { ProposedRun } from './mcp-chat.ts'
import type { WorkflowTool } from './workflow-tools.ts'

export interface McpToolsDeps {
  readonly toolsOf: (accountId: string) => Promise<readonly WorkflowTool[]>
  readonly executions: Pick<Executions, 'execute' | 'get'>
  /** Asks the user of the credential to confirm a run. */
  readonly propose: (caller: McpCaller, tool: WorkflowTool, input: JsonValue) => Promise<ProposedRun>
}

/** A result of a tool in the form of the protocol. */
export interface ToolResult {
  readonly [member: string]: unknown
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: { readonly [member: string]: JsonValue }
  readonly isError?: boolean
}

interface Calling extends Exchange {
  readonly signal: AbortSignal
}

const waitMs = 45_000
/** The tool that reads what became of a run. */
const statusTool = 'millrace_execution'

/** The published workflows and offered connectors of an account as tools of the Model Context Protocol. */
export function createMcpTools({ toolsOf, executions, propose }: McpToolsDeps) {
  async function run(caller: McpCaller, tool: WorkflowTool, input: JsonValue, { signal, audit, countStart }: Calling) {
    await countStart()
    if (tool.asks) {
      const { id, digest, expiresAt } = await propose(caller, tool, input)
      await audit('mcp.tool_proposed', { target: id, details: detailsOf(tool) })
      const text = `This tool acts outside of the platform, so a person must approve the call. It has not been made. The user confirms the proposal ${id} in Millrace, or by POST /api/v1/assistant/agent/confirm with the digest ${digest}, until ${expiresAt}.`
      return textResult(text, { proposalId: id, digest, expiresAt, state: 'awaiting_approval' })
    }
    const origin = { kind: 'api', id: caller.actor } as const
    const command = {
      accountId: caller.accountId,
      workflowId: tool.workflowId,
      version: tool.version,
      input,
      origin,
      idempotencyKey: undefined,
    }
    const { execution } = await executions.execute(command, { waitMs, signal })
    const id = toTypeId('exec', execution.id)
    await audit('mcp.tool_called', { target: id, details: detailsOf(tool) })
    return resultOf(id, execution)
  }

  return {
    async list(accountId: string) {
      const tools = await toolsOf(accountId)
      return [...tools.map(describe), describeStatus()]
    },

    /** Calls a tool. Everything that a caller may cause is a result with `isError`, so that a model can react to it. */
    async call(
      caller: McpCaller,
      { name, input }: { readonly name: string; readonly input: JsonValue },
      calling: Calling,
    ): Promise<ToolResult> {
      try {
        if (name === statusTool) return await status(caller, input, calling.signal)
        const tool = (await toolsOf(caller.accountId)).find((each) => each.name === name)
        return tool === undefined ? failed(`There is no tool ${name}. List the tools again.`) : await run(caller, tool, input, calling)
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        const errors = (error.details.errors ?? []).map(({ pointer, detail }) => `${pointer}: ${detail}`)
        return failed([error.message, ...errors].join('\n'))
      }
    },
  }

  async function status({ accountId, scopes }: McpCaller, input: JsonValue, signal: AbortSignal): Promise<ToolResult> {
    // It reads any execution of the account, as GET /api/v1/executions/{id} does.
    if (!scopes.has('executions:read')) return failed(`The tool ${statusTool} needs a key with the scope executions:read.`)
    const { executionId } = Object(input)
    if (typeof executionId !== 'string' || !/^exec_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(executionId))
      return failed('executionId: must be the id of an execution.')
    const page = { limit: 1, cursor: undefined, task: undefined }
    const { execution } = await executions.get({ accountId, id: idOf('exec', executionId) }, page, signal)
    return resultOf(executionId, execution)
  }
}

export type McpTools = ReturnType<typeof createMcpTools>

function describe({ name, description, parameters, asks, connector }: WorkflowTool) {
  const note = asks ? ' A person must approve each call.' : ''
  const isOutside = asks || connector !== undefined
  const annotations = { readOnlyHint: false, destructiveHint: isOutside, idempotentHint: false, openWorldHint: isOutside }
  return { name, description: `${description}${note}`, inputSchema: { ...parameters, type: 'object' as const }, annotations }
}

function detailsOf({ name, workflowId, connector }: WorkflowTool) {
  return { tool: name, workflowId: toTypeId('wf', workflowId), ...(connector === undefined ? {} : { connector }) }
}

function describeStatus() {
  const properties = { executionId: { type: 'string', description: 'As a run returned it.' } }
  return {
    name: statusTool,
    description: 'Reads the state and the result of a run that had not ended.',
    inputSchema: { type: 'object' as const, required: ['executionId'], additionalProperties: false, properties },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  }
}

interface Outcome {
  readonly state: string
  /** JSON. */
  readonly output: string | undefined
  readonly error?: { readonly title?: string | undefined; readonly detail?: string | undefined } | null | undefined
}

function resultOf(executionId: string, { state, output, error }: Outcome): ToolResult {
  if (state === 'completed') return textResult(output ?? 'null', { executionId, state, output: readJson(output) })
  if (state === 'faulted' || state === 'cancelled')
    return failed(
      `The execution ${executionId} is ${state}. ${[error?.title, error?.detail].filter((part) => part !== undefined).join(': ')}`,
    )
  return textResult(`The execution ${executionId} is ${state}. Read it later with ${statusTool}.`, { executionId, state })
}

function textResult(text: string, structuredContent: { readonly [member: string]: JsonValue }): ToolResult {
  return { content: [{ type: 'text', text }], structuredContent }
}

const readJson = (text: string | undefined): JsonValue => (text === undefined ? null : JsonValue.parse(JSON.parse(text)))

const failed = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true })
