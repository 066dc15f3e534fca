/** What a job may keep waiting, and for what it waits. */
export type Lane = 'urgent' | 'ordinary' | 'lasting'

/** Names of jobs with their lanes; a job without one is ordinary. */
export type JobLanes = Readonly<Record<string, Lane>>

/** The priorities of pg-boss. */
export const priorities: Readonly<Record<Lane, number>> = { urgent: 1, ordinary: 0, lasting: -1 }

/**
 * The jobs that one process runs at a time, by their priorities. A person waits for an urgent job, so one slot takes no other. A job that may
 * last minutes or hours has a slot of its own, so that nothing else waits for it.
 */
export const slots: readonly ({ readonly minPriority: number } | { readonly maxPriority: number })[] = [
  { minPriority: priorities.urgent },
  { minPriority: priorities.ordinary },
  { minPriority: priorities.ordinary },
  { maxPriority: priorities.lasting },
]
