import { useMemo, useState } from 'react'
import { entriesAfter, type Moments, momentsOf } from '#src/run/moments.ts'
import { type TaskState, taskStates } from '#src/run/task-states.ts'
import type { TimelineEntry } from '#src/run/use-run.ts'

export interface Scrubbing {
  readonly moments: Moments
  /** How many moments have passed in what is shown; undefined for the run as it is. */
  readonly at: number | undefined
  readonly atMs: number | undefined
  readonly go: (at: number | undefined) => void
  /** Tasks as they were at the moment. */
  readonly states: ReadonlyMap<string, TaskState>
  /** The task of the moment. */
  readonly reference: string | undefined
}

/** Kinds of tasks that wait for people, events or time. */
const waitingKinds = new Set(['approve', 'listen', 'wait'])

export const isWaiting = (kind: string): boolean => waitingKinds.has(kind)

/** The tasks of a run at a moment that can be chosen. */
export function useScrubbing(entries: readonly TimelineEntry[], kinds: ReadonlyMap<string, string>): Scrubbing {
  const [at, go] = useState<number>()
  const moments = useMemo(() => momentsOf(entries), [entries])
  const states = useMemo(
    () => taskStates(at === undefined ? entries : entriesAfter(moments, at, ({ reference }) => isWaiting(kinds.get(reference) ?? ''))),
    [entries, moments, at, kinds],
  )
  const moment = at === undefined ? undefined : (moments.list[Math.max(0, at - 1)] ?? moments.list.at(-1))
  return {
    moments,
    at,
    atMs: moment?.atMs,
    go,
    states,
    reference: moment === undefined || at === 0 ? undefined : entries[moment.index]?.reference,
  }
}
