import type { Json } from '@millrace/dsl'
import { scopeAt, stepsRead } from '@millrace/dsl/shapes'
import { api } from '#src/api/client.ts'
import { jsonAt } from '#src/document/task-json.ts'
import type { Rehearsal } from '#src/rehearse/rehearse.ts'

const runsLookedAt = 5

/** The input of a task that is kept as a sample. */
export async function sampleInput(workflow: string, task: string): Promise<Json | undefined> {
  const { tasks } = await api.workflowTests.samples({ params: { id: workflow } })
  return tasks[task]?.input
}

/** The input, or the output, that a task had in the last run that has one. */
export async function lastValue(workflow: string, task: string, what: 'input' | 'output'): Promise<Json | undefined> {
  const { data } = await api.workflows.executions({ params: { id: workflow }, query: { limit: runsLookedAt } })
  for (const { id } of data) {
    const { timeline } = await api.workflows.execution({ params: { executionId: id }, query: { task, values: 'inline', limit: 1 } })
    const value = timeline[0]?.[what]
    if (value !== undefined) return value
  }
  return undefined
}

interface EarlierSteps {
  readonly json: Json
  readonly rehearsal: Rehearsal | undefined
  /** Whether the values of the last run come before those of the rehearsal. */
  readonly preferRun: boolean
}

/** Outputs of the steps that a step reads through `$steps`, by reference, without those that have a sample on the server or are unknown. */
export async function earlierOutputs(workflow: string, task: string, { json, rehearsal, preferRun }: EarlierSteps) {
  const read = stepsRead(jsonAt(json, task) ?? null)
  const steps = (scopeAt(json, task)?.steps ?? []).filter(({ name, pointer }) => read.has(name) && pointer !== task)
  if (steps.length === 0) return {}
  const { tasks } = await api.workflowTests.samples({ params: { id: workflow } })
  const pins: Record<string, { readonly output: Json }> = {}
  for (const { pointer } of steps) {
    const rehearsed = rehearsal?.steps.get(pointer)?.output
    const last =
      preferRun || (rehearsed === undefined && tasks[pointer]?.output === undefined)
        ? await lastValue(workflow, pointer, 'output')
        : undefined
    const output = last ?? (tasks[pointer]?.output === undefined ? rehearsed : undefined)
    if (output !== undefined) pins[pointer] = { output }
  }
  return pins
}

/** Keeps input and output of a task on the server, beside the samples of other tasks. */
export async function saveSample(workflow: string, task: string, sample: { readonly input: Json; readonly output: Json }): Promise<void> {
  const before = await api.workflowTests.samples({ params: { id: workflow } })
  await api.workflowTests.saveSamples({ params: { id: workflow }, body: { ...before, tasks: { ...before.tasks, [task]: sample } } })
}
