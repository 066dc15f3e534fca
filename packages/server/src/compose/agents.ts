import { agents, scopesOfRole } from '@millrace/contract'
import { createExecutionReader, findActors } from '@millrace/engine/storage'
import { findScopesOfActors } from '#modules/access/index.ts'
import { createAccountRead, type Readers } from '#modules/account-reads/index.ts'
import { agentHandlers, createAgents, createLiveStreams, purgeAgents } from '#modules/agents/index.ts'
import type { Executions } from '#modules/executions/index.ts'
import { versionQuery, type Workflows } from '#modules/workflows/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

export interface AgentParts
  extends Pick<FeatureParts, 'database' | 'models' | 'enginePool' | 'system' | 'eventStreams' | 'connectors' | 'accountRead' | 'policies'> {
  readonly workflows: Workflows
  readonly executions: Executions
  readonly readers: Readers
}

/** Agent runs. */
export function composeAgents(parts: AgentParts): Feature {
  const { database, models, enginePool, system, eventStreams, connectors, workflows, executions, readers, accountRead, policies } = parts
  const { now, newId } = system
  const { revisions } = createExecutionReader({ pool: enginePool, versionQuery })
  const { admitInput, disclose } = policies
  const service = createAgents({
    database,
    workflows,
    executions,
    models,
    source: connectors.source,
    revisions,
    admitInput,
    disclose,
    now,
    newId,
  })
  accountRead.provide(
    createAccountRead({
      readers,
      scopesOf: (accountId, executionId) =>
        database.account(accountId, async (tx) => {
          const actors = await findActors(tx, accountId, executionId)
          // What starts without a person was set up by one who may at least do what a viewer may.
          return (await findScopesOfActors(tx, accountId, actors, new Date(now()))) ?? scopesOfRole('viewer')
        }),
    }),
  )
  const live = createLiveStreams({ agents: service, now, eventStreams })
  return {
    groups: { agents: served(agents, agentHandlers({ service, live, executions, now })) },
    maintenance: [{ name: 'agent-runs', run: () => service.startPending() }],
    purge: purgeAgents,
  }
}
