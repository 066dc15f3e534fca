import { isEqual } from '#compile/event-filter.ts'
import type { JsonObject } from '#core/json.ts'
import type { Evaluate } from './evaluate.ts'
import { keyOf } from './key.ts'
import type { StoredEvent, StoredListener } from './stored.ts'

/** What the first event has decided for a listener. */
export interface Settled {
  readonly expected: JsonObject
  readonly openNames: readonly string[]
  /** Undefined while names are open. */
  readonly key: string | undefined
}

/** An event on its way to a listener. */
export interface Handed {
  readonly event: StoredEvent
  readonly listener: StoredListener
}

/** Listeners of one pass, in memory, as what is handed to them leaves them. */
export interface Board {
  add(listeners: readonly StoredListener[]): void
  /** Gives an event to everybody among `candidates` who wants it. @returns whether anybody did. */
  give(event: StoredEvent, candidates: readonly StoredListener[]): boolean
  /** Gives an event to the first execution among `candidates` that wants it. */
  giveFirst(event: StoredEvent, candidates: readonly StoredListener[]): boolean
  /** A listener had an event before it came here, whatever it wants by now. */
  had(event: StoredEvent, listener: StoredListener): void
  waits(listener: StoredListener): boolean
  /** Those of some listeners that still wait, as what was handed to them leaves them. */
  left<L extends StoredListener>(listeners: readonly L[]): readonly L[]
  readonly handed: readonly Handed[]
  /** Ids of listeners that got their one event; where the whole wait did, those of all its listeners that are known here. */
  readonly ended: ReadonlySet<string>
  readonly settled: ReadonlyMap<string, Settled>
}

interface Standing extends Settled {
  readonly listener: StoredListener
}

export function createBoard(evaluate: Evaluate): Board {
  const standing = new Map<string, Standing>()
  const groups = new Map<string, Set<string>>()
  const ended = new Set<string>()
  const settled = new Map<string, Settled>()
  const handed: Handed[] = []

  function end(id: string): void {
    standing.delete(id)
    settled.delete(id)
    ended.add(id)
  }

  function others(listener: StoredListener): readonly string[] {
    return [...(groups.get(groupOf(listener)) ?? [])]
  }

  /** @returns whether the listener wants the event; if it does, it has it. */
  function hand(event: StoredEvent, listener: StoredListener): boolean {
    const now = standing.get(listener.id)
    const values = now === undefined ? undefined : evaluate(event, listener, listener.scope)
    if (now === undefined || values === undefined || !fits(values, now.expected)) return false
    handed.push({ event, listener })
    take(now, values)
    return true
  }

  function take({ listener, openNames }: Standing, values: JsonObject): void {
    if (listener.takes === 'one') for (const id of others(listener)) end(id)
    else {
      if (openNames.length > 0) settle(listener, values)
      if (listener.takes === 'each') end(listener.id)
    }
  }

  /** What the first event says of a correlation is what the others have to say. */
  function settle(listener: StoredListener, values: JsonObject): void {
    for (const id of others(listener)) {
      const before = standing.get(id)
      if (before === undefined) continue
      const decided = before.openNames.filter((name) => Object.hasOwn(values, name))
      if (decided.length === 0) continue
      const expected = { ...before.expected, ...Object.fromEntries(decided.map((name) => [name, values[name] ?? null])) }
      const openNames = before.openNames.filter((name) => !decided.includes(name))
      const after = { expected, openNames, key: openNames.length === 0 ? keyOf(expected) : undefined }
      standing.set(id, { ...after, listener: before.listener })
      settled.set(id, after)
    }
  }

  function giveTo(event: StoredEvent, candidates: readonly StoredListener[]): boolean {
    // A wait that goes on is given an event once, however many of its filters it passes.
    const had = new Set<string>()
    for (const listener of candidates) {
      const consumes = listener.takes === 'many' && listener.role === 'event'
      if (consumes && had.has(groupOf(listener))) continue
      if (hand(event, listener) && consumes) had.add(groupOf(listener))
    }
    return handed.at(-1)?.event === event
  }

  return {
    add(listeners) {
      for (const listener of listeners) {
        if (standing.has(listener.id) || ended.has(listener.id)) continue
        standing.set(listener.id, { ...listener, listener })
        const group = groups.get(groupOf(listener))
        if (group === undefined) groups.set(groupOf(listener), new Set([listener.id]))
        else group.add(listener.id)
      }
    },
    give: giveTo,
    giveFirst(event, candidates) {
      const byWait = Map.groupBy(candidates, groupOf)
      for (const listeners of byWait.values()) if (giveTo(event, listeners)) return true
      return false
    },
    had(event, listener) {
      const now = standing.get(listener.id)
      if (now !== undefined) take(now, evaluate(event, listener, listener.scope) ?? {})
    },
    waits: ({ id }) => standing.has(id),
    left: (listeners) => listeners.filter(({ id }) => !ended.has(id)).map((one) => ({ ...one, ...settled.get(one.id) })),
    handed,
    ended,
    settled,
  }
}

/** All that waits at one position of one execution. */
export function groupOf({ executionId, position }: Pick<StoredListener, 'executionId' | 'position'>): string {
  return `${executionId} ${position}`
}

/** What a wait for events is given. */
export function messageOf({ listener: { role, index }, event: { event } }: Handed): JsonObject {
  return { role, index, event }
}

function fits(values: JsonObject, expected: JsonObject): boolean {
  return Object.entries(expected).every(([name, value]) => isEqual(value, values[name] ?? null))
}
