import { correlationKeyOf } from '#events/correlation-key.ts'
import type { Evaluate } from '#events/evaluate.ts'
import { type Binding, createMatchState, type FailedListener, type Match, type MatchState, waitKeyOf } from '#events/match-state.ts'
import type { StoredEvent, StoredListener } from '#events/stored.ts'
import { type Budget, type MatchLimits, stepsOfSize } from './budget.ts'
import { mayPass } from './evaluate-filters.ts'
import { byId, earlierOf, isAfter } from './id-order.ts'
import { type FilterIndexing, keptEventRow } from './index-filters.ts'
import type { KeptEventRow, KeptStream } from './kept-events-store.ts'
import type { EventRecord, ListenerRecord } from './records.ts'
import type { MatchPass } from './read-pass.ts'

/**
 * The matches of one account in one slice, and how far its events and listeners have been matched. An event that no listener received is kept, for
 * listeners that open later.
 */
export interface Matches {
  readonly matches: readonly Match[]
  readonly failures: readonly FailedListener[]
  readonly endedIds: ReadonlySet<string>
  readonly bindings: ReadonlyMap<string, Binding>
  /** Listeners that have been matched with all kept events. */
  readonly caughtUp: readonly ListenerRecord[]
  /** Listeners that have been matched with the kept events up to `keptTo`. */
  readonly catchingUp: readonly { readonly listener: ListenerRecord; readonly keptTo: string }[]
  /** Events that have been matched with all listeners. */
  readonly matchedEvents: readonly EventRecord[]
  /** An event that has been matched with the listeners up to `matchedTo`. */
  readonly unfinishedEvent: { readonly event: EventRecord; readonly matchedTo: string } | undefined
  /** Index entries for the matched events that become kept because no listener received them. */
  readonly keptRows: readonly KeptEventRow[]
}

interface Matching extends MatchLimits {
  readonly pass: MatchPass
  readonly state: MatchState
}

type KeptMatching = Pick<Matches, 'caughtUp' | 'catchingUp'>
type EventMatching = Pick<Matches, 'matchedEvents' | 'unfinishedEvent' | 'keptRows'>

/** Steps of one match, beside those for the size of its message. */
const MATCH_STEPS = 8
const noKeptMatching: KeptMatching = { caughtUp: [], catchingUp: [] }
const noEventMatching: EventMatching = { matchedEvents: [], unfinishedEvent: undefined, keptRows: [] }

/**
 * Decides which listeners of one account receive which events. Events match in the order of their arrival: first the kept events with the new listeners, then the
 * unmatched events with all listeners. It reads and writes no database, yields where it may be interrupted, and ends when the budget is spent; however small
 * the budget, it makes some progress.
 */
export function* match(pass: MatchPass, indexing: FilterIndexing, limits: MatchLimits): Generator<void, Matches> {
  const state = createMatchState(limits.evaluate)
  for (const listeners of [pass.newListeners, pass.candidates.items, pass.bindable]) state.add(listeners)
  failListeners(state, pass, indexing)
  const matching = { ...limits, pass, state }
  // The pass was read before the index got new rows, so the kept events wait for the next pass.
  if (!indexing.isComplete || indexing.rows.length > 0) return matchesOf(state, noKeptMatching, noEventMatching)
  const kept = yield* matchKeptEvents(matching)
  if (kept.catchingUp.length > 0 || pass.hasDeferredListeners) return matchesOf(state, kept, noEventMatching)
  const indexedNow = new Set(indexing.progress.map(({ filter }) => filter.id))
  return matchesOf(state, kept, yield* matchUnmatchedEvents(matching, indexedNow))
}

function matchesOf({ matches, failures, endedIds, bindings }: MatchState, kept: KeptMatching, events: EventMatching): Matches {
  return { matches, failures, endedIds, bindings, ...kept, ...events }
}

function failListeners(state: MatchState, { newListeners }: MatchPass, { failures }: FilterIndexing): void {
  for (const { filterId, event, failure } of failures)
    for (const listener of newListeners) if (listener.filterId === filterId) state.fail(event, listener, failure)
}

/** Matches kept events with listeners that opened after these events arrived. A kept event goes to the first wait that it matches. */
function* matchKeptEvents({ pass, state, evaluate, budget }: Matching): Generator<void, KeptMatching> {
  const { newListeners, keptStreams } = pass
  const streamEnds = streamEndsOf(keptStreams)
  const findCandidates = createCandidateFinder(newListeners, evaluate)
  const events = [...new Map(keptStreams.flatMap(({ page }) => page.items).map((event) => [event.id, event])).values()].toSorted(byId)
  let last: string | undefined
  let stoppedAt: string | undefined
  for (const event of events) {
    if (budget.isSpent && last !== undefined) {
      stoppedAt = last
      break
    }
    const candidates = (yield* findCandidates(event)).filter(
      (listener) =>
        state.isOpen(listener) && isAfter(event.id, listener.keptTo) && !isAfter(event.id, streamEnds.get(waitKeyOf(listener)) ?? event.id),
    )
    budget.spend(1 + stepsOfSize(event.size))
    yield* offerToFirstWait(state, event, candidates)
    last = event.id
  }
  return keptProgress(newListeners, state, (listener) => earlierOf(stoppedAt, streamEnds.get(waitKeyOf(listener))))
}

/** @param endOf the kept event up to which a listener has been matched; undefined for all. */
function keptProgress(
  newListeners: readonly ListenerRecord[],
  state: MatchState,
  endOf: (listener: ListenerRecord) => string | undefined,
): KeptMatching {
  const caughtUp = newListeners.filter((listener) => !state.isOpen(listener))
  const catchingUp: { readonly listener: ListenerRecord; readonly keptTo: string }[] = []
  for (const listener of newListeners) {
    if (!state.isOpen(listener)) continue
    const end = endOf(listener)
    if (end === undefined) caughtUp.push(listener)
    else catchingUp.push({ listener, keptTo: listener.keptTo !== undefined && isAfter(listener.keptTo, end) ? listener.keptTo : end })
  }
  return { caughtUp, catchingUp }
}

/** For each wait, the kept event up to which the pass has all kept events of all its listeners: a wait receives them in order. */
function streamEndsOf(streams: readonly KeptStream[]): ReadonlyMap<string, string | undefined> {
  const ends = new Map<string, string | undefined>()
  for (const { listeners, page } of streams)
    for (const listener of listeners) ends.set(waitKeyOf(listener), earlierOf(ends.get(waitKeyOf(listener)), page.to))
  return ends
}

/** Matches events with all their candidates. An event that no listener receives becomes a kept event. */
function* matchUnmatchedEvents(matching: Matching, indexedNow: ReadonlySet<string>): Generator<void, EventMatching> {
  const { pass, state, evaluate, budget } = matching
  const { candidates: page } = pass
  const findCandidates = createCandidateFinder(page.items, evaluate)
  const matchedEvents: EventRecord[] = []
  const keptRows: KeptEventRow[] = []
  for (const event of pass.events) {
    if (budget.isSpent && matchedEvents.length > 0) break
    const candidates = event.expired ? [] : (yield* findCandidates(event)).filter(({ id }) => isAfter(id, event.matchedTo))
    const { isReceived, stoppedAt } = yield* offerToAll(state, event, candidates, budget)
    const matchedTo = stoppedAt ?? (event.expired ? undefined : page.to)
    if (matchedTo !== undefined) return { matchedEvents, unfinishedEvent: { event, matchedTo }, keptRows }
    matchedEvents.push(event)
    if (event.expired || isReceived || event.takers > 0) continue
    keptRows.push(...(yield* keptRowsOf(matching, event, indexedNow)))
  }
  return { matchedEvents, unfinishedEvent: undefined, keptRows }
}

function* keptRowsOf(
  { pass, evaluate }: Matching,
  event: EventRecord,
  indexedNow: ReadonlySet<string>,
): Generator<void, readonly KeptEventRow[]> {
  const rows: KeptEventRow[] = []
  for (const stored of pass.filters) {
    yield
    if (!mayPass(event, stored) || stored.filter.readsScope) continue
    const evaluation = evaluate(event, { filterId: stored.id, filter: stored.filter }, {})
    const isIndexed = stored.indexesKept || indexedNow.has(stored.id)
    if (evaluation?.kind === 'passed' && isIndexed) rows.push(keptEventRow(event, stored, correlationKeyOf(evaluation.values)))
  }
  return rows
}

/** @returns the last listener that the event was offered to, where the budget was spent before the end. */
function* offerToAll(state: MatchState, event: EventRecord, candidates: readonly StoredListener[], budget: Budget) {
  let isReceived = false
  let previous: StoredListener | undefined
  for (const listener of candidates) {
    // All listeners of a wait are matched with an event at once.
    if (budget.isSpent && previous !== undefined && waitKeyOf(previous) !== waitKeyOf(listener))
      return { isReceived, stoppedAt: previous.id }
    if (state.offer(event, listener)) {
      isReceived = true
      budget.spend(MATCH_STEPS + stepsOfSize(event.size))
    }
    previous = listener
    budget.spend(1)
    yield
  }
  return { isReceived, stoppedAt: undefined }
}

function* offerToFirstWait(state: MatchState, event: EventRecord, candidates: readonly StoredListener[]) {
  for (const listeners of Map.groupBy(candidates, waitKeyOf).values()) {
    let isReceived = false
    for (const listener of listeners) {
      if (state.offer(event, listener)) isReceived = true
      yield
    }
    if (isReceived) return
  }
}

/** Finds those of many listeners that an event might match, with one evaluation for each filter that reads nothing of its execution. */
function createCandidateFinder(listeners: readonly ListenerRecord[], evaluate: Evaluate) {
  const byFilter = [...Map.groupBy(listeners, ({ filterId }) => filterId).values()].flatMap((ofFilter) =>
    ofFilter[0] === undefined ? [] : { first: ofFilter[0], ofFilter, byKey: Map.groupBy(ofFilter, ({ key }) => key) },
  )
  return function* findCandidates(event: StoredEvent) {
    const candidates: ListenerRecord[] = []
    for (const { first, ofFilter, byKey } of byFilter) {
      if (first.filter.type !== undefined && first.filter.type !== event.type) continue
      if (first.filter.readsScope) candidates.push(...ofFilter)
      else {
        const evaluation = evaluate(event, first, {})
        if (evaluation === undefined) continue
        if (evaluation.kind === 'failure') candidates.push(...ofFilter)
        else candidates.push(...(byKey.get(correlationKeyOf(evaluation.values)) ?? []), ...(byKey.get(undefined) ?? []))
      }
      yield
    }
    return candidates.length < 2 ? candidates : candidates.toSorted(byId)
  }
}
