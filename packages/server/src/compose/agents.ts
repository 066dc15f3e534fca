import { agents } from '@millrace/contract'
import { createExecutionReader } from '@millrace/engine/storage'
import { agentHandlers, createAgents, createLiveStreams, purgeAgents } from '#modules/agents/index.ts'
import type { Executions } from '#modules/executions/index.ts'
import { versionQuery, type Workflows } from '#modules/workflows/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

export interface AgentParts extends Pick<FeatureParts, 'database' | 'models' | 'enginePool' | 'system' | 'eventStreams'> {
  readonly workflows: Workflows
  readonly executions: Executions
}

/** Agent runs. */
export function composeAgents({ database, models, enginePool, system, eventStreams, workflows, executions }: AgentParts): Feature {
  const { now, newId } = system
  const { revisions } = createExecutionReader({ pool: enginePool, versionQuery })
  const service = createAgents({ database, workflows, executions, models, revisions, now, newId })
  const live = createLiveStreams({ agents: service, now, eventStreams })
  return {
    groups: { agents: served(agents, agentHandlers({ service, live, executions, now })) },
    maintenance: [{ name: 'agent-runs', run: () => service.startPending() }],
    purge: purgeAgents,
  }
}
