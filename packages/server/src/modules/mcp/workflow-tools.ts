import type { Json } from '@millrace/engine'
import type { ModelTool } from '#modules/models/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import type { ConnectorTool } from './connector-tools/connector-tool.ts'

/** A published workflow as a tool. */
export interface WorkflowTool extends ModelTool {
  readonly workflowId: string
  /** Whose input and risk the tool has. */
  readonly version: number | undefined
  /** The full name of the function of a connector that the workflow calls; absent for a workflow of a person. */
  readonly connector?: string
  /** Whether a person decides before it runs. */
  readonly asks: boolean
}

export interface WorkflowToolsDeps {
  readonly database: Pick<Database, 'account'>
  readonly workflows: Pick<Workflows, 'list' | 'requirements'>
  /** The functions of connectors that the account offers. */
  readonly connectorTools: (tx: Tx, accountId: string) => Promise<readonly ConnectorTool[]>
}

const toolsMax = 50
const anyObject: Readonly<Record<string, Json>> = { type: 'object' }

/**
 * Lists the published and enabled workflows of an account, and the functions of connectors that it offers, as tools with the schemas of their
 * inputs.
 */
export function createWorkflowTools({ database, workflows, connectorTools }: WorkflowToolsDeps) {
  return (accountId: string): Promise<readonly WorkflowTool[]> =>
    database.account(accountId, async (tx) => {
      const filter = { cursor: undefined, tag: undefined, trigger: undefined, text: undefined, sort: 'created' as const }
      const { data } = await workflows.list(tx, accountId, { ...filter, state: 'published', limit: toolsMax })
      const taken = new Set<string>()
      const tools: WorkflowTool[] = []
      for (const { id, name, description } of data) {
        const { inputSchema, isRisky, version } = await workflows.requirements(tx, accountId, id)
        tools.push({
          workflowId: id,
          version,
          asks: isRisky,
          name: uniqueName(name, taken),
          description: (description ?? name).slice(0, 1_000),
          parameters: isObjectSchema(inputSchema) ? inputSchema : anyObject,
        })
      }
      for (const { function: connector, summary, connection, permission, workflowId } of await connectorTools(tx, accountId)) {
        const { inputSchema, version } = await workflows.requirements(tx, accountId, workflowId)
        const by = connection === undefined ? '' : ` with the connection "${connection}"`
        tools.push({
          workflowId,
          version,
          connector,
          asks: permission === 'ask',
          name: uniqueName(connector, taken),
          description: `${summary.replace(/\.?$/, '.')} Calls ${connector}${by}.`,
          parameters: isObjectSchema(inputSchema) ? inputSchema : anyObject,
        })
      }
      return tools
    })
}

/** Names of tools have letters, digits, hyphens and underscores, at most 64. */
function uniqueName(name: string, taken: Set<string>): string {
  const base =
    name
      .normalize('NFKD')
      .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, 56) || 'workflow'
  let unique = base
  for (let count = 2; taken.has(unique); count++) unique = `${base}_${count}`
  taken.add(unique)
  return unique
}

function isObjectSchema(schema: unknown): schema is Readonly<Record<string, Json>> {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'object'
}
