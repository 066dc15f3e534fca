import type { Json } from '#core/json.ts'
import { describeTask, describeTime, lookupLocal, type Scope, stepOutputs } from '#core/scope.ts'

/**
 * The variables that every expression may name. Source: Open Workflow Specification DSL 1.0.3, "Runtime expression arguments"; `steps` and `variables` are ours.
 */
const readers: Readonly<Record<string, (scope: Scope) => Json>> = {
  context: ({ place }) => place.strand.context,
  input: ({ input }) => input,
  output: ({ output }) => output ?? null,
  secrets: ({ place }) => place.strand.execution.secrets,
  variables: ({ place }) => place.strand.execution.variables ?? {},
  authorization: () => null,
  task: describeTask,
  workflow: ({ place }) => workflowDescriptor(place.strand.execution),
  runtime: ({ place }) => place.strand.execution.runtime,
  steps: ({ place }) => stepOutputs(place.steps),
}

export const variableNames: readonly string[] = Object.keys(readers)

/** Variables that tasks bind shadow those of the language; the innermost one counts. */
export function readVariable(name: string, scope: Scope): Json {
  const local = lookupLocal(scope.place.locals, name)
  if (local !== undefined) return local
  return Object.hasOwn(readers, name) ? (readers[name]?.(scope) ?? null) : null
}

function workflowDescriptor(execution: Scope['place']['strand']['execution']): Json {
  const { id, definition, input, startedAtMs } = execution
  return { id, definition, input, startedAt: describeTime(startedAtMs) }
}
