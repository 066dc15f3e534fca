/** What may happen to a run. */
export const runChanges = ['completed', 'faulted', 'cancelled', 'started', 'suspended', 'resumed'] as const

/** The type of the events of a change of runs. */
export const typeOf = (change: (typeof runChanges)[number]): string => `io.serverlessworkflow.workflow.${change}.v1`
