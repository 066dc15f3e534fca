import type { Json } from '@millrace/dsl'
import { api } from '#src/api/client.ts'

const runsLookedAt = 5

/** The input of a task that is kept as a sample. */
export async function sampleInput(workflow: string, task: string): Promise<Json | undefined> {
  const { tasks } = await api.workflowTests.samples({ params: { id: workflow } })
  return tasks[task]?.input
}

/** The input that a task had in the last run that reached it. */
export async function lastInput(workflow: string, task: string): Promise<Json | undefined> {
  const { data } = await api.workflows.executions({ params: { id: workflow }, query: { limit: runsLookedAt } })
  for (const { id } of data) {
    const { timeline } = await api.workflows.execution({ params: { executionId: id }, query: { task, values: 'inline', limit: 1 } })
    const input = timeline[0]?.input
    if (input !== undefined) return input
  }
  return undefined
}

/** Keeps input and output of a task on the server, beside the samples of other tasks. */
export async function saveSample(workflow: string, task: string, sample: { readonly input: Json; readonly output: Json }): Promise<void> {
  const before = await api.workflowTests.samples({ params: { id: workflow } })
  await api.workflowTests.saveSamples({ params: { id: workflow }, body: { ...before, tasks: { ...before.tasks, [task]: sample } } })
}
