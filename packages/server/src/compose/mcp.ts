import manifest from '#manifest' with { type: 'json' }
import { type JsonValue, mcp } from '@millrace/contract'
import type { Proposals } from '#modules/assistant/index.ts'
import type { Executions } from '#modules/executions/index.ts'
import { createMcpChat, createMcpTools, createWorkflowTools, type McpCaller, mcpHandlers, servedMcp } from '#modules/mcp/index.ts'
import type { Models } from '#modules/models/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import { served } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Feature, FeatureParts } from './feature.ts'

export interface McpParts extends Pick<FeatureParts, 'database' | 'config'> {
  readonly workflows: Workflows
  readonly models: Models
  readonly proposals: Proposals
  readonly executions: Executions
}

/** Conversations in which workflows are tools. */
export function composeMcp({ database, config, workflows, models, proposals, executions }: McpParts): Feature {
  const toolsOf = createWorkflowTools({ database, workflows })
  async function propose(caller: McpCaller, workflowId: string, input: JsonValue) {
    const action = { kind: 'workflow.run' as const, workflowId: toTypeId('wf', workflowId), input }
    const [proposal] = (await proposals.prepare(caller, action, undefined)).proposals
    if (proposal === undefined) throw new Error('a run of a workflow was prepared without a proposal')
    return { id: toTypeId('prop', proposal.id), digest: proposal.digest, expiresAt: proposal.expiresAt.toISOString() }
  }
  const chat = createMcpChat<McpCaller>({
    models,
    toolsOf,
    propose,
  })
  const tools = createMcpTools({ toolsOf, executions, propose })
  return {
    groups: {
      mcp: served(mcp, mcpHandlers(chat)),
      mcpServer: servedMcp({ tools, version: manifest.version, publicUrl: config.http.publicUrl }),
    },
  }
}
