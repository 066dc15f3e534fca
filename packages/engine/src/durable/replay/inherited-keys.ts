import { isEqual } from '#core/json-equality.ts'
import { WorkflowError } from '#core/error.ts'
import type { EffectRequest } from '#core/request.ts'
import { withoutIndices, type ReplayableExecution } from './carry-over.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import type { Turn } from '#core/work.ts'
import type { Interruptible } from './interruptible.ts'
import { failuresIn } from '#durable/run/journal-entries.ts'
import { createReplay } from './replay.ts'

type JournalledExecution = ReplayableExecution & { readonly entries: readonly JournalEntry[] }

/** Bounds the pure work of one walk, in pauses. */
const PAUSES_MAX = 2_000

/**
 * Finds the idempotency keys that a retry takes over from the ended execution: those of effects that were started and have no outcome in the journal. The
 * retry uses the same keys, so that a service that recognises them performs each effect once. With another input or version a key is taken over
 * only if the arguments of the effect are equal, because a service may refuse a known key with other arguments.
 * @param keyAt the key that the ended execution used at a position.
 * @returns keys by the position in the retry.
 */
export function* inheritedKeys(
  ended: JournalledExecution,
  retry: JournalledExecution,
  keyAt: (position: string) => string,
  turn?: Turn,
): Interruptible<Readonly<Record<string, string>>> {
  const nameOf = ended.workflow === retry.workflow ? (position: string) => position : withoutIndices
  const uncertain = new Map<string, EffectRequest | undefined>()
  for (const [position, request] of yield* effectsWithoutOutcome(ended, turn)) {
    const name = nameOf(position)
    // Several effects have this name. None of their keys is taken over: a new key is safer than the key of another effect.
    uncertain.set(name, uncertain.has(name) ? undefined : request)
  }
  if (uncertain.size === 0) return {}
  const hasSameInput = ended.workflow === retry.workflow && isEqual(ended.input, retry.input)
  const keys: Record<string, string> = {}
  for (const [position, request] of yield* effectsWithoutOutcome(retry, turn)) {
    const before = uncertain.get(nameOf(position))
    if (before === undefined || before.function !== request.function) continue
    if (hasSameInput || isEqual(before.arguments, request.arguments)) keys[position] = keyAt(before.position)
  }
  return keys
}

/** Replays the journal and collects the requested effects that have no outcome in it. Effects that were abandoned later are included. */
function* effectsWithoutOutcome(
  { id, workflow, input, startedAtMs, secrets, runtime, entries }: JournalledExecution,
  turn: Turn | undefined,
): Interruptible<ReadonlyMap<string, EffectRequest>> {
  const effects = new Map<string, EffectRequest>()
  try {
    const walk = createReplay(workflow, { id, input, startedAtMs }, { secrets, runtime, turn, failures: failuresIn(entries) })
    const collect = () => {
      for (const [position, { request }] of walk.machine.pending) if (request.kind === 'effect') effects.set(position, request)
    }
    yield* walk.begin()
    collect()
    for (const entry of entries) {
      yield* walk.deliver(entry)
      collect()
    }
    yield* walk.proceed(PAUSES_MAX)
    collect()
  } catch (error) {
    // The replay diverged: later effects are not known.
    if (!(error instanceof WorkflowError)) throw error
  }
  for (const { phase, position } of entries) if (phase === 'ended') effects.delete(position)
  return effects
}
