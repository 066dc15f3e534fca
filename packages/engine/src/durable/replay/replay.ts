import { type ErrorData, WorkflowError } from '#core/error.ts'
import type { Json, JsonObject } from '#core/json.ts'
import { createMachine, type Machine, type MachineChanges } from '#core/machine.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { Observer } from '#core/observer.ts'
import type { Turn } from '#core/work.ts'
import { type Interruptible, settle } from './interruptible.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import { COMPUTATION, failuresIn, kindOf, outcomeOf, splitDecisions } from '#durable/run/journal-entries.ts'

export interface ReplaySource {
  readonly id: string
  readonly input: Json
  readonly startedAtMs: number
  readonly entries: readonly JournalEntry[]
}

export interface Replayed {
  readonly machine: Machine
  readonly nextSeq: number
  /** Children that were started and whose outcome is not in the journal, by position. */
  readonly children: ReadonlyMap<string, string>
  /** Waits that are open, and those whose end may not be written yet. */
  readonly waits: { readonly open: ReadonlySet<string>; readonly closing: readonly string[] }
}

/** A walk over a journal, entry by entry. It stands where its last outcome led to or, in a long stretch of pure work, at the next pause. */
export interface Replay {
  readonly machine: Machine
  /** Walks to where something has to come from outside. */
  begin(): Interruptible<void>
  /** @throws WorkflowError of type `…/errors/runtime` and title `Diverged` when the walk does not meet the entry, or decides otherwise. */
  deliver(entry: JournalEntry): Interruptible<void>
  /** Goes on from at most so many pauses after the last outcome. What has ended comes to its end so; pure work without end does not. */
  settle(pausesMax: number): Interruptible<void>
  /** How things stand after what was delivered. */
  result(): Replayed
}

/**
 * Walks an execution again over its journal: every outcome is delivered in the order in which it was journalled.
 * @throws WorkflowError of type `…/errors/runtime` and title `Diverged` when the walk does not meet an entry, or decides otherwise.
 */
export function* replay(workflow: CompiledWorkflow, source: ReplaySource, options: ReplayOptions): Interruptible<Replayed> {
  const walk = createReplay(workflow, source, { ...options, failures: failuresIn(source.entries) })
  yield* walk.begin()
  for (const entry of source.entries) yield* walk.deliver(entry)
  return walk.result()
}

export interface ReplayOptions {
  readonly secrets: JsonObject
  readonly runtime: JsonObject
  readonly observer?: Observer | undefined
  readonly turn?: Turn | undefined
  /** Of the whole journal, as far as it is known. */
  readonly failures?: ReadonlyMap<number, ErrorData> | undefined
  /** Called with the changes of the machine after each entry. */
  readonly onChanges?: (changes: MachineChanges) => void
}

/** Sets a walk up at the beginning of an execution, for a journal that comes bit by bit. */
export function createReplay(
  workflow: CompiledWorkflow,
  source: Omit<ReplaySource, 'entries'>,
  { secrets, runtime, observer, turn, failures, onChanges }: ReplayOptions,
): Replay {
  const execution = {
    id: source.id,
    definition: workflow.definition,
    input: source.input,
    startedAtMs: source.startedAtMs,
    runtime,
    secrets,
    nowMs: source.startedAtMs,
  }
  const machine = createMachine(workflow, execution, observer, { turn, failures })
  const abandoned = new Set<string>()
  const children = new Map<string, string>()
  const open = new Set<string>()
  let closing: string[] = []
  let nextSeq = 0
  function look(): void {
    const changes = machine.changes()
    const { abandoned: left, closed } = changes
    onChanges?.(changes)
    for (const position of left) abandoned.add(position)
    closing = closed.filter((position) => open.delete(position))
  }
  function note(entry: JournalEntry): void {
    if (entry.kind === 'wait') open.add(entry.position)
    else if (typeof entry.value === 'string') children.set(entry.position, entry.value)
  }
  return {
    machine,
    *begin() {
      yield* settle(machine)
      look()
    },
    *deliver(entry) {
      nextSeq = entry.seq + 1
      if (entry.kind === COMPUTATION) return
      if (entry.phase === 'started') note(entry)
      else {
        children.delete(entry.position)
        if (!abandoned.has(entry.position)) yield* deliver(machine, entry)
      }
      look()
    },
    *settle(pausesMax) {
      yield* settlePauses(machine, pausesMax)
      look()
    },
    result: () => ({ machine, nextSeq, children, waits: { open, closing } }),
  }
}

function* deliver(machine: Machine, entry: JournalEntry): Interruptible<void> {
  const { decisions, pauses } = splitDecisions(entry)
  yield* settlePauses(machine, pauses)
  if (machine.pauses !== pauses) throw diverged(entry, 'the walk goes a shorter way there')
  const waiting = machine.pending.get(entry.position)
  if (waiting === undefined) throw diverged(entry, 'the walk does not come to this position')
  const wanted = kindOf(waiting.request)
  if (wanted !== entry.kind) throw diverged(entry, `the walk asks for "${wanted}" where the journal has "${entry.kind}"`)
  if (waiting.decisions !== decisions) {
    throw diverged(entry, `the walk decided "${waiting.decisions}" where the journal has "${decisions}"`)
  }
  machine.resolve(entry.position, outcomeOf(entry), entry.endedAtMs)
  yield* settle(machine)
}

/** Goes on from pauses, at most so many. @returns how many. */
export function* settlePauses(machine: Machine, pausesMax: number): Interruptible<number> {
  let pauses = 0
  for (; machine.paused && pauses < pausesMax; pauses++) {
    machine.proceed()
    yield* settle(machine)
  }
  return pauses
}

function diverged(entry: JournalEntry, detail: string): WorkflowError {
  return new WorkflowError({
    type: 'https://open-workflow-specification.org/spec/1.0.0/errors/runtime',
    status: 500,
    title: 'Diverged',
    detail: `journal entry ${entry.seq} at ${entry.position}: ${detail}`,
    instance: entry.position,
  })
}
