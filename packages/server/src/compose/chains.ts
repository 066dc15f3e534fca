import { chains } from '@millrace/contract'
import { chainHandlers, createChains, purgeChains } from '#modules/chains/index.ts'
import type { Executions } from '#modules/executions/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

export interface ChainParts extends Pick<FeatureParts, 'database' | 'system'> {
  readonly workflows: Workflows
  readonly executions: Pick<Executions, 'start' | 'list'>
}

/** Chains of workflows. */
export function composeChains({ database, workflows, executions, system: { now, newId } }: ChainParts): Feature {
  const service = createChains({ database, workflows, start: executions.start, now, newId })
  return { groups: { chains: served(chains, chainHandlers({ service, executions })) }, purge: purgeChains }
}
