import { errorFromJson, errorToJson, WorkflowError } from '#core/error.ts'
import { isObject, type Json, type JsonObject } from '#core/json.ts'
import { createMachine, type Machine } from '#core/machine.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { Observer } from '#core/observer.ts'
import type { Outcome } from '#core/request.ts'
import type { JournalEntry } from './ports.ts'

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

/** A walk over a journal, entry by entry. */
export interface Replay {
  readonly machine: Machine
  /** @throws WorkflowError of type `…/errors/runtime` and title `Diverged` when the walk does not meet the entry, or decides otherwise. */
  deliver(entry: JournalEntry): void
  /** How things stand after what was delivered. */
  result(): Replayed
}

/**
 * Walks an execution again over its journal: every outcome is delivered in the order in which it was journalled.
 * @throws WorkflowError of type `…/errors/runtime` and title `Diverged` when the walk does not meet an entry, or decides otherwise.
 */
export function replay(
  workflow: CompiledWorkflow,
  source: ReplaySource,
  secrets: JsonObject,
  runtime: JsonObject,
  observer?: Observer,
): Replayed {
  const walk = createReplay(workflow, source, secrets, runtime, observer)
  for (const entry of source.entries) walk.deliver(entry)
  return walk.result()
}

/** Sets a walk up at the beginning of an execution, for a journal that comes bit by bit. */
export function createReplay(
  workflow: CompiledWorkflow,
  source: Omit<ReplaySource, 'entries'>,
  secrets: JsonObject,
  runtime: JsonObject,
  observer?: Observer,
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
  const machine = createMachine(workflow, execution, observer)
  const abandoned = new Set<string>()
  const children = new Map<string, string>()
  const open = new Set<string>()
  let closing: string[] = []
  let nextSeq = 0
  function look(): void {
    settlePauses(machine)
    const { abandoned: left, closed } = machine.changes()
    for (const position of left) abandoned.add(position)
    closing = closed.filter((position) => open.delete(position))
  }
  function note(entry: JournalEntry): void {
    if (entry.kind === 'wait') open.add(entry.position)
    else if (typeof entry.value === 'string') children.set(entry.position, entry.value)
  }
  look()
  return {
    machine,
    deliver(entry) {
      nextSeq = entry.seq + 1
      if (entry.phase === 'started') note(entry)
      else {
        children.delete(entry.position)
        if (!abandoned.has(entry.position)) deliver(machine, entry)
      }
      look()
    },
    result: () => ({ machine, nextSeq, children, waits: { open, closing } }),
  }
}

function deliver(machine: Machine, entry: JournalEntry): void {
  const waiting = machine.pending.get(entry.position)
  if (waiting === undefined) throw diverged(entry, 'the walk does not come to this position')
  if (waiting.decisions !== entry.decisions) {
    throw diverged(entry, `the walk decided "${waiting.decisions}" where the journal has "${entry.decisions}"`)
  }
  machine.deliver(entry.position, outcomeOf(entry), entry.endedAtMs)
}

export function settlePauses(machine: Machine): void {
  while (machine.paused) machine.proceed()
}

/** What the journal keeps of an outcome; `outcomeOf` reads it. */
export function valueOfOutcome(outcome: Outcome): Json {
  if (outcome.ok) return outcome.value
  const error = errorToJson(outcome.error)
  return outcome.retryAfterMs === undefined || !isObject(error) ? error : { ...error, retryAfterMs: outcome.retryAfterMs }
}

/** What an `ended` entry says came of its request. */
export function outcomeOf(entry: JournalEntry): Outcome {
  if (entry.ok) return { ok: true, value: entry.value }
  const { retryAfterMs } = isObject(entry.value) ? entry.value : {}
  return { ok: false, error: errorFromJson(entry.value), ...(typeof retryAfterMs === 'number' ? { retryAfterMs } : {}) }
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
