import { isEqual } from '#core/json-equality.ts'
import { WorkflowError } from '#core/error.ts'
import type { Json, JsonObject } from '#core/json.ts'
import { errorFromMessage } from '#core/error-message.ts'
import { createMachine } from '#core/machine.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { MessageRequest, Request } from '#core/request.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import type { Turn } from '#core/work.ts'
import { type Interruptible, settle } from './interruptible.ts'
import { COMPUTATION, decisionsBefore, failuresIn, kindOf, outcomeOf } from '#durable/run/journal-entries.ts'
import { createReplay, settlePauses } from './replay.ts'

export interface Walkable {
  readonly id: string
  readonly workflow: CompiledWorkflow
  readonly input: Json
  readonly startedAtMs: number
  readonly secrets: JsonObject
  readonly runtime: JsonObject
}

/** How much pure work is walked for it, in pauses: pure work without end does not hold up whoever wants an execution to go on. */
const PAUSES_MAX = 2_000

/**
 * The journal with which a new execution goes on from where an ended one failed: whatever that one has done and the new one comes to again, but for what failed last.
 * The new walk may have another input or another version of the definition; a task is the same when its name and those around it are, and what it does. Arguments are not compared: what has
 * been done is not done again. Only an answer that somebody gave to a question (an approval) counts for that question and no other.
 */
export function* carryOver(
  old: Walkable & { readonly entries: readonly JournalEntry[] },
  fresh: Walkable,
  turn?: Turn,
): Interruptible<readonly JournalEntry[]> {
  const same = old.workflow === fresh.workflow
  const fatal = yield* fatalEntry(old, turn)
  const questions = yield* questionsOf(old, turn)
  const keyOf = same ? (position: string) => position : byName
  const done = new Map<string, JournalEntry>()
  const ambiguous = new Set<string>()
  for (const entry of old.entries) {
    if (entry.phase !== 'ended' || entry.kind === COMPUTATION || entry === fatal) continue
    const key = keyOf(entry.position)
    if (done.has(key)) ambiguous.add(key)
    done.set(key, entry)
  }
  // A task called "a~1" and the second visit of one called "a" look alike: better done again than mistaken for one another.
  for (const key of ambiguous) done.delete(key)
  const { id, workflow, input, startedAtMs, secrets, runtime } = fresh
  const execution = { id, definition: workflow.definition, input, startedAtMs, runtime, secrets, nowMs: startedAtMs }
  const machine = createMachine(workflow, execution, undefined, { turn })
  yield* settle(machine)
  const carried: JournalEntry[] = []
  for (let pausesLeft = PAUSES_MAX; done.size > 0; ) {
    pausesLeft -= yield* settlePauses(machine, pausesLeft)
    let next: { readonly entry: JournalEntry; readonly position: string; readonly decisions: string } | undefined
    for (const [position, pending] of machine.pending) {
      const entry = done.get(keyOf(position))
      // In the order in which it was done, so that what competes comes to the same end.
      if (entry === undefined || entry.kind !== kindOf(pending.request) || !questions.fit(entry, pending.request)) continue
      if (next !== undefined && entry.seq > next.entry.seq) continue
      next = { entry, position, decisions: decisionsBefore(pending, machine) }
    }
    if (next === undefined) break
    const { entry, position, decisions } = next
    done.delete(keyOf(position))
    carried.push({ ...entry, seq: carried.length, position, decisions })
    machine.resolve(position, outcomeOf(entry), entry.endedAtMs)
    yield* settle(machine)
  }
  return carried
}

/** What people were asked whose answers are in the journal. */
function* questionsOf(
  { id, workflow, input, startedAtMs, secrets, runtime, entries }: Parameters<typeof carryOver>[0],
  turn: Turn | undefined,
): Interruptible<{ fit(entry: JournalEntry, request: Request): boolean }> {
  const asked = new Map<JournalEntry, Json>()
  const answers = entries.some(({ kind, phase }) => kind === 'message' && phase === 'ended')
  if (answers) {
    try {
      const walk = createReplay(workflow, { id, input, startedAtMs }, { secrets, runtime, turn, failures: failuresIn(entries) })
      yield* walk.begin()
      for (const entry of entries) {
        const request = walk.machine.pending.get(entry.position)?.request
        if (request !== undefined && isQuestion(request)) asked.set(entry, request.wait.arguments)
        yield* walk.deliver(entry)
      }
    } catch (error) {
      // Where the walk does not come to, no question is known, and whoever goes on asks anew.
      if (!(error instanceof WorkflowError)) throw error
    }
  }
  return {
    fit(entry: JournalEntry, request: Request): boolean {
      if (!isQuestion(request)) return true
      const before = asked.get(entry)
      return before !== undefined && isEqual(before, request.wait.arguments)
    },
  }
}

function isQuestion(request: Request): request is MessageRequest {
  return request.kind === 'message' && request.wait.topic !== 'events'
}

/** The entry whose outcome ended the execution with a fault: what failed, or the timeout that it was too late for. */
function* fatalEntry(
  { id, workflow, input, startedAtMs, secrets, runtime, entries }: Parameters<typeof carryOver>[0],
  turn: Turn | undefined,
): Interruptible<JournalEntry | undefined> {
  const last = entries.at(-1)
  if (last === undefined || last.phase !== 'ended' || (last.ok && !isTimeout(last) && !raises(last))) return undefined
  try {
    const walk = createReplay(workflow, { id, input, startedAtMs }, { secrets, runtime, turn, failures: failuresIn(entries) })
    yield* walk.begin()
    for (const entry of entries) yield* walk.deliver(entry)
    yield* walk.settle(PAUSES_MAX)
    const { machine } = walk
    return machine.ending?.ok === false ? last : undefined
  } catch (error) {
    if (error instanceof WorkflowError) return last.ok ? undefined : last
    throw error
  }
}

/** A message that makes its task fail: whoever retries is asked anew. */
function raises({ kind, value }: JournalEntry): boolean {
  return kind === 'message' && errorFromMessage(value) !== undefined
}

function isTimeout({ kind, position }: JournalEntry): boolean {
  return kind === 'timer' && position.endsWith('/timeout')
}

/** A position without the indices of its lists, which differ where a version has tasks more or less. */
export function byName(position: string): string {
  return position.replaceAll(/\/(do|try|branches|before|after|function)\/\d+\//g, '/$1/')
}
