import { Fault, type InvalidPart, type JsonValue, type Scope } from '@millrace/contract'
import { takenNames } from '@millrace/contract/tool-names'
import { compileSchema, type Json, type JsonObject } from '@millrace/engine'
import { type AccountOperation, described } from '#modules/account-reads/index.ts'
import { needsConnection, withoutConnection } from '#modules/connectors/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import type { Tx } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { AgentTool, ToolHeader, ToolInput } from './model.ts'
import type { ConnectorFunctions } from './read-functions.ts'

/** A tool as the caller describes it. */
export type GivenTool =
  | (GivenBase & { readonly kind: 'workflow'; readonly description: string; readonly workflowId: string })
  | (GivenBase & {
      readonly kind: 'connector'
      readonly description: string
      readonly function: string
      readonly connection: string | undefined
    })
  | (GivenBase & {
      readonly kind: 'http'
      readonly description: string
      readonly method: string
      readonly url: string
      readonly headers: Readonly<Record<string, ToolHeader>>
      readonly query: JsonObject | undefined
      readonly body: JsonObject | undefined
    })
  | (GivenBase & {
      readonly kind: 'mcp'
      readonly url: string
      readonly headers: Readonly<Record<string, ToolHeader>>
      readonly tools: readonly string[]
    })
  | (GivenBase & { readonly kind: 'account'; readonly operations: readonly AccountOperation[] })

interface GivenBase {
  readonly name: string
  readonly risk: 'safe' | 'ask' | undefined
}

export type ApprovalPolicy = 'risky' | 'always' | 'never'

/** Completes the tools of a run. Fault `agent_invalid` with the pointer of each tool that cannot be used. */
export async function resolveTools(
  {
    workflows,
    functions,
    scopes,
  }: {
    readonly workflows: Pick<Workflows, 'documentNames' | 'requirements'>
    readonly functions: ConnectorFunctions
    /** Of the caller. */
    readonly scopes: ReadonlySet<Scope>
  },
  tx: Tx,
  accountId: string,
  given: readonly GivenTool[],
  policy: ApprovalPolicy,
): Promise<readonly AgentTool[]> {
  const errors: InvalidPart[] = []
  const ids = given.flatMap((tool) => (tool.kind === 'workflow' ? [tool.workflowId] : []))
  const documents = await workflows.documentNames(tx, accountId, ids)
  const tools: AgentTool[] = []
  const names = takenNames(given)
  for (const [index, tool] of given.entries()) {
    const pointer = `/tools/${index}`
    const taken = names.get(index)
    if (taken !== undefined) errors.push({ pointer: `${pointer}/name`, detail: `Another tool has the name "${taken}".` })
    const base = { name: tool.name, ask: asks(tool, policy) }
    if (tool.kind === 'http') {
      errors.push(...schemaFaults(tool.query, `${pointer}/query`), ...schemaFaults(tool.body, `${pointer}/body`))
      tools.push({ ...tool, ...base })
    } else if (tool.kind === 'mcp') tools.push({ ...tool, ...base })
    else if (tool.kind === 'account') {
      errors.push(...scopeFaults(tool.operations, scopes, `${pointer}/operations`))
      tools.push({ ...tool, ...base })
    } else if (tool.kind === 'connector') {
      const found = functions.get(tool.function)
      if (found === undefined)
        errors.push({ pointer: `${pointer}/function`, detail: `No connector of the account has a function "${tool.function}".` })
      else if (tool.connection === undefined && needsConnection(found.input))
        errors.push({ pointer: `${pointer}/connection`, detail: `The function "${tool.function}" needs a connection.` })
      else tools.push({ ...tool, ...base, parameters: withoutConnection(found.input) })
    } else {
      const document = documents.get(tool.workflowId)
      if (document === undefined) {
        const detail = `There is no published and enabled workflow ${toTypeId('wf', tool.workflowId)}.`
        errors.push({ pointer: `${pointer}/workflowId`, detail })
      } else {
        const { inputSchema } = await workflows.requirements(tx, accountId, tool.workflowId)
        tools.push({ kind: 'workflow', description: tool.description, document, parameters: parametersOf(inputSchema), ...base })
      }
    }
  }
  if (errors.length > 0) throw new Fault('agent_invalid', { errors })
  return tools
}

/** Operations that the caller may not perform. */
function scopeFaults(operations: readonly AccountOperation[], scopes: ReadonlySet<Scope>, pointer: string): readonly InvalidPart[] {
  return operations.flatMap((operation, index) => {
    const { scope } = described[operation]
    return scopes.has(scope)
      ? []
      : [{ pointer: `${pointer}/${index}`, detail: `${operation} needs the scope ${scope}, which you do not have.` }]
  })
}

/** Whether each call of a tool needs the approval of a person. */
export function asks(
  { kind, risk, method }: Pick<GivenTool, 'kind' | 'risk'> & { readonly method?: string },
  policy: ApprovalPolicy,
): boolean {
  if (policy !== 'risky') return policy === 'always'
  const isRead = kind === 'account' || (kind === 'http' && method === 'GET')
  return (risk ?? (isRead ? 'safe' : 'ask')) === 'ask'
}

export function schemaFaults(schema: JsonObject | undefined, pointer: string): readonly InvalidPart[] {
  if (schema === undefined) return []
  try {
    compileSchema({ document: schema })
    return []
  } catch {
    return [{ pointer, detail: 'Is not a JSON Schema.' }]
  }
}

/** Arguments of tools are objects. */
export function parametersOf(schema: JsonValue | undefined): JsonObject {
  const isObjectSchema = typeof schema === 'object' && schema !== null && !Array.isArray(schema)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The line above has excluded everything but objects.
  return isObjectSchema ? { type: 'object', ...(schema as JsonObject) } : { type: 'object' }
}

/** The tools as the turns of a run need them. */
export function toolInputs(tools: readonly AgentTool[]): readonly ToolInput[] {
  return tools.map((tool): ToolInput => {
    const { kind, name, ask } = tool
    switch (tool.kind) {
      case 'workflow':
      case 'connector':
        return { kind, name, ask, description: tool.description, ...(tool.parameters === undefined ? {} : { parameters: tool.parameters }) }
      case 'http':
        return { kind, name, ask, description: tool.description, url: tool.url, parameters: httpParameters(tool) }
      case 'mcp':
        return { kind, name, ask, description: '', tools: tool.tools }
      case 'account':
        return { kind, name, ask, description: '', tools: tool.operations }
    }
  })
}

/** The names in braces of a URL. */
export function pathNames(url: string): readonly string[] {
  return [...url.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '')
}

function httpParameters({ url, query, body }: Extract<AgentTool, { readonly kind: 'http' }>): JsonObject {
  const names = pathNames(url)
  const properties: Record<string, Json> = Object.fromEntries(
    names.map((name) => [name, { type: ['string', 'number'], description: 'A part of the path.' }]),
  )
  if (query !== undefined) properties['query'] = query
  if (body !== undefined) properties['body'] = body
  return { type: 'object', properties, required: [...names, ...(body === undefined ? [] : ['body'])], additionalProperties: false }
}
