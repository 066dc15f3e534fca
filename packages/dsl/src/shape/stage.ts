/** The moments at which expressions are evaluated (dsl.md, Runtime expression arguments). */
export type Stage = 'label' | 'workflow' | 'workflowOutput' | 'taskInput' | 'task' | 'taskOutput' | 'taskExport' | 'retry'

const workflow = ['secrets', 'variables', 'workflow', 'runtime'] as const
const taskInput = ['context', ...workflow, 'task', 'steps'] as const
const task = [...taskInput, 'input', 'authorization'] as const

/**
 * The variables that expressions of each moment may read, without `$`, besides those of loops and catches.
 *
 * `steps` and `variables` are ours: the outputs of earlier tasks by name, and the variables of the account (docs/dsl.md). Labels are ours too:
 * they are evaluated before the execution exists, and must not contain secrets, so they read the input alone.
 */
export const stageVariables: Readonly<Record<Stage, readonly string[]>> = {
  label: [],
  workflow,
  workflowOutput: ['context', ...workflow],
  taskInput,
  task,
  taskOutput: task,
  taskExport: [...task, 'output'],
  // A policy of `use.retries`; it also reads the error of the catch that names it.
  retry: task,
}

/** Names that the DSL gives to variables itself, in any moment. */
export const reservedVariables: ReadonlySet<string> = new Set(Object.values(stageVariables).flat())
