import { setImmediate } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { type Board, createBoard, groupOf } from '#events/board.ts'
import { createEvaluate, type Evaluate } from '#events/evaluate.ts'
import type { EventFilterCache } from '#events/filter-cache.ts'
import { isKeyed, keptEvents } from './kept-events.ts'
import { keyOf } from '#events/key.ts'
import { type FoundListener, type Lookup, readFilters, readGroups, readListeners } from './read-bus.ts'
import { readUnmatchedEvents, readUnmatchedListeners } from './read-unmatched.ts'
import { type Indexing, indexKept, keptRow, type KeptRow } from './write-kept.ts'
import type { StoredEvent, StoredFilter, StoredListener } from '#events/stored.ts'

type Client = Pick<PoolClient, 'query'>

export interface PlanDeps {
  readonly filters: EventFilterCache
}

/** What one pass does: events go to listeners, and both have been looked at. */
export interface Plan {
  readonly board: Board
  /** Events that were held against the listeners. */
  readonly events: readonly StoredEvent[]
  /** Listeners that were held against the kept events. */
  readonly fresh: readonly FoundListener[]
  /** Events that nobody wanted, for each filter that they pass. */
  readonly kept: readonly KeptRow[]
}

const EVENTS_MAX = 256
const LISTENERS_MAX = 256
/** Kept events of an account that are held against new filters. */
const INDEXED_MAX = 2_000
/** Filters are asked for no longer than this at a stretch, so that everything else of the process gets its turn. */
const STRETCH_MS = 20

/** What is known of a pass, however often it is planned. */
export interface Pass {
  /** Listeners that are not there any more. */
  readonly gone: Set<string>
  /** Filters that what is kept was held against in this pass, by account and id. */
  readonly indexing: Map<string, Indexing>
}

/**
 * Brings events and listeners together, in memory. Events in the order in which they came: first what was kept before its listeners came, then what nobody
 * has looked at.
 */
export async function makePlan(client: Client, { filters }: PlanDeps, { gone, indexing }: Pass): Promise<Plan> {
  const evaluate = createEvaluate()
  const board = createBoard(evaluate)
  const there = (listeners: readonly FoundListener[]) => listeners.filter(({ id }) => !gone.has(id))
  // Listeners before events: an event that comes in between is looked at in the next pass, which finds the listener.
  const unmatched = there(await readUnmatchedListeners(client, filters, LISTENERS_MAX))
  const come = await readUnmatchedEvents(client, EVENTS_MAX)
  const asked = come.length === 0 ? [] : await readFilters(client, filters, come)
  const listening = there(await readListeners(client, filters, lookupsOf(come, asked, evaluate)))
  // Whoever an event is for gets what was kept before it first.
  const all = [...new Map([...unmatched, ...listening.filter((one) => one.fresh)].map((one) => [one.id, one])).values()].toSorted(byId)
  const late = await indexFilters(client, all, indexing, evaluate)
  const inTime = <Of extends { readonly accountId: string }>(some: readonly Of[]) => some.filter(({ accountId }) => !late.has(accountId))
  const [events, found, fresh] = [inTime(come), inTime(listening), inTime(all)]
  board.add(fresh)
  board.add(found)
  board.add(there(await readGroups(client, filters, openOf([...fresh, ...found]))))
  const breathe = createBreath()
  for (const listeners of Map.groupBy(fresh, ({ accountId }) => accountId).values())
    await giveKept(client, board, evaluate, listeners, breathe)
  const wanting = createWanting(found, evaluate)
  const kept: KeptRow[] = []
  for (const event of events) {
    if (event.expired) continue
    if (!board.give(event, wanting(event)))
      for (const one of asked)
        if (mayPass(event, one) && !one.filter.readsScope && (one.begun || indexing.has(nameOf(one))))
          kept.push(...keptRow(event, one, evaluate))
    await breathe()
  }
  return { board, events, fresh, kept }
}

/**
 * Holds what is kept against filters that nobody has listened with before, a while for each account, so that their listeners are found by the index.
 * @returns accounts that are not done with it: what they have waits, and nobody else does.
 */
async function indexFilters(
  client: Client,
  listeners: readonly FoundListener[],
  indexing: Pass['indexing'],
  evaluate: Evaluate,
): Promise<ReadonlySet<string>> {
  const late = new Set<string>()
  const left = new Map<string, number>()
  for (const one of listeners) {
    const { accountId, filterId: id, filter, indexedTo } = one
    if (one.indexed || !isKeyed(one) || late.has(accountId)) continue
    const asked = { accountId, id, filter, type: filter.type }
    const before = indexing.get(nameOf(asked))
    const limit = left.get(accountId) ?? INDEXED_MAX
    const now = before ?? (await indexKept(client, { filter: asked, to: indexedTo }, limit, evaluate))
    if (before === undefined) left.set(accountId, limit - now.seen)
    indexing.set(nameOf(asked), now)
    if (!now.done) late.add(accountId)
  }
  return late
}

function nameOf({ accountId, id }: Pick<StoredFilter, 'accountId' | 'id'>): string {
  return `${accountId} ${id}`
}

/** Gives what was kept to listeners of one account that were not there when it came. */
async function giveKept(
  client: Client,
  board: Board,
  evaluate: Evaluate,
  listeners: readonly FoundListener[],
  breathe: () => Promise<void>,
): Promise<void> {
  const wanting = createWanting(listeners, evaluate)
  for await (const event of keptEvents(client, listeners[0]?.accountId ?? '', listeners, (one) => board.waits(one))) {
    const candidates = wanting(event).filter((listener) => board.waits(listener))
    if (candidates.length > 0) board.giveFirst(event, candidates)
    await breathe()
  }
}

/** Finds those of many listeners that an event might be for, without asking each. */
function createWanting(listeners: readonly StoredListener[], evaluate: Evaluate): (event: StoredEvent) => readonly StoredListener[] {
  const byFilter = [...Map.groupBy(listeners, ({ accountId, filterId }) => `${accountId} ${filterId}`).values()].flatMap((all) =>
    all[0] === undefined ? [] : { asked: all[0], all, byKey: Map.groupBy(all, ({ key }) => key) },
  )
  const byAccount = Map.groupBy(byFilter, ({ asked }) => asked.accountId)
  return (event) => {
    const candidates = (byAccount.get(event.accountId) ?? []).flatMap(({ asked, all, byKey }) => {
      if (asked.filter.type !== undefined && asked.filter.type !== event.type) return []
      if (asked.filter.readsScope) return all
      const values = evaluate(event, asked, {})
      return values === undefined ? [] : [...(byKey.get(keyOf(values)) ?? []), ...(byKey.get(undefined) ?? [])]
    })
    return candidates.length < 2 ? candidates : candidates.toSorted(byId)
  }
}

function lookupsOf(events: readonly StoredEvent[], asked: readonly StoredFilter[], evaluate: Evaluate): readonly Lookup[] {
  const lookups = new Map<string, Lookup>()
  for (const event of events) {
    for (const one of asked) {
      if (event.expired || !mayPass(event, one)) continue
      const values = one.filter.readsScope ? undefined : evaluate(event, { filterId: one.id, filter: one.filter }, {})
      if (values === undefined && !one.filter.readsScope) continue
      const key = values === undefined ? undefined : keyOf(values)
      lookups.set(`${one.accountId} ${one.id} ${key}`, { accountId: one.accountId, filterId: one.id, key })
    }
  }
  return [...lookups.values()]
}

function mayPass(event: StoredEvent, { accountId, type }: StoredFilter): boolean {
  return accountId === event.accountId && (type === undefined || type === event.type)
}

/** Waits of which the first event decides something for all that waits there. */
function openOf(listeners: readonly StoredListener[]): readonly StoredListener[] {
  return [...new Map(listeners.filter(({ openNames }) => openNames.length > 0).map((one) => [groupOf(one), one])).values()]
}

/** Ids are made in the order of the filters, and of time. */
function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1
}

function createBreath(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < STRETCH_MS) return
    await setImmediate()
    since = performance.now()
  }
}
