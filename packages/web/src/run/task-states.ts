import type { TimelineEntry } from '#src/run/use-run.ts'

/** What the entries of one task amount to. */
export interface TaskState {
  readonly entries: readonly TimelineEntry[]
  readonly last: TimelineEntry
  readonly state: TimelineEntry['state']
  readonly attempts: number
  readonly durationMs: number | undefined
}

/** Groups the timeline by task. */
export function taskStates(entries: readonly TimelineEntry[]): ReadonlyMap<string, TaskState> {
  const states = new Map<string, TaskState>()
  for (const [reference, own] of Map.groupBy(entries, (entry) => entry.reference)) {
    const last = own.findLast(({ state }) => state !== 'skipped') ?? own.at(-1)
    if (last !== undefined)
      states.set(reference, {
        entries: own,
        last,
        state: stateOf(own, last),
        attempts: own.reduce((most, { attempt }) => Math.max(most, attempt), 1),
        durationMs: durationOf(own),
      })
  }
  return states
}

/** A task that runs anywhere runs; otherwise the last visit decides that was not skipped. */
function stateOf(entries: readonly TimelineEntry[], last: TimelineEntry): TimelineEntry['state'] {
  for (const state of ['waiting', 'running'] as const) if (entries.some((entry) => entry.state === state)) return state
  return last.state
}

function durationOf(entries: readonly TimelineEntry[]): number | undefined {
  let total = 0
  for (const { startedAt, endedAt } of entries) {
    if (endedAt === null) return undefined
    total += Date.parse(endedAt) - Date.parse(startedAt)
  }
  return total
}
