import { type ErrorData, WorkflowError } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import type { MachineChanges } from '#core/machine.ts'
import type { CompiledWorkflow, TaskNode } from '#core/node.ts'
import type { Observer } from '#core/observer.ts'
import { showable } from '#core/payload.ts'
import type { TaskRun } from '#core/scope.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import type { Turn } from '#core/work.ts'
import type { Interruptible } from './interruptible.ts'
import { failuresIn } from '#durable/run/journal-entries.ts'
import { createReplay, type ReplaySource } from './replay.ts'

/** One run of one task, pure tasks included: nothing of it is stored but what the journal holds, the rest is walked again. */
export interface TimelineEntry {
  /** Unique within the execution; tells iterations, visits and attempts apart. */
  readonly position: string
  /** JSON Pointer of the task in the definition. */
  readonly reference: string
  readonly name: string
  readonly kind: string
  /** Indices of the loops around it, outermost first. */
  readonly iteration: readonly number[]
  /** Attempt of the innermost `try` around it, from 1. */
  readonly attempt: number
  /** `waiting` for a time, an event, an answer or another execution: it holds nothing. */
  readonly state: 'running' | 'waiting' | 'completed' | 'faulted' | 'skipped' | 'cancelled'
  readonly startedAtMs: number
  readonly endedAtMs: number | undefined
  readonly input: Json | undefined
  readonly output: Json | undefined
  readonly error: ErrorData | undefined
}

/** A timeline that grows with the journal: the same journal gives the same changes, whoever walks it and however often. */
export interface TimelineWalk {
  /** In the order of their beginnings; an entry keeps its index for ever. */
  readonly entries: readonly TimelineEntry[]
  /** Has to be given the entries of the journal before the walk comes to them: what ran out of time once is not computed again. */
  foresee(journal: readonly JournalEntry[]): void
  /** @returns indices of the entries with which an execution begins, before anything is in its journal. */
  begin(): Interruptible<readonly number[]>
  /** Goes on by the next entry of the journal. @returns indices of what came up or changed, ascending. */
  deliver(entry: JournalEntry): Interruptible<readonly number[]>
  /** The execution has ended: what has not will not any more. @returns indices of what changed, ascending. */
  end(): Interruptible<readonly number[]>
}

/** Of a long stretch of pure work after the last outcome so much is shown in the end, in pauses: a hundred thousand tasks. Until then its first thousand are. */
const PAUSES_MAX = 100

/** An execution that diverged, or that decides by a secret, which is not read here, is walked as far as the walk comes. */
export function createTimelineWalk(workflow: CompiledWorkflow, source: Omit<ReplaySource, 'entries'>, turn?: Turn): TimelineWalk {
  const entries: TimelineEntry[] = []
  const indexes = new Map<string, number>()
  const open = new Set<number>()
  const changed = new Set<number>()
  const waiting = createWaitingTasks()

  function put(entry: TimelineEntry): void {
    const index = indexes.get(entry.position) ?? entries.length
    indexes.set(entry.position, index)
    entries[index] = entry
    changed.add(index)
    if (isOpen(entry)) open.add(index)
    else open.delete(index)
  }

  function found(position: string): TimelineEntry | undefined {
    const index = indexes.get(position)
    return index === undefined ? undefined : entries[index]
  }

  const observer: Observer = {
    skipped: (position, node, atMs, which) => put({ ...begun(position, node, atMs, which), state: 'skipped', endedAtMs: atMs }),
    started: (position, node, atMs, input, which) => put({ ...begun(position, node, atMs, which), input: showable(input) }),
    completed(position, node, atMs, output) {
      const entry = found(position) ?? begun(position, node, atMs, { iteration: [], attempt: 1 })
      put({ ...entry, state: 'completed', endedAtMs: atMs, output: showable(output) })
    },
    faulted(position, node, atMs, error, which) {
      put({ ...(found(position) ?? begun(position, node, atMs, which)), state: 'faulted', endedAtMs: atMs, error })
    },
  }

  const failures = new Map<number, ErrorData>()
  let replay: ReturnType<typeof createReplay> | undefined
  function* walk(move: Interruptible<void> | undefined): Interruptible<readonly number[]> {
    try {
      if (move !== undefined) yield* move
    } catch (error) {
      if (!(error instanceof WorkflowError)) throw error
      replay = undefined
    }
    if (replay !== undefined) markWaiting()
    const indices = [...changed].toSorted((one, other) => one - other)
    changed.clear()
    return indices
  }

  /** Updates the tasks whose requests have changed: with all of them, a long journal would take the square of its length. */
  function markWaiting(): void {
    for (const position of waiting.takeChanged()) {
      const entry = found(position)
      if (entry === undefined || !isOpen(entry)) continue
      const state = waiting.has(position) ? 'waiting' : 'running'
      if (state !== entry.state) put({ ...entry, state })
    }
  }

  return {
    entries,
    foresee(journal) {
      for (const [evaluation, error] of failuresIn(journal)) failures.set(evaluation, error)
    },
    begin() {
      replay = createReplay(workflow, source, {
        secrets: {},
        runtime: { name: 'millrace', version: '', metadata: {} },
        observer,
        turn,
        failures,
        onChanges: waiting.update,
      })
      return walk(replay.begin())
    },
    deliver(entry) {
      if (entry.phase === 'ended') waiting.remove(entry.position)
      return walk(replay?.deliver(entry))
    },
    *end() {
      for (const index of yield* walk(replay?.settle(PAUSES_MAX))) changed.add(index)
      for (const index of open) {
        const entry = entries[index]
        if (entry !== undefined) put({ ...entry, state: 'cancelled' })
      }
      replay = undefined
      return yield* walk(undefined)
    },
  }
}

/** Tasks with an open request that is no effect: for a time, a message or another execution. */
function createWaitingTasks() {
  /** Positions of tasks by those of their requests. */
  const requests = new Map<string, string>()
  const counts = new Map<string, number>()
  let changed = new Set<string>()

  function count(task: string, difference: number): void {
    counts.set(task, (counts.get(task) ?? 0) + difference)
    changed.add(task)
  }

  function remove(position: string): void {
    const task = requests.get(position)
    if (task !== undefined && requests.delete(position)) count(task, -1)
  }

  return {
    remove,
    update({ opened, abandoned }: Pick<MachineChanges, 'opened' | 'abandoned'>): void {
      for (const position of abandoned) remove(position)
      for (const { request } of opened) {
        if (request.kind !== 'message' && request.kind !== 'timer' && request.kind !== 'child') continue
        const task = request.kind === 'message' ? request.wait.position : request.position
        requests.set(request.position, task)
        count(task, 1)
      }
    },
    has: (task: string) => (counts.get(task) ?? 0) > 0,
    /** Tasks that have begun or ceased to wait since the last call. */
    takeChanged(): ReadonlySet<string> {
      const taken = changed
      changed = new Set()
      return taken
    },
  }
}

export function isOpen({ state }: TimelineEntry): boolean {
  return state === 'running' || state === 'waiting'
}

function begun(position: string, node: TaskNode, atMs: number, { iteration, attempt }: TaskRun): TimelineEntry {
  return {
    position,
    reference: node.reference,
    name: node.name,
    kind: node.kind,
    iteration,
    attempt,
    state: 'running',
    startedAtMs: atMs,
    endedAtMs: undefined,
    input: undefined,
    output: undefined,
    error: undefined,
  }
}
