import { canonicalJson } from '#core/canonical-json.ts'
import { type ErrorData, errorToJson, WorkflowError } from '#core/error.ts'
import type { ExecutionState } from '#core/execution-state.ts'
import type { Json, JsonObject } from '#core/json.ts'
import type { Ending } from '#core/machine.ts'
import type { Walkable } from './carry-over.ts'
import { type JournalEntry, NOT_STORABLE } from '#durable/ports/journal.ts'
import { TOO_LARGE } from '#durable/run/journal-meter.ts'
import type { Turn } from '#core/work.ts'
import type { Interruptible } from './interruptible.ts'
import { failuresIn } from '#durable/run/journal-entries.ts'
import { createReplay } from './replay.ts'
import { maskFor } from '#core/secret-mask.ts'

/** What is on record of an execution. */
export interface VerifiableExecution extends Walkable {
  readonly state: ExecutionState
  readonly entries: readonly JournalEntry[]
  readonly output: Json | undefined
  readonly error: ErrorData | undefined
  /** Choices of the main flow after its last entry. */
  readonly decisions: string
}

/** Where a walk over the journal comes to something else than what is on record. */
export interface Difference {
  /** `journal` for the way, `state`, `output`, `error` or `decisions` for the end. */
  readonly part: 'journal' | 'state' | 'output' | 'error' | 'decisions'
  readonly detail: string
  readonly recorded?: Json | undefined
  readonly walked?: Json | undefined
}

export interface Verdict {
  /** How many outcomes of the journal the walk was given. */
  readonly entries: number
  /** The first difference; undefined when there is none. */
  readonly difference: Difference | undefined
}

/** Faults that the engine itself ends an execution with, to which no walk comes. */
const OWN_FAULTS: ReadonlySet<string> = new Set(['Given up', 'Diverged', TOO_LARGE, NOT_STORABLE])

/** So far a walk goes on after the last entry, in pauses: ten million tasks. */
const PAUSES_MAX = 10_000

/**
 * Walks an execution again with every effect replaced by what the journal says of it. The walk is a pure function of definition, input and
 * journal, so without a difference the output on record follows from them.
 */
export function* verify(record: VerifiableExecution, turn?: Turn): Interruptible<Verdict> {
  const { entries, workflow, secrets, runtime, id, input, startedAtMs } = record
  try {
    const walk = createReplay(workflow, { id, input, startedAtMs }, { secrets, runtime, turn, failures: failuresIn(entries) })
    yield* walk.begin()
    for (const entry of entries) yield* walk.deliver(entry)
    if (hasWalkedEnd(record)) yield* walk.settle(PAUSES_MAX)
    const { machine } = walk
    return { entries: entries.length, difference: differenceAtEnd(record, maskedEnding(machine.ending, record.secrets)) }
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error
    return { entries: entries.length, difference: { part: 'journal', detail: error.data.detail ?? error.data.title } }
  }
}

/** What is on record holds no secrets. */
function maskedEnding(ending: Ending | undefined, secrets: JsonObject): Ending | undefined {
  const mask = maskFor(secrets)
  if (mask === undefined || ending === undefined) return ending
  return ending.ok ? { ...ending, output: mask.json(ending.output) } : { ...ending, error: mask.error(ending.error) }
}

function differenceAtEnd(record: VerifiableExecution, ending: Ending | undefined): Difference | undefined {
  const { state, error } = record
  if (!hasWalkedEnd(record)) return undefined
  if (ending === undefined) return { part: 'state', detail: `it is ${state} on record, and the walk has not come to its end` }
  const walked = ending.ok ? 'completed' : 'faulted'
  if (walked !== state) return { part: 'state', detail: `it is ${state} on record, and the walk comes to ${walked}` }
  if (ending.ok ? error !== undefined : record.output !== undefined) {
    return {
      part: ending.ok ? 'error' : 'output',
      detail: `it is ${state} on record, and has one`,
      recorded: ending.ok ? plain(error) : record.output,
    }
  }
  if (ending.ok && !same(ending.output, record.output ?? null)) {
    return { part: 'output', detail: 'the walk gives another output', recorded: record.output, walked: ending.output }
  }
  if (!ending.ok && !same(plain(ending.error), plain(error))) {
    return { part: 'error', detail: 'the walk gives another error', recorded: plain(error), walked: plain(ending.error) }
  }
  if (ending.decisions !== record.decisions) {
    return {
      part: 'decisions',
      detail: 'the walk decides otherwise after its last entry',
      recorded: record.decisions,
      walked: ending.decisions,
    }
  }
  return undefined
}

/** Whoever was cancelled or given up has no end to be compared; whoever goes on has none yet. */
function hasWalkedEnd({ state, error }: VerifiableExecution): boolean {
  return state === 'completed' || (state === 'faulted' && (error === undefined || !OWN_FAULTS.has(error.title)))
}

/** By their text as it is stored, in which values that JSON cannot distinguish are equal. */
function same(one: Json | undefined, other: Json | undefined): boolean {
  return one === undefined || other === undefined ? one === other : canonicalJson(one) === canonicalJson(other)
}

function plain(error: ErrorData | undefined): Json | undefined {
  return error === undefined ? undefined : errorToJson(error)
}
