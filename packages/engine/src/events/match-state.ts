import { isEqual } from '#core/json-equality.ts'
import { standardError } from '#core/error.ts'
import type { JsonObject } from '#core/json.ts'
import { errorMessage } from '#core/error-message.ts'
import { correlationKeyOf } from './correlation-key.ts'
import type { Evaluate, FilterFailure } from './evaluate.ts'
import type { StoredEvent, StoredListener } from './stored.ts'

/** The correlation values of a listener after the first event of its wait has bound the open ones. */
export interface Binding {
  readonly expected: JsonObject
  readonly openNames: readonly string[]
  /** Undefined while names are open. */
  readonly key: string | undefined
}

/** An event that a listener receives. */
export interface Match {
  readonly event: StoredEvent
  readonly listener: StoredListener
}

/** A listener whose filter failed on an event. Its wait ends with the reason as an error. */
export interface FailedListener extends Match {
  readonly reason: string
}

/** The listeners of one matching pass, in memory, and what their matches so far changed about them. */
export interface MatchState {
  add(listeners: readonly StoredListener[]): void
  /** Matches an event with one listener. Offers of one event must follow one another. @returns whether the listener receives it. */
  offer(event: StoredEvent, listener: StoredListener): boolean
  /** Offers an event to all candidates. @returns whether any of them receives it. */
  offerAll(event: StoredEvent, candidates: readonly StoredListener[]): boolean
  /** Offers an event to one wait of the candidates after the other, until one receives it. @returns whether one did. */
  offerFirst(event: StoredEvent, candidates: readonly StoredListener[]): boolean
  /** Ends the wait of a listener whose filter failed on an event. */
  fail(event: StoredEvent, listener: StoredListener, failure: FilterFailure): void
  /** Applies an event that a listener received before this pass, without a new match. */
  recordReceived(event: StoredEvent, listener: StoredListener): void
  isOpen(listener: StoredListener): boolean
  /** The listeners that are still open, with their current bindings. */
  remaining<L extends StoredListener>(listeners: readonly L[]): readonly L[]
  readonly matches: readonly Match[]
  readonly failures: readonly FailedListener[]
  /** Ids of listeners that need no further event: one that took its single event, and all known listeners of a wait that ended. */
  readonly endedIds: ReadonlySet<string>
  readonly bindings: ReadonlyMap<string, Binding>
}

interface OpenListener extends Binding {
  readonly listener: StoredListener
}

export function createMatchState(evaluate: Evaluate): MatchState {
  const open = new Map<string, OpenListener>()
  const idsByWait = new Map<string, Set<string>>()
  const endedIds = new Set<string>()
  const bindings = new Map<string, Binding>()
  const matches: Match[] = []
  const failures: FailedListener[] = []
  /** The event of the last offer, and the waits that received it and stay open. */
  let lastOffer: { readonly event: StoredEvent; readonly receivedBy: Set<string> } | undefined

  function end(id: string): void {
    open.delete(id)
    bindings.delete(id)
    endedIds.add(id)
  }

  function idsOfSameWait(listener: StoredListener): readonly string[] {
    return [...(idsByWait.get(waitKeyOf(listener)) ?? [])]
  }

  function tryMatch(event: StoredEvent, listener: StoredListener): boolean {
    const current = open.get(listener.id)
    const evaluation = current === undefined ? undefined : evaluate(event, listener, listener.scope)
    if (current === undefined || evaluation === undefined) return false
    if (evaluation.kind === 'failure') {
      fail(event, listener, evaluation)
      return false
    }
    if (!hasExpected(evaluation.values, current.expected)) return false
    matches.push({ event, listener })
    consume(current, evaluation.values)
    return true
  }

  function fail(event: StoredEvent, listener: StoredListener, { reason }: FilterFailure): void {
    if (!open.has(listener.id)) return
    failures.push({ event, listener, reason })
    for (const id of idsOfSameWait(listener)) end(id)
  }

  function consume({ listener, openNames }: OpenListener, values: JsonObject): void {
    if (listener.takes === 'one') for (const id of idsOfSameWait(listener)) end(id)
    else {
      if (openNames.length > 0) bind(listener, values)
      if (listener.takes === 'each') end(listener.id)
    }
  }

  /** The first event of a wait binds the open correlations of all its listeners. */
  function bind(listener: StoredListener, values: JsonObject): void {
    for (const id of idsOfSameWait(listener)) {
      const current = open.get(id)
      if (current === undefined) continue
      const bound = current.openNames.filter((name) => Object.hasOwn(values, name))
      if (bound.length === 0) continue
      const expected = { ...current.expected, ...Object.fromEntries(bound.map((name) => [name, values[name] ?? null])) }
      const openNames = current.openNames.filter((name) => !bound.includes(name))
      const binding = { expected, openNames, key: openNames.length === 0 ? correlationKeyOf(expected) : undefined }
      open.set(id, { ...binding, listener: current.listener })
      bindings.set(id, binding)
    }
  }

  function offer(event: StoredEvent, listener: StoredListener): boolean {
    // A wait that consumes a stream of events receives each event once, however many of its filters the event passes.
    const staysOpen = listener.takes === 'many' && listener.role === 'event'
    if (lastOffer?.event !== event) lastOffer = { event, receivedBy: new Set() }
    if (staysOpen && lastOffer.receivedBy.has(waitKeyOf(listener))) return false
    if (!tryMatch(event, listener)) return false
    if (staysOpen) lastOffer.receivedBy.add(waitKeyOf(listener))
    return true
  }

  function offerAll(event: StoredEvent, candidates: readonly StoredListener[]): boolean {
    let isReceived = false
    for (const listener of candidates) if (offer(event, listener)) isReceived = true
    return isReceived
  }

  return {
    add(listeners) {
      for (const listener of listeners) {
        if (open.has(listener.id) || endedIds.has(listener.id)) continue
        open.set(listener.id, { ...listener, listener })
        const ids = idsByWait.get(waitKeyOf(listener))
        if (ids === undefined) idsByWait.set(waitKeyOf(listener), new Set([listener.id]))
        else ids.add(listener.id)
      }
    },
    offer,
    offerAll,
    offerFirst(event, candidates) {
      const byWait = Map.groupBy(candidates, waitKeyOf)
      for (const listeners of byWait.values()) if (offerAll(event, listeners)) return true
      return false
    },
    fail,
    recordReceived(event, listener) {
      const current = open.get(listener.id)
      const evaluation = current === undefined ? undefined : evaluate(event, listener, listener.scope)
      if (current !== undefined) consume(current, evaluation?.kind === 'passed' ? evaluation.values : {})
    },
    isOpen: ({ id }) => open.has(id),
    remaining: (listeners) =>
      listeners.filter(({ id }) => !endedIds.has(id)).map((listener) => ({ ...listener, ...bindings.get(listener.id) })),
    matches,
    failures,
    endedIds,
    bindings,
  }
}

/** Identifies a wait: all listeners at one position of one execution belong to it. */
export function waitKeyOf({ executionId, position }: Pick<StoredListener, 'executionId' | 'position'>): string {
  return `${executionId} ${position}`
}

/** The message that resumes a wait with an event. */
export function messageOf({ listener: { role, index }, event: { event } }: Match): JsonObject {
  return { role, index, event }
}

/** The message that fails the task of a wait whose filter failed. */
export function failureOf({ event: { event }, reason }: FailedListener): JsonObject {
  const which = `event ${JSON.stringify(event.id ?? null)} from ${JSON.stringify(event.source ?? null)}`
  const advice = 'Ask less of an event: fewer or simpler expressions and patterns, or a correlation instead of a comparison.'
  return errorMessage(standardError('expression', `An event filter of this task failed on ${which}: ${reason}. ${advice}`).data)
}

function hasExpected(values: JsonObject, expected: JsonObject): boolean {
  return Object.entries(expected).every(([name, value]) => isEqual(value, values[name] ?? null))
}
