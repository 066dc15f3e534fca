import { type MatchState, createMatchState, waitKeyOf } from '#events/match-state.ts'
import type { Evaluate, Evaluator } from '#events/evaluate.ts'
import { correlationKeyOf } from '#events/correlation-key.ts'
import type { StoredEvent, StoredFilter, StoredListener } from '#events/stored.ts'
import { mayPass } from './ask-filters.ts'
import type { Budget } from './budget.ts'
import type { FoundEvent, FoundFilter, FoundListener, Page } from './read-bus.ts'
import type { KeptStream } from './read-kept.ts'
import type { Indexing, KeptRow } from './write-kept.ts'

/** What is kept and has not been held against a filter that is new. */
export interface Unindexed {
  readonly filter: StoredFilter
  /** The last event that has. */
  readonly to: string | undefined
  readonly page: Page<FoundEvent>
}

/** Of one account, what nobody has looked at, and what it may be for. */
export interface AccountWork {
  readonly accountId: string
  readonly events: readonly FoundEvent[]
  readonly filters: readonly FoundFilter[]
  /** Listeners that the events may be for. */
  readonly listening: Page<FoundListener>
  /** Listeners that have not been held against what is kept. */
  readonly fresh: readonly FoundListener[]
  /** Some of those that the events may be for have not, and have no turn now. */
  readonly isFreshLeft: boolean
  /** Everything that waits with listeners of which the first event decides something. */
  readonly groups: readonly FoundListener[]
  readonly unindexed: readonly Unindexed[]
  readonly kept: readonly KeptStream[]
}

/** What one turn of an account comes to. */
export interface AccountPlan {
  readonly accountId: string
  readonly board: MatchState
  /** Events that were held against all listeners. */
  readonly events: readonly FoundEvent[]
  /** An event that was held against its listeners up to one of them. */
  readonly partly: { readonly event: FoundEvent; readonly to: string } | undefined
  /** Listeners that were held against everything that is kept. */
  readonly looked: readonly FoundListener[]
  /** Listeners that were held against what is kept up to an event. */
  readonly lookedPartly: readonly { readonly listener: FoundListener; readonly to: string }[]
  /** Events that nobody wanted, for each filter that they pass. */
  readonly kept: readonly KeptRow[]
  readonly indexing: readonly Indexing[]
}

interface Planning {
  readonly work: AccountWork
  readonly board: MatchState
  readonly evaluate: Evaluate
  readonly budget: Budget
}

/** Steps of handing an event over, beside writing it. */
const HAND_OVER_STEPS = 8
const CHARACTERS_PER_STEP = 64

/**
 * Brings events and listeners of one account together, in memory, as far as a budget goes. Events in the order in which they came: first what was kept before its listeners
 * came, then what nobody has looked at. Yields where it may be interrupted. However small the budget, something comes of every turn.
 */
export function* planAccount(work: AccountWork, { evaluate }: Evaluator, budget: Budget): Generator<void, AccountPlan> {
  const board = createMatchState(evaluate)
  for (const { scopeSize } of work.listening.items) budget.spend(1 + scopeSize / CHARACTERS_PER_STEP)
  const planning = { work, board, evaluate, budget }
  board.add(work.fresh)
  board.add(work.listening.items)
  board.add(work.groups)
  const { accountId } = work
  const { indexing, kept, isDone } = yield* indexFilters(planning)
  const nothing = { events: [], partly: undefined, looked: [], lookedPartly: [] }
  // What is written to the index now is found by the next turn.
  if (!isDone || kept.length > 0) return { accountId, board, indexing, kept, ...nothing }
  const looks = yield* giveKept(planning)
  if (looks.lookedPartly.length > 0 || work.isFreshLeft) return { accountId, board, indexing, kept, ...nothing, ...looks }
  const given = yield* giveEvents(planning, new Set(indexing.map(({ filter }) => filter.id)))
  return { accountId, board, indexing, ...looks, ...given }
}

/** Holds what is kept against filters that nobody has listened with before, so that their listeners are found by the index. */
function* indexFilters({ work, board, evaluate, budget }: Planning) {
  const kept: KeptRow[] = []
  const indexing: Indexing[] = []
  let isDone = true
  for (const { filter, to: before, page } of work.unindexed) {
    let to = before
    let isStopped = false
    let isFailed = false
    for (const event of page.items) {
      if (budget.isSpent && to !== before) isStopped = true
      if (isStopped) break
      budget.spend(1 + event.size / CHARACTERS_PER_STEP)
      const evaluation = evaluate(event, { filterId: filter.id, filter: filter.filter }, {})
      if (evaluation?.kind === 'failure') {
        // Who listens with it is told; the next one who does goes on from here.
        for (const one of work.fresh) if (one.filterId === filter.id) board.fail(event, one, evaluation)
        isFailed = true
        break
      }
      if (evaluation !== undefined) kept.push(keptRow(event, filter, correlationKeyOf(evaluation.values)))
      to = event.id
      yield
    }
    const done = !isStopped && !isFailed && page.to === undefined
    if (to !== undefined || done) indexing.push({ filter, to, done })
    if (!done && !isFailed) isDone = false
  }
  return { kept, indexing, isDone }
}

/** Gives what was kept to listeners that were not there when it came. */
function* giveKept({ work, board, evaluate, budget }: Planning) {
  const { fresh, kept: streams } = work
  const ends = endsOf(streams)
  const wanting = createWanting(fresh, evaluate)
  const events = [...new Map(streams.flatMap(({ page }) => page.items).map((event) => [event.id, event])).values()].toSorted(byId)
  let last: string | undefined
  let stoppedAt: string | undefined
  for (const event of events) {
    if (budget.isSpent && last !== undefined) {
      stoppedAt = last
      break
    }
    const candidates = (yield* wanting(event)).filter(
      (one) => board.isOpen(one) && isAfter(event.id, one.keptTo) && !isAfter(event.id, ends.get(waitKeyOf(one)) ?? event.id),
    )
    budget.spend(1 + event.size / CHARACTERS_PER_STEP)
    yield* offerFirst(board, event, candidates)
    last = event.id
  }
  const left = fresh
    .filter((one) => board.isOpen(one))
    .map((listener) => ({ listener, to: leastOf(stoppedAt, ends.get(waitKeyOf(listener))) }))
  const ended = fresh.filter((one) => !board.isOpen(one))
  return {
    looked: [...ended, ...left.flatMap(({ listener, to }) => (to === undefined ? [listener] : []))],
    lookedPartly: left.flatMap(({ listener, to }) =>
      to === undefined ? [] : [{ listener, to: isAfter(listener.keptTo ?? '', to) ? (listener.keptTo ?? to) : to }],
    ),
  }
}

/** How far what is kept is known for each wait: as far as for each of its listeners, as it comes to a wait in order. */
function endsOf(streams: readonly KeptStream[]): ReadonlyMap<string, string | undefined> {
  const ends = new Map<string, string | undefined>()
  for (const { listeners, page } of streams)
    for (const listener of listeners) ends.set(waitKeyOf(listener), leastOf(ends.get(waitKeyOf(listener)), page.to))
  return ends
}

function* giveEvents({ work, board, evaluate, budget }: Planning, begun: ReadonlySet<string>) {
  const { listening, filters } = work
  const wanting = createWanting(listening.items, evaluate)
  const events: FoundEvent[] = []
  const kept: KeptRow[] = []
  let partly: AccountPlan['partly']
  for (const event of work.events) {
    if (budget.isSpent && events.length > 0) break
    const candidates = event.expired ? [] : (yield* wanting(event)).filter(({ id }) => isAfter(id, event.matchedTo))
    const { isGiven, to } = yield* offerAll(board, event, candidates, budget)
    const end = to ?? (event.expired ? undefined : listening.to)
    if (end !== undefined) {
      partly = { event, to: end }
      break
    }
    events.push(event)
    if (event.expired || isGiven || event.takers > 0) continue
    for (const one of filters) {
      const evaluation =
        mayPass(event, one) && !one.filter.readsScope ? evaluate(event, { filterId: one.id, filter: one.filter }, {}) : undefined
      if (evaluation?.kind === 'passed' && (one.begun || begun.has(one.id)))
        kept.push(keptRow(event, one, correlationKeyOf(evaluation.values)))
    }
    yield
  }
  return { events, partly, kept }
}

/** @returns the last listener that an event was offered to, where the budget did not last for all. */
function* offerAll(board: MatchState, event: FoundEvent, candidates: readonly StoredListener[], budget: Budget) {
  const steps = HAND_OVER_STEPS + event.size / CHARACTERS_PER_STEP
  let isGiven = false
  let before: StoredListener | undefined
  for (const listener of candidates) {
    // What a wait gets of an event is decided at once, whatever its filters.
    if (budget.isSpent && before !== undefined && waitKeyOf(before) !== waitKeyOf(listener)) return { isGiven, to: before.id }
    if (board.offer(event, listener)) {
      isGiven = true
      budget.spend(steps)
    }
    before = listener
    budget.spend(1)
    yield
  }
  return { isGiven, to: undefined }
}

/** Offers an event to one wait after the other, until one wants it. */
function* offerFirst(board: MatchState, event: FoundEvent, candidates: readonly StoredListener[]) {
  for (const listeners of Map.groupBy(candidates, waitKeyOf).values()) {
    let isGiven = false
    for (const listener of listeners) {
      if (board.offer(event, listener)) isGiven = true
      yield
    }
    if (isGiven) return
  }
}

/** Finds those of many listeners that an event might be for, without asking each. */
function createWanting(listeners: readonly FoundListener[], evaluate: Evaluate) {
  const byFilter = [...Map.groupBy(listeners, ({ filterId }) => filterId).values()].flatMap((all) =>
    all[0] === undefined ? [] : { asked: all[0], all, byKey: Map.groupBy(all, ({ key }) => key) },
  )
  return function* wanting(event: StoredEvent) {
    const candidates: FoundListener[] = []
    for (const { asked, all, byKey } of byFilter) {
      if (asked.filter.type !== undefined && asked.filter.type !== event.type) continue
      const evaluation = asked.filter.readsScope ? 'each' : evaluate(event, asked, {})
      if (evaluation === undefined) continue
      if (evaluation === 'each' || evaluation.kind === 'failure') candidates.push(...all)
      else candidates.push(...(byKey.get(correlationKeyOf(evaluation.values)) ?? []), ...(byKey.get(undefined) ?? []))
      yield
    }
    return candidates.length < 2 ? candidates : candidates.toSorted(byId)
  }
}

function keptRow(event: StoredEvent, { accountId, id }: StoredFilter, key: string): KeptRow {
  return { accountId, filterId: id, key, eventId: event.id }
}

function isAfter(id: string, other: string | undefined): boolean {
  return other === undefined || id > other
}

function leastOf(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}

/** Ids are made in the order of the filters, and of time. */
function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1
}
