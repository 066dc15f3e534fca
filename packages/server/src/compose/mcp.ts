import { mcp } from '@millrace/contract'
import type { Proposals } from '#modules/assistant/index.ts'
import { createConsents } from '#modules/consents/index.ts'
import { createMcpChat, createWorkflowTools, type McpCaller, mcpHandlers } from '#modules/mcp/index.ts'
import type { Models } from '#modules/models/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import { served } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Feature, FeatureParts } from './feature.ts'

export interface McpParts extends Pick<FeatureParts, 'database' | 'system'> {
  readonly workflows: Workflows
  readonly models: Models
  readonly proposals: Proposals
}

/** Conversations in which workflows are tools. */
export function composeMcp({ database, system: { now, newId }, workflows, models, proposals }: McpParts): Feature {
  const consents = createConsents({ now, newId })
  const chat = createMcpChat<McpCaller>({
    models,
    toolsOf: createWorkflowTools({ database, workflows }),
    hasConsent: (accountId) => database.account(accountId, async (tx) => (await consents.crossBorder(tx, accountId)).state === 'given'),
    async propose(caller, workflowId, input) {
      const action = { kind: 'workflow.run' as const, workflowId: toTypeId('wf', workflowId), input }
      const [proposal] = (await proposals.prepare(caller, action, undefined)).proposals
      if (proposal === undefined) throw new Error('a run of a workflow was prepared without a proposal')
      return { id: toTypeId('prop', proposal.id), digest: proposal.digest, expiresAt: proposal.expiresAt.toISOString() }
    },
  })
  return { groups: { mcp: served(mcp, mcpHandlers(chat)) } }
}
