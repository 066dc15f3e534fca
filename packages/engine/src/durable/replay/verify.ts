import { canonicalJson } from '#core/canonical-json.ts'
import { type ErrorData, errorToJson, WorkflowError } from '#core/error.ts'
import type { ExecutionState } from '#core/execution-state.ts'
import type { Json, JsonObject } from '#core/json.ts'
import type { Ending } from '#core/machine.ts'
import type { ReplayableExecution } from './carry-over.ts'
import { type JournalEntry, NOT_STORABLE } from '#durable/ports/journal.ts'
import { DEAD_LETTER } from '#durable/ports/store.ts'
import { TOO_LARGE } from '#durable/run/journal-meter.ts'
import type { Erased, Turn } from '#core/work.ts'
import type { Interruptible } from './interruptible.ts'
import { failuresIn } from '#durable/run/journal-entries.ts'
import { createReplay, diverged, type Replay } from './replay.ts'
import { maskFor } from '#core/secret-mask.ts'

/** An execution as it is stored. */
export interface VerifiableExecution extends ReplayableExecution {
  readonly state: ExecutionState
  readonly entries: readonly JournalEntry[]
  readonly output: Json | undefined
  readonly error: ErrorData | undefined
  /** Choices of the main flow after its last entry. */
  readonly decisions: string
  /** Whether data of a person was erased in it. */
  readonly isErased?: boolean | undefined
}

/** A difference between the replay and the stored execution. */
export interface Difference {
  /** `journal`: the replay diverged from an entry; the others: the replay ended with another value. */
  readonly part: 'journal' | 'state' | 'output' | 'error' | 'decisions'
  readonly detail: string
  readonly recorded?: Json | undefined
  readonly walked?: Json | undefined
}

export interface Verdict {
  /** How many entries the journal has. */
  readonly entries: number
  /** The first difference; undefined if the replay matches. */
  readonly difference: Difference | undefined
}

/** Titles of faults with which the engine itself ends an execution. A replay cannot reproduce them. */
const ENGINE_FAULTS: ReadonlySet<string> = new Set([DEAD_LETTER, 'Diverged', TOO_LARGE, NOT_STORABLE])

/** Bounds the walk after the last entry, in pauses: ten million tasks. */
const PAUSES_MAX = 10_000

/**
 * Replays an execution with the outcomes of its journal in place of effects, and compares the end with the stored one. The walk is a pure
 * function of definition, input and journal, so without a difference the stored output follows from them.
 */
export function* verify(record: VerifiableExecution, turn?: Turn): Interruptible<Verdict> {
  const verdict = yield* compare(record, undefined, turn)
  if (verdict.difference === undefined || record.isErased !== true) return verdict
  // Marks fit no format and give no number: what fails by them alone is no difference. A changed record still is one.
  const forgiving = yield* compare(record, { failedAt: record.error?.instance }, turn)
  return forgiving.difference === undefined ? forgiving : verdict
}

function* compare(record: VerifiableExecution, erased: Erased | undefined, turn: Turn | undefined): Interruptible<Verdict> {
  const { entries, workflow, secrets, runtime, id, input, startedAtMs } = record
  try {
    const walk = createReplay(workflow, { id, input, startedAtMs }, { secrets, runtime, turn, erased, failures: failuresIn(entries) })
    yield* walk.begin()
    for (const entry of entries) yield* delivered(walk, entry)
    if (hasComparableEnd(record)) yield* walk.proceed(PAUSES_MAX)
    const { machine } = walk
    return { entries: entries.length, difference: differenceAtEnd(record, maskedEnding(machine.ending, record.secrets)) }
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error
    return { entries: entries.length, difference: { part: 'journal', detail: error.data.detail ?? error.data.title } }
  }
}

/** Delivers an entry. No engine writes one whose value breaks its task: it was changed, as one that the walk does not reach. */
function* delivered(walk: Replay, entry: JournalEntry): Interruptible<void> {
  try {
    yield* walk.deliver(entry)
  } catch (error) {
    throw error instanceof WorkflowError ? error : diverged(entry, `its task cannot have this value: ${String(error)}`)
  }
}

/** Masks secrets as the recorder does before it stores an end. */
function maskedEnding(ending: Ending | undefined, secrets: JsonObject): Ending | undefined {
  const mask = maskFor(secrets)
  if (mask === undefined || ending === undefined) return ending
  return ending.ok ? { ...ending, output: mask.json(ending.output) } : { ...ending, error: mask.error(ending.error) }
}

function differenceAtEnd(record: VerifiableExecution, ending: Ending | undefined): Difference | undefined {
  const { state, error } = record
  if (!hasComparableEnd(record)) {
    if (record.output === undefined) return undefined
    return { part: 'output', detail: `it is ${state} on record, and has an output`, recorded: record.output }
  }
  if (ending === undefined) return { part: 'state', detail: `it is ${state} on record, and the walk has not reached its end` }
  const walked = ending.ok ? 'completed' : 'faulted'
  if (walked !== state) return { part: 'state', detail: `it is ${state} on record, and the walk ends ${walked}` }
  if (ending.ok ? error !== undefined : record.output !== undefined) {
    return {
      part: ending.ok ? 'error' : 'output',
      detail: `it is ${state} on record, and has an ${ending.ok ? 'error' : 'output'}`,
      recorded: ending.ok ? jsonOf(error) : record.output,
    }
  }
  if (ending.ok && !isSameJson(ending.output, record.output ?? null)) {
    return { part: 'output', detail: 'the walk gives another output', recorded: record.output, walked: ending.output }
  }
  if (!ending.ok && !isSameJson(jsonOf(ending.error), jsonOf(error))) {
    return { part: 'error', detail: 'the walk gives another error', recorded: jsonOf(error), walked: jsonOf(ending.error) }
  }
  if (ending.decisions !== record.decisions) {
    return {
      part: 'decisions',
      detail: 'the walk made other decisions after the last entry',
      recorded: record.decisions,
      walked: ending.decisions,
    }
  }
  return undefined
}

/** Whether a replay can reproduce the end: not that of a cancellation or of a fault by the engine, and an open execution has no end yet. */
function hasComparableEnd({ state, error }: VerifiableExecution): boolean {
  return state === 'completed' || (state === 'faulted' && (error === undefined || !ENGINE_FAULTS.has(error.title)))
}

/** Compares the stored text, in which values that JSON cannot distinguish are equal. */
function isSameJson(left: Json | undefined, right: Json | undefined): boolean {
  return left === undefined || right === undefined ? left === right : canonicalJson(left) === canonicalJson(right)
}

function jsonOf(error: ErrorData | undefined): Json | undefined {
  return error === undefined ? undefined : errorToJson(error)
}
