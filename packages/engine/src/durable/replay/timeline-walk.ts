import { type ErrorData, WorkflowError } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import type { CompiledWorkflow, TaskNode } from '#core/node.ts'
import type { Observer } from '#core/observer.ts'
import { showable } from '#core/payload.ts'
import type { TaskRun } from '#core/scope.ts'
import { masked } from '#core/secret-mask.ts'
import { taskReference } from '#core/task-reference.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import type { Turn } from '#core/work.ts'
import type { Interruptible } from './interruptible.ts'
import { COMPUTATION_FAILURE_KIND, failuresIn } from '#durable/run/journal-entries.ts'
import { createReplay, type ReplaySource } from './replay.ts'
import { createWaitingTasks, type TaskWait } from './waiting-tasks.ts'
import { createOpenInside } from './open-inside.ts'

/** One visit of one task. It is not stored: the timeline is computed by a replay, which also visits the tasks without journal entries. */
export interface TimelineEntry {
  /** Unique within the execution; differs for each iteration, visit and attempt. */
  readonly position: string
  /** JSON Pointer of the task in the definition. */
  readonly reference: string
  readonly name: string
  readonly kind: string
  /** Indices of the loops around it, outermost first. */
  readonly iteration: readonly number[]
  /** Attempt of the innermost `try` around it, from 1. */
  readonly attempt: number
  /** `waiting`: the task has a request for a time, an event, an answer or another execution, and occupies no process. */
  readonly state: 'running' | 'waiting' | 'completed' | 'faulted' | 'skipped' | 'cancelled'
  readonly startedAtMs: number
  readonly endedAtMs: number | undefined
  /** Also of a `try` task that is running and waits for its next attempt. */
  readonly waitsFor: TaskWait | undefined
  readonly input: Json | undefined
  readonly output: Json | undefined
  readonly error: ErrorData | undefined
}

/** A timeline that grows with the journal. It is deterministic: the same journal results in the same changes, in every process. */
export interface TimelineWalk {
  /** In the order in which the tasks began; the index of an entry never changes. */
  readonly entries: readonly TimelineEntry[]
  /** Notes the computations that ran out of time or memory; call it before their entries are delivered, so that they are not repeated. */
  noteFailures(journal: readonly JournalEntry[]): void
  /** Walks to the first requests. @returns indices of the timeline entries before the first journal entry. */
  begin(): Interruptible<readonly number[]>
  /** Delivers the next entry of the journal. @returns indices of new and changed timeline entries, ascending. */
  deliver(entry: JournalEntry): Interruptible<readonly number[]>
  /** Ends the timeline of an ended execution: open tasks become `cancelled`. @returns indices of changed timeline entries, ascending. */
  end(): Interruptible<readonly number[]>
}

/** Bounds the pure work that `end` shows after the last outcome, in pauses: a hundred thousand tasks. Before the end, only the tasks up to the first pause are shown. */
const PAUSES_MAX = 100

export interface TimelineSource extends Omit<ReplaySource, 'entries'> {
  /** The error with which the execution ended, if it did and that is known. */
  readonly error?: Pick<ErrorData, 'instance'> | undefined
  /** Given if data of a person was erased in it: where the walk ends by that, the timeline continues with what the journal has. */
  readonly erased?: { readonly isCompleted: boolean } | undefined
}

/**
 * Secrets are not read here: a mask is in their place, and what cannot be computed with it is `notShown`. If the walk diverges, for example because a
 * decision depends on a secret, the timeline ends there.
 */
export function createTimelineWalk(workflow: CompiledWorkflow, source: TimelineSource, turn?: Turn): TimelineWalk {
  const entries: TimelineEntry[] = []
  const indexes = new Map<string, number>()
  const open = new Set<number>()
  const changed = new Set<number>()
  const waitingTasks = createWaitingTasks((position) => indexes.has(position))

  const openInside = createOpenInside((position) => indexes.get(position))

  function put(entry: TimelineEntry): void {
    const index = indexes.get(entry.position) ?? entries.length
    indexes.set(entry.position, index)
    entries[index] = entry
    changed.add(index)
    if (isOpen(entry)) open.add(index)
    else open.delete(index)
    openInside.note(index, entry)
  }

  /** Ends a task, and cancels what a race, a timeout or a fault cut off inside of it. */
  function putEnded(entry: TimelineEntry & { readonly endedAtMs: number }): void {
    put({ ...entry, waitsFor: undefined })
    const index = indexes.get(entry.position) ?? 0
    for (const inside of openInside.of(index)) {
      const cut = entries[inside]
      if (cut !== undefined) putEnded({ ...cut, state: 'cancelled', endedAtMs: entry.endedAtMs })
    }
  }

  function find(position: string): TimelineEntry | undefined {
    const index = indexes.get(position)
    return index === undefined ? undefined : entries[index]
  }

  const observer: Observer = {
    skipped: (position, node, atMs, which) => put({ ...newEntry(position, node, atMs, which), state: 'skipped', endedAtMs: atMs }),
    started(position, node, atMs, input, which) {
      waitingTasks.began(position, node)
      put({ ...newEntry(position, node, atMs, which), input: showable(input) })
    },
    completed(position, node, atMs, output) {
      const entry = find(position) ?? newEntry(position, node, atMs, { iteration: [], attempt: 1 })
      putEnded({ ...entry, state: 'completed', endedAtMs: atMs, output: showable(output) })
    },
    faulted(position, node, atMs, error, which) {
      const entry = find(position) ?? newEntry(position, node, atMs, which)
      putEnded({ ...entry, state: 'faulted', endedAtMs: atMs, error })
    },
  }

  const failures = new Map<number, ErrorData>()
  let replay: ReturnType<typeof createReplay> | undefined
  function* walk(move: Interruptible<void> | undefined, from?: JournalEntry): Interruptible<readonly number[]> {
    try {
      if (move !== undefined) yield* move
    } catch (error) {
      if (!(error instanceof WorkflowError)) throw error
      replay = undefined
    }
    if (replay !== undefined) markWaiting()
    else if (source.erased !== undefined && from !== undefined && from.kind !== COMPUTATION_FAILURE_KIND) put(journalled(from, find))
    const indices = [...changed].toSorted((left, right) => left - right)
    changed.clear()
    return indices
  }

  /** Updates only the tasks whose requests have changed; updating all of them would take quadratic time. */
  function markWaiting(): void {
    for (const position of waitingTasks.takeChanged()) {
      const entry = find(position)
      if (entry === undefined || !isOpen(entry)) continue
      const waitsFor = waitingTasks.waitOf(position)
      const state = waitsFor === undefined || waitsFor.what === 'retry' ? 'running' : 'waiting'
      if (state !== entry.state || !isSameWait(waitsFor, entry.waitsFor)) put({ ...entry, state, waitsFor })
    }
  }

  return {
    entries,
    noteFailures(journal) {
      for (const [evaluation, error] of failuresIn(journal)) failures.set(evaluation, error)
    },
    begin() {
      replay = createReplay(workflow, source, {
        secrets: Object.fromEntries(workflow.secrets.map((name) => [name, masked])),
        withoutSecrets: { failedAt: source.error?.instance },
        erased: source.erased !== undefined ? { failedAt: source.error?.instance } : undefined,
        runtime: { name: 'millrace', version: '', metadata: {} },
        observer,
        turn,
        failures,
        onChanges: waitingTasks.update,
      })
      return walk(replay.begin())
    },
    deliver(entry) {
      if (entry.phase === 'ended') waitingTasks.remove(entry.position)
      return walk(replay === undefined ? undefined : replay.deliver(entry), entry)
    },
    *end() {
      for (const index of yield* walk(replay?.proceed(PAUSES_MAX))) changed.add(index)
      // The tasks around those of the journal, whose end the walk did not reach.
      const isCut = replay === undefined && source.erased?.isCompleted === true
      for (const index of open) {
        const entry = entries[index]
        if (entry !== undefined) put({ ...entry, state: isCut ? 'completed' : 'cancelled', waitsFor: undefined })
      }
      replay = undefined
      return yield* walk(undefined)
    },
  }
}

/** An outcome as a task, for a walk that does not reach it. */
function journalled(
  { position, kind, phase, ok, value, startedAtMs, endedAtMs }: JournalEntry,
  find: (position: string) => TimelineEntry | undefined,
): TimelineEntry {
  // An outcome of a task that has several, such as an event of a `listen`, is behind the position of the task.
  const at = /^.*\/do\/\d+\/[^/]+/.exec(position)?.[0] ?? position
  const reference = taskReference(at)
  const iteration = Array.from(at.matchAll(/\[(\d+)\]/g), ([, index]) => Number(index))
  const found = find(at)
  const hasEnded = phase === 'ended'
  const output = hasEnded && ok ? { output: showable(value) } : {}
  return {
    position: at,
    reference,
    name: reference.slice(reference.lastIndexOf('/') + 1),
    kind: kind === 'timer' ? 'wait' : kind === 'workflow' ? 'run' : kind === 'wait' || kind === 'message' ? 'listen' : 'call',
    iteration,
    attempt: Number(/!(\d+)/.exec(at)?.[1] ?? 1),
    startedAtMs,
    input: undefined,
    output: undefined,
    error: undefined,
    ...found,
    state: hasEnded ? (ok ? 'completed' : 'faulted') : 'waiting',
    endedAtMs: hasEnded ? endedAtMs : undefined,
    waitsFor: undefined,
    ...output,
  }
}

export function isOpen({ state }: TimelineEntry): boolean {
  return state === 'running' || state === 'waiting'
}

/** A wait is described anew after each event that a task takes. */
function isSameWait(one: TaskWait | undefined, other: TaskWait | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

function newEntry(position: string, node: TaskNode, atMs: number, { iteration, attempt }: TaskRun): TimelineEntry {
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
    waitsFor: undefined,
    input: undefined,
    output: undefined,
    error: undefined,
  }
}
