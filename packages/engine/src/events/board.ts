import { isEqual } from '#compile/event-filter.ts'
import { standardError } from '#core/error.ts'
import type { JsonObject } from '#core/json.ts'
import { raising } from '#core/raising.ts'
import type { Evaluate, FilterFailure } from './evaluate.ts'
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

/** A listener whose filter failed on an event. Its wait is over: what listens there is told why. */
export interface Failed extends Handed {
  readonly reason: string
}

/** Listeners of one pass, in memory, as what is handed to them leaves them. */
export interface Board {
  add(listeners: readonly StoredListener[]): void
  /** Gives an event to a listener that wants it; candidates for one event follow one another. @returns whether it did. */
  offer(event: StoredEvent, listener: StoredListener): boolean
  /** Gives an event to everybody among `candidates` who wants it. @returns whether anybody did. */
  give(event: StoredEvent, candidates: readonly StoredListener[]): boolean
  /** Gives an event to the first execution among `candidates` that wants it. */
  giveFirst(event: StoredEvent, candidates: readonly StoredListener[]): boolean
  /** Ends the wait of a listener whose filter failed on an event. */
  fail(event: StoredEvent, listener: StoredListener, failure: FilterFailure): void
  /** A listener had an event before it came here, whatever it wants by now. */
  had(event: StoredEvent, listener: StoredListener): void
  waits(listener: StoredListener): boolean
  /** Those of some listeners that still wait, as what was handed to them leaves them. */
  left<L extends StoredListener>(listeners: readonly L[]): readonly L[]
  readonly handed: readonly Handed[]
  readonly failed: readonly Failed[]
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
  const failed: Failed[] = []
  /** The event that was offered last, and the waits that go on and have it. */
  let offered: { readonly event: StoredEvent; readonly had: Set<string> } | undefined

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
    const evaluation = now === undefined ? undefined : evaluate(event, listener, listener.scope)
    if (now === undefined || evaluation === undefined) return false
    if (evaluation.kind === 'failure') {
      fail(event, listener, evaluation)
      return false
    }
    if (!fits(evaluation.values, now.expected)) return false
    handed.push({ event, listener })
    take(now, evaluation.values)
    return true
  }

  function fail(event: StoredEvent, listener: StoredListener, { reason }: FilterFailure): void {
    if (!standing.has(listener.id)) return
    failed.push({ event, listener, reason })
    for (const id of others(listener)) end(id)
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

  function offer(event: StoredEvent, listener: StoredListener): boolean {
    // A wait that goes on is given an event once, however many of its filters it passes.
    const consumes = listener.takes === 'many' && listener.role === 'event'
    if (offered?.event !== event) offered = { event, had: new Set() }
    if (consumes && offered.had.has(groupOf(listener))) return false
    if (!hand(event, listener)) return false
    if (consumes) offered.had.add(groupOf(listener))
    return true
  }

  function giveTo(event: StoredEvent, candidates: readonly StoredListener[]): boolean {
    let isGiven = false
    for (const listener of candidates) if (offer(event, listener)) isGiven = true
    return isGiven
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
    offer,
    give: giveTo,
    giveFirst(event, candidates) {
      const byWait = Map.groupBy(candidates, groupOf)
      for (const listeners of byWait.values()) if (giveTo(event, listeners)) return true
      return false
    },
    fail,
    had(event, listener) {
      const now = standing.get(listener.id)
      const evaluation = now === undefined ? undefined : evaluate(event, listener, listener.scope)
      if (now !== undefined) take(now, evaluation?.kind === 'passed' ? evaluation.values : {})
    },
    waits: ({ id }) => standing.has(id),
    left: (listeners) => listeners.filter(({ id }) => !ended.has(id)).map((one) => ({ ...one, ...settled.get(one.id) })),
    handed,
    failed,
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

/** What a wait for events is given whose filter failed: its task fails with this error. */
export function failureOf({ event: { event }, reason }: Failed): JsonObject {
  const which = `event ${JSON.stringify(event.id ?? null)} from ${JSON.stringify(event.source ?? null)}`
  const advice = 'Ask less of an event: fewer or simpler expressions and patterns, or a correlation instead of a comparison.'
  return raising(standardError('expression', `An event filter of this task failed on ${which}: ${reason}. ${advice}`).data)
}

function fits(values: JsonObject, expected: JsonObject): boolean {
  return Object.entries(expected).every(([name, value]) => isEqual(value, values[name] ?? null))
}
