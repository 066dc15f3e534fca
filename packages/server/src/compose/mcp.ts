import manifest from '#manifest' with { type: 'json' }
import { type JsonValue, mcp } from '@millrace/contract'
import type { Readers } from '#modules/account-reads/index.ts'
import type { Proposals } from '#modules/assistant/index.ts'
import type { Executions } from '#modules/executions/index.ts'
import { connectionNames } from '#modules/connections/index.ts'
import {
  createConnectorTools,
  createMcpChat,
  createMcpPrompts,
  createMcpResources,
  createMcpTools,
  createWorkflowTools,
  type McpCaller,
  mcpHandlers,
  purgeConnectorTools,
  servedMcp,
  type WorkflowTool,
} from '#modules/mcp/index.ts'
import type { Models } from '#modules/models/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import { served } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Feature, FeatureParts } from './feature.ts'

export interface McpParts extends Pick<FeatureParts, 'database' | 'config' | 'connectors' | 'system'> {
  readonly workflows: Workflows
  readonly models: Models
  readonly proposals: Proposals
  readonly readers: Readers
  readonly executions: Executions
}

/** Workflows and connectors as tools: in conversations with a model, and of MCP clients. */
export function composeMcp({ database, config, connectors, system, workflows, models, proposals, readers, executions }: McpParts): Feature {
  const connectorTools = createConnectorTools({
    workflows,
    source: connectors.source,
    connectionNames,
    now: system.now,
  })
  const toolsOf = createWorkflowTools({ database, workflows, connectorTools: connectorTools.list })
  async function propose(caller: McpCaller, { workflowId, connector }: WorkflowTool, input: JsonValue) {
    const action = { kind: 'workflow.run' as const, workflowId: toTypeId('wf', workflowId), input }
    const [proposal] = (await proposals.prepare(caller, action, undefined, connector === undefined ? undefined : `Call ${connector}.`))
      .proposals
    if (proposal === undefined) throw new Error('a run of a workflow was prepared without a proposal')
    return { id: toTypeId('prop', proposal.id), digest: proposal.digest, expiresAt: proposal.expiresAt.toISOString() }
  }
  const chat = createMcpChat<McpCaller>({
    models,
    toolsOf,
    propose,
  })
  const tools = createMcpTools({ toolsOf, executions, propose })
  const resources = createMcpResources(readers)
  const prompts = createMcpPrompts({ toolsOf, resources, readers })
  return {
    groups: {
      mcp: served(mcp, mcpHandlers(chat, connectorTools)),
      mcpServer: servedMcp({ tools, resources, prompts, version: manifest.version, publicUrl: config.http.publicUrl }),
    },
    purge: purgeConnectorTools,
  }
}
