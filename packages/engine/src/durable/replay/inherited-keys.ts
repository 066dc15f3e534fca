import { isEqual } from '#core/json-equality.ts'
import { WorkflowError } from '#core/error.ts'
import type { EffectRequest } from '#core/request.ts'
import { byName, type Walkable } from './carry-over.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import type { Turn } from '#core/work.ts'
import type { Interruptible } from './interruptible.ts'
import { failuresIn } from '#durable/run/journal-entries.ts'
import { createReplay } from './replay.ts'

type Walked = Walkable & { readonly entries: readonly JournalEntry[] }

/** How much pure work is walked for it, in pauses. */
const PAUSES_MAX = 2_000

/**
 * The keys under which an ended execution asked for effects of which it is not known whether they were done: those that it began and whose outcome is not in
 * its journal. The execution that goes on from it asks for them under the same keys, so that a service that keeps keys does them once. With another input or
 * another version an effect is the same only where its arguments are: a service may refuse a known key with other arguments.
 * @param keyAt the key that the old execution used at a position.
 * @returns keys by the position in the new execution.
 */
export function* inheritedKeys(
  old: Walked,
  fresh: Walked,
  keyAt: (position: string) => string,
  turn?: Turn,
): Interruptible<Readonly<Record<string, string>>> {
  const nameOf = old.workflow === fresh.workflow ? (position: string) => position : byName
  const unknown = new Map<string, EffectRequest | undefined>()
  for (const [position, request] of yield* withoutOutcome(old, turn)) {
    const name = nameOf(position)
    // What looks alike in another version is better asked for anew than mistaken for one another.
    unknown.set(name, unknown.has(name) ? undefined : request)
  }
  if (unknown.size === 0) return {}
  const given = old.workflow === fresh.workflow && isEqual(old.input, fresh.input)
  const keys: Record<string, string> = {}
  for (const [position, request] of yield* withoutOutcome(fresh, turn)) {
    const before = unknown.get(nameOf(position))
    if (before === undefined || before.function !== request.function) continue
    if (given || isEqual(before.arguments, request.arguments)) keys[position] = keyAt(before.position)
  }
  return keys
}

/** Effects that a walk over the journal comes to and that have no outcome there, those included that were abandoned later. */
function* withoutOutcome(
  { id, workflow, input, startedAtMs, secrets, runtime, entries }: Walked,
  turn: Turn | undefined,
): Interruptible<ReadonlyMap<string, EffectRequest>> {
  const asked = new Map<string, EffectRequest>()
  try {
    const walk = createReplay(workflow, { id, input, startedAtMs }, { secrets, runtime, turn, failures: failuresIn(entries) })
    const look = () => {
      for (const [position, { request }] of walk.machine.pending) if (request.kind === 'effect') asked.set(position, request)
    }
    yield* walk.begin()
    look()
    for (const entry of entries) {
      yield* walk.deliver(entry)
      look()
    }
    yield* walk.settle(PAUSES_MAX)
    look()
  } catch (error) {
    // Where the walk comes no further, nothing more is known.
    if (!(error instanceof WorkflowError)) throw error
  }
  for (const { phase, position } of entries) if (phase === 'ended') asked.delete(position)
  return asked
}
