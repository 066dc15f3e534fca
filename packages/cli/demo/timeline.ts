import type { Paint } from '#terminal/paint.ts'
import { formatTaskLine, type TaskMark } from '#terminal/task-line.ts'
import type { TimelineEntry } from './session.ts'

const containers: ReadonlySet<string> = new Set(['do', 'for', 'fork', 'try'])

const marks: Readonly<Record<TimelineEntry['state'], TaskMark>> = {
  running: 'begun',
  waiting: 'waiting',
  completed: 'completed',
  faulted: 'faulted',
  cancelled: 'cancelled',
  skipped: 'skipped',
}

/** Prints the new lines of an execution's timeline after each poll. */
export interface TimelinePrinter {
  linesOf(timeline: readonly TimelineEntry[]): readonly string[]
}

/** Makes a printer: a task that contains others when it begins, a wait when it begins and ends, any other when it ends. */
export function createTimelinePrinter(paint: Paint, columns: number): TimelinePrinter {
  const printed = new Set<string>()
  const once = (entry: TimelineEntry, when: 'begun' | 'ended'): string[] => {
    const key = JSON.stringify([when, entry.reference, entry.iteration, entry.attempt])
    if (printed.has(key)) return []
    printed.add(key)
    return [formatTaskLine(lineOf(entry, when), columns, paint)]
  }
  return {
    linesOf: (timeline) =>
      timeline.flatMap((entry) => {
        if (containers.has(entry.kind)) return once(entry, 'begun')
        const begun = entry.kind === 'wait' ? once(entry, 'begun') : []
        return entry.endedAt === null ? begun : [...begun, ...once(entry, 'ended')]
      }),
  }
}

function lineOf(entry: TimelineEntry, when: 'begun' | 'ended') {
  const { reference, name, kind, iteration, attempt, error } = entry
  const took = entry.endedAt === null || when === 'begun' ? undefined : Date.parse(entry.endedAt) - Date.parse(entry.startedAt)
  const last = iteration.at(-1)
  return {
    mark: when === 'ended' ? marks[entry.state] : kind === 'wait' ? ('waiting' as const) : ('begun' as const),
    depth: 1 + depthOf(reference),
    name,
    remarks: [...(last === undefined || containers.has(kind) ? [] : [`#${last + 1}`]), ...(attempt > 1 ? [`attempt ${attempt}`] : [])],
    what: error === undefined ? kind : `${kind}: ${error.title ?? error.type} (${error.status})`,
    ...(took === undefined ? {} : { durationMs: took }),
  }
}

/** The number of tasks around the task of a pointer. */
function depthOf(reference: string): number {
  return [...reference.matchAll(/\/(?:do|try|branches)\/\d+\//g)].length - 1
}
