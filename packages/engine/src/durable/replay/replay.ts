import { type ErrorData, WorkflowError } from '#core/error.ts'
import type { Json, JsonObject } from '#core/json.ts'
import { createMachine, type Machine, type MachineChanges } from '#core/machine.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { Observer } from '#core/observer.ts'
import type { ExecutionInfo } from '#core/scope.ts'
import type { Erased, Turn } from '#core/work.ts'
import { type Interruptible, settle } from './interruptible.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import { COMPUTATION_FAILURE_KIND, failuresIn, kindOf, outcomeOf, splitDecisions } from '#durable/run/journal-entries.ts'

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
  /** Positions of open waits, and of ended waits whose end may not be in the database yet. */
  readonly waits: { readonly open: ReadonlySet<string>; readonly closing: readonly string[] }
}

/** A replay that receives its journal entry by entry. After each entry it stops at the next request, or at the next pause of a long stretch of pure work. */
export interface Replay {
  readonly machine: Machine
  /** Walks to the first requests. */
  begin(): Interruptible<void>
  /** @throws WorkflowError of type `…/errors/runtime` and title `Diverged` when the walk has no request for the entry, or made other decisions. */
  deliver(entry: JournalEntry): Interruptible<void>
  /** Continues past at most `pausesMax` pauses after the last outcome: enough for an execution that ended, and bounded for pure work without end. */
  proceed(pausesMax: number): Interruptible<void>
  /** The result so far. */
  result(): Replayed
}

/**
 * Replays an execution: delivers the outcomes of its journal in the order in which they were written.
 * @throws WorkflowError of type `…/errors/runtime` and title `Diverged` when the walk has no request for an entry, or made other decisions.
 */
export function* replay(workflow: CompiledWorkflow, source: ReplaySource, options: ReplayOptions): Interruptible<Replayed> {
  const walk = createReplay(workflow, source, { ...options, failures: failuresIn(source.entries) })
  yield* walk.begin()
  for (const entry of source.entries) yield* walk.deliver(entry)
  return walk.result()
}

export interface ReplayOptions {
  readonly secrets: JsonObject
  readonly withoutSecrets?: ExecutionInfo['withoutSecrets']
  /** Failures of schemas and expressions are then taken for effects of the erasure. */
  readonly erased?: Erased | undefined
  readonly runtime: JsonObject
  readonly observer?: Observer | undefined
  readonly turn?: Turn | undefined
  /** Failures of computations in the whole journal, by the number of the evaluation. */
  readonly failures?: ReadonlyMap<number, ErrorData> | undefined
  /** Called with the changes of the machine after each entry. */
  readonly onChanges?: (changes: MachineChanges) => void
}

/** Creates a replay at the beginning of an execution, for a journal that is delivered in parts. */
export function createReplay(
  workflow: CompiledWorkflow,
  source: Omit<ReplaySource, 'entries'>,
  { secrets, withoutSecrets, erased, runtime, observer, turn, failures, onChanges }: ReplayOptions,
): Replay {
  const execution = {
    id: source.id,
    definition: workflow.definition,
    input: source.input,
    startedAtMs: source.startedAtMs,
    runtime,
    secrets,
    withoutSecrets,
    nowMs: source.startedAtMs,
  }
  const machine = createMachine(workflow, execution, observer, { turn, failures, erased })
  const abandoned = new Set<string>()
  const children = new Map<string, string>()
  const open = new Set<string>()
  let closing: string[] = []
  let nextSeq = 0
  function takeChanges(): void {
    const changes = machine.changes()
    const { abandoned: left, closed } = changes
    onChanges?.(changes)
    for (const position of left) abandoned.add(position)
    closing = closed.filter((position) => open.delete(position))
  }
  function noteStarted(entry: JournalEntry): void {
    if (entry.kind === 'wait') open.add(entry.position)
    else if (typeof entry.value === 'string') children.set(entry.position, entry.value)
  }
  return {
    machine,
    *begin() {
      yield* settle(machine)
      takeChanges()
    },
    *deliver(entry) {
      nextSeq = entry.seq + 1
      if (entry.kind === COMPUTATION_FAILURE_KIND) return
      if (entry.phase === 'started') noteStarted(entry)
      else {
        children.delete(entry.position)
        if (!abandoned.has(entry.position)) yield* deliver(machine, entry)
      }
      takeChanges()
    },
    *proceed(pausesMax) {
      yield* proceedThroughPauses(machine, pausesMax)
      takeChanges()
    },
    result: () => ({ machine, nextSeq, children, waits: { open, closing } }),
  }
}

function* deliver(machine: Machine, entry: JournalEntry): Interruptible<void> {
  const { decisions, pauses } = splitDecisions(entry)
  yield* proceedThroughPauses(machine, pauses)
  if (machine.pauses !== pauses) throw diverged(entry, 'the walk took fewer pauses before it')
  const pending = machine.pending.get(entry.position)
  if (pending === undefined) throw diverged(entry, 'the walk does not reach this position')
  const requested = kindOf(pending.request)
  if (requested !== entry.kind) throw diverged(entry, `the walk requests "${requested}" where the journal has "${entry.kind}"`)
  if (pending.decisions !== decisions) {
    throw diverged(entry, `the walk decided "${pending.decisions}" where the journal has "${decisions}"`)
  }
  machine.resolve(entry.position, outcomeOf(entry), entry.endedAtMs)
  yield* settle(machine)
}

/** Continues past at most `pausesMax` pauses. @returns how many there were. */
export function* proceedThroughPauses(machine: Machine, pausesMax: number): Interruptible<number> {
  let pauses = 0
  for (; machine.paused && pauses < pausesMax; pauses++) {
    machine.continueAfterPause()
    yield* settle(machine)
  }
  return pauses
}

/** The error of an entry that a walk cannot take. */
export function diverged(entry: JournalEntry, detail: string): WorkflowError {
  return new WorkflowError({
    type: 'https://open-workflow-specification.org/spec/1.0.0/errors/runtime',
    status: 500,
    title: 'Diverged',
    detail: `journal entry ${entry.seq} at ${entry.position}: ${detail}`,
    instance: entry.position,
  })
}
