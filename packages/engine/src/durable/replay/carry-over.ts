import { isEqual } from '#core/json-equality.ts'
import { WorkflowError } from '#core/error.ts'
import type { Json, JsonObject } from '#core/json.ts'
import { errorFromMessage } from '#core/error-message.ts'
import { createMachine } from '#core/machine.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { MessageRequest, Request } from '#core/request.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import type { Turn } from '#core/work.ts'
import { createFaultTrace } from './fault-trace.ts'
import { type Interruptible, settle } from './interruptible.ts'
import { positionsWithoutTry } from './enclosing-try.ts'
import { COMPUTATION_FAILURE_KIND, decisionsBefore, failuresIn, kindOf, outcomeOf } from '#durable/run/journal-entries.ts'
import { createReplay, proceedThroughPauses } from './replay.ts'

/** What a replay needs beside the journal. */
export interface ReplayableExecution {
  readonly id: string
  readonly workflow: CompiledWorkflow
  readonly input: Json
  readonly startedAtMs: number
  readonly secrets: JsonObject
  readonly runtime: JsonObject
}

/** Bounds the pure work of one walk, in pauses: a definition that computes without end must not block a retry. */
const PAUSES_MAX = 2_000

/** A journal with which a retry can begin. */
interface CarriedOver {
  readonly entries: readonly JournalEntry[]
  /** Whether the retry fails before it performs anything, as the ended execution did. */
  readonly fails: boolean
}

/**
 * Computes the journal with which a retry begins: every outcome of the ended execution that the retry requests again, except for the failure that ended it.
 * If a task in a `catch` raised the error that ended it, the failure is in the `try` of that `catch`: its attempts and the outcomes of its
 * `catch` are not taken over.
 * The retry may have another input or another version of the definition. A request is the same if the names of its task and of the tasks around it are the
 * same, and its kind. A `try` that was put around one task since does not count: it is how a task that failed gets a retry policy. Arguments are not
 * compared: an effect that was performed is not repeated. A decision on an approval is taken over only for the same question.
 */
export function* carryOver(
  ended: ReplayableExecution & { readonly entries: readonly JournalEntry[] },
  retry: ReplayableExecution,
  turn?: Turn,
): Interruptible<readonly JournalEntry[]> {
  const { fatal, tries } = yield* findFailure(ended, turn)
  const questions = yield* answeredQuestions(ended, turn)
  const isDropped = (entry: JournalEntry) => entry === fatal
  const [innermost, ...outer] = tries
  if (innermost === undefined) return (yield* carry(ended, retry, { isDropped, questions, turn })).entries
  const beginAgain = (base: string) =>
    carry(ended, retry, { isDropped: ({ position }: JournalEntry) => isInside(position, base), questions, turn })
  let carried = yield* beginAgain(innermost)
  // A `try` that only computes would fail as before: then the one around it begins again.
  for (const base of outer) if (carried.fails) carried = yield* beginAgain(base)
  return carried.entries
}

interface Carrying {
  readonly isDropped: (entry: JournalEntry) => boolean
  readonly questions: Questions
  readonly turn: Turn | undefined
}

function* carry(
  ended: Parameters<typeof carryOver>[0],
  retry: ReplayableExecution,
  { isDropped, questions, turn }: Carrying,
): Interruptible<CarriedOver> {
  const isOtherVersion = ended.workflow !== retry.workflow
  const keyOf = isOtherVersion ? withoutIndices : (position: string) => position
  const outcomes = outcomesByKey(ended.entries, isDropped, keyOf)
  const keyAt = (position: string) => {
    const key = keyOf(position)
    if (!isOtherVersion || outcomes.has(key)) return key
    const before = positionsWithoutTry(workflow.definition, position).map(keyOf)
    return before.find((one) => outcomes.get(one)?.ok === true) ?? key
  }
  const { id, workflow, input, startedAtMs, secrets, runtime } = retry
  const execution = { id, definition: workflow.definition, input, startedAtMs, runtime, secrets, nowMs: startedAtMs }
  const machine = createMachine(workflow, execution, undefined, { turn })
  yield* settle(machine)
  const carried: JournalEntry[] = []
  for (let pausesLeft = PAUSES_MAX; outcomes.size > 0; ) {
    pausesLeft -= yield* proceedThroughPauses(machine, pausesLeft)
    let next: { readonly entry: JournalEntry; readonly key: string; readonly position: string; readonly decisions: string } | undefined
    for (const [position, pending] of machine.pending) {
      const key = keyAt(position)
      const entry = outcomes.get(key)
      // In the order of the old journal, so that competing branches finish in the same order.
      if (entry === undefined || entry.kind !== kindOf(pending.request) || !questions.isSame(entry, pending.request)) continue
      if (next !== undefined && entry.seq > next.entry.seq) continue
      next = { entry, key, position, decisions: decisionsBefore(pending, machine) }
    }
    if (next === undefined) break
    const { entry, key, position, decisions } = next
    outcomes.delete(key)
    carried.push({ ...entry, seq: carried.length, position, decisions })
    machine.resolve(position, outcomeOf(entry), entry.endedAtMs)
    yield* settle(machine)
  }
  return { entries: carried, fails: machine.ending?.ok === false }
}

function outcomesByKey(
  entries: readonly JournalEntry[],
  isDropped: (entry: JournalEntry) => boolean,
  keyOf: (position: string) => string,
): Map<string, JournalEntry> {
  const outcomes = new Map<string, JournalEntry>()
  const ambiguous = new Set<string>()
  for (const entry of entries) {
    if (entry.phase !== 'ended' || entry.kind === COMPUTATION_FAILURE_KIND || isDropped(entry)) continue
    const key = keyOf(entry.position)
    if (outcomes.has(key)) ambiguous.add(key)
    outcomes.set(key, entry)
  }
  // A task named "a~1" and the second visit of a task named "a" have the same key. Neither is taken over: a repetition is safer than a wrong outcome.
  for (const key of ambiguous) outcomes.delete(key)
  return outcomes
}

interface Questions {
  isSame(entry: JournalEntry, request: Request): boolean
}

/** Finds the questions of which the journal has answers, by replay. */
function* answeredQuestions(
  { id, workflow, input, startedAtMs, secrets, runtime, entries }: Parameters<typeof carryOver>[0],
  turn: Turn | undefined,
): Interruptible<Questions> {
  const argumentsByAnswer = new Map<JournalEntry, Json>()
  const answers = entries.some(({ kind, phase }) => kind === 'message' && phase === 'ended')
  if (answers) {
    try {
      const walk = createReplay(workflow, { id, input, startedAtMs }, { secrets, runtime, turn, failures: failuresIn(entries) })
      yield* walk.begin()
      for (const entry of entries) {
        const request = walk.machine.pending.get(entry.position)?.request
        if (request !== undefined && isQuestion(request)) argumentsByAnswer.set(entry, request.wait.arguments)
        yield* walk.deliver(entry)
      }
    } catch (error) {
      // The replay diverged. The questions after this entry are not known, so the retry asks them again.
      if (!(error instanceof WorkflowError)) throw error
    }
  }
  return {
    isSame(entry: JournalEntry, request: Request): boolean {
      if (!isQuestion(request)) return true
      const before = argumentsByAnswer.get(entry)
      return before !== undefined && isEqual(before, request.wait.arguments)
    },
  }
}

function isQuestion(request: Request): request is MessageRequest {
  return request.kind === 'message' && request.wait.topic !== 'events'
}

interface Failure {
  /** The entry whose outcome ended the execution with a fault: a failure, or the timer of a timeout. */
  readonly fatal?: JournalEntry | undefined
  /** Positions of the tasks `try` to begin again, inside out: a task in their `catch` raised the error, without an entry of its own. */
  readonly tries: readonly string[]
}

/** Finds what ended the execution with a fault, by replay. */
function* findFailure(
  { id, workflow, input, startedAtMs, secrets, runtime, entries }: Parameters<typeof carryOver>[0],
  turn: Turn | undefined,
): Interruptible<Failure> {
  const last = entries.at(-1)
  const fatal = last !== undefined && last.phase === 'ended' && (!last.ok || isTimeout(last) || carriesError(last)) ? last : undefined
  const trace = createFaultTrace()
  try {
    const failures = failuresIn(entries)
    const walk = createReplay(workflow, { id, input, startedAtMs }, { secrets, runtime, observer: trace, turn, failures })
    yield* walk.begin()
    for (const entry of entries) yield* walk.deliver(entry)
    yield* walk.proceed(PAUSES_MAX)
    if (walk.machine.ending?.ok !== false) return { tries: [] }
    const [origin] = trace.chain()
    if (fatal !== undefined && (origin === undefined || isInside(fatal.position, origin))) return { fatal, tries: [] }
    return { fatal, tries: trace.enteredTries() }
  } catch (error) {
    if (error instanceof WorkflowError) return { fatal: last?.ok === false ? fatal : undefined, tries: [] }
    throw error
  }
}

function isInside(position: string, base: string): boolean {
  return position === base || position.startsWith(`${base}/`) || position.startsWith(`${base}!`)
}

/** Whether an entry is a message that made its task fail: a retry waits for a new message. */
function carriesError({ kind, value }: JournalEntry): boolean {
  return kind === 'message' && errorFromMessage(value) !== undefined
}

function isTimeout({ kind, position }: JournalEntry): boolean {
  return kind === 'timer' && position.endsWith('/timeout')
}

/** A position without list indices: another version of the definition may have more or fewer tasks before this one. */
export function withoutIndices(position: string): string {
  return position.replaceAll(/\/(do|try|branches|before|after|function)\/\d+\//g, '/$1/')
}
