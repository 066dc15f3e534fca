import type { groups, Reply } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { watch } from '#src/api/sse.ts'

export type RunDetail = Reply<(typeof groups)['workflows']['execution']>
/** An attempt of a task as the server reports it. */
export type ReadEntry = RunDetail['timeline'][number]
/** `caught`: it faulted, and a task around it continued all the same. */
export type TimelineEntry = Omit<ReadEntry, 'state'> & { readonly state: ReadEntry['state'] | 'caught' }
type Summary = Omit<RunDetail, 'input' | 'timeline' | 'timelineNextCursor'>

const manyEntries = 500

export interface LiveRun {
  readonly entries: readonly ReadEntry[]
  /** With the result once the run has ended. */
  readonly summary: Summary | undefined
  readonly live: boolean
}

/** The tasks and the state of a run, as its stream reports them. */
export function useRun(id: string): LiveRun {
  const queries = useQueryClient()
  const [run, setRun] = useState<LiveRun>({ entries: [], summary: undefined, live: false })
  useEffect(() => {
    const stop = new AbortController()
    const entries = new Map<string, ReadEntry>()
    let summary: Summary | undefined
    let painting: ReturnType<typeof setTimeout> | undefined
    // Many events arrive at once and are shown together: soon, or every half second while a long run is read.
    const paint = (isLast: boolean) => {
      if (isLast) clearTimeout(painting)
      if (isLast) painting = undefined
      painting ??= setTimeout(
        () => {
          painting = undefined
          setRun((before) => ({ ...before, entries: [...entries.values()], summary }))
        },
        entries.size > manyEntries && !isLast ? 500 : 16,
      )
    }
    const changes = batched(() => void queries.invalidateQueries({ queryKey: ['run.approvals', id] }))
    const onEvent = ({ event, data }: { event?: string | undefined; data: string }) => {
      if (event === 'task') {
        const entry = taskOf(data)
        entries.set(entry.position, entry)
      } else if (event === 'state' || event === 'end') {
        const stated = summaryOf(data)
        // The state of a run that has ended comes without its result, which the last event has.
        if (event === 'end' || stated.endedAt === null) summary = stated
      }
      if (event === 'end') void queries.invalidateQueries({ queryKey: ['run', id] })
      if (event === 'task' || event === 'state') changes.note()
      paint(event === 'end')
    }
    void watch({
      path: `/api/v1/workflows/executions/${id}/stream`,
      signal: stop.signal,
      onEvent,
      onLive: (live) => setRun((before) => ({ ...before, live })),
      isLast: ({ event }) => event === 'end',
      restsUnseen: true,
    })
    return () => {
      stop.abort()
      clearTimeout(painting)
      changes.stop()
    }
  }, [id, queries])
  return run
}

/** Acts once for what is noted within a short time. */
function batched(act: () => void): { note(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    note() {
      timer ??= setTimeout(() => {
        timer = undefined
        act()
      }, 100)
    },
    stop: () => clearTimeout(timer),
  }
}

// The contract types the events of this stream.
function taskOf(data: string): ReadEntry {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- See above.
  return JSON.parse(data) as ReadEntry
}

function summaryOf(data: string): Summary {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- See above.
  return JSON.parse(data) as Summary
}
