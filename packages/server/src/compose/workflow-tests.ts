import { workflowTests } from '@millrace/contract'
import type { Executions } from '#modules/executions/index.ts'
import { createWorkflowTests, deleteSamplesOf, workflowTestHandlers } from '#modules/workflow-tests/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

export interface WorkflowTestParts extends Pick<FeatureParts, 'database' | 'system'> {
  readonly workflows: Workflows
  readonly executions: Pick<Executions, 'execute'>
}

/** Tests of definitions and of single tasks. */
export function composeWorkflowTests({ database, workflows, executions, system: { now } }: WorkflowTestParts) {
  const service = createWorkflowTests({ database, workflows, execute: executions.execute, now })
  const feature: Feature = { groups: { workflowTests: served(workflowTests, workflowTestHandlers(service)) }, purge: deleteSamplesOf }
  return { feature, service }
}
