import type { Observer, TaskNode } from '@millrace/engine'
import { describeTask } from '#run/describe-task.ts'
import type { TaskEvent } from './task-event.ts'

interface Open {
  readonly position: string
  readonly node: TaskNode
  readonly depth: number
  /** Branches around the tasks in it. */
  readonly branchesInside: readonly string[]
  readonly startedAtMs: number
}

/** Makes an observer that emits events with depth, position in loops and retries, and duration. */
export function createTracker(emit: (event: TaskEvent) => void, now: () => number): Observer {
  const open = new Map<string, Open>()

  function eventAt(position: string, node: TaskNode, parent: Open | undefined) {
    const inside = position.slice(parent?.position.length ?? 0)
    return {
      position,
      reference: node.reference,
      name: node.name,
      kind: node.body.kind,
      what: describeTask(node),
      depth: parent === undefined ? 0 : parent.depth + 1,
      branches: parent?.branchesInside ?? [],
      ...placeOf(inside),
    }
  }

  function end(position: string, node: TaskNode, rest: Partial<TaskEvent> & Pick<TaskEvent, 'event'>): void {
    for (const left of [...open.values()].toReversed()) if (isInside(left.position, position)) cancel(left)
    const started = open.get(position)
    open.delete(position)
    const durationMs = started === undefined ? {} : { durationMs: Math.max(0, now() - started.startedAtMs) }
    emit({ ...eventAt(position, node, parentOf(position, open)), ...durationMs, ...rest })
  }

  function cancel({ position, node, startedAtMs }: Open): void {
    open.delete(position)
    emit({ ...eventAt(position, node, parentOf(position, open)), durationMs: Math.max(0, now() - startedAtMs), event: 'cancelled' })
  }

  return {
    skipped: (position, node) => emit({ ...eventAt(position, node, parentOf(position, open)), event: 'skipped' }),
    started(position, node, _atMs, input) {
      const parent = parentOf(position, open)
      const event = eventAt(position, node, parent)
      const branchesInside = parent?.node.body.kind === 'fork' ? [...event.branches, node.name] : event.branches
      open.set(position, { position, node, depth: event.depth, branchesInside, startedAtMs: now() })
      emit({ ...event, event: 'started', input })
    },
    completed: (position, node, _atMs, output) => end(position, node, { event: 'completed', output }),
    faulted: (position, node, _atMs, error) => end(position, node, { event: 'faulted', error }),
  }
}

/** The innermost open task that the position lies in. */
function parentOf(position: string, open: ReadonlyMap<string, Open>): Open | undefined {
  let parent: Open | undefined
  for (const candidate of open.values()) {
    if (isInside(position, candidate.position) && candidate.position.length > (parent?.position.length ?? -1)) parent = candidate
  }
  return parent
}

function isInside(position: string, outer: string): boolean {
  return position.startsWith(outer) && ['/', '[', '!'].includes(position[outer.length] ?? '')
}

/** Reads the part of a position below its parent: `[2]` is an iteration, `!1` a retry, `~1` another visit. */
function placeOf(inside: string): Pick<TaskEvent, 'iteration' | 'attempt' | 'visit'> {
  const iteration = /^\[(\d+)\]/.exec(inside)?.[1]
  const retry = /^!(\d+)\/try\//.exec(inside)?.[1]
  const visit = /~(\d+)$/.exec(inside)?.[1]
  return {
    ...(iteration === undefined ? {} : { iteration: Number(iteration) }),
    ...(retry === undefined ? {} : { attempt: Number(retry) + 1 }),
    ...(visit === undefined ? {} : { visit: Number(visit) + 1 }),
  }
}
