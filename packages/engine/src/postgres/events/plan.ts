import { setImmediate } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { type Board, createBoard, groupOf } from '#events/board.ts'
import { createEvaluate, type Evaluate } from '#events/evaluate.ts'
import type { EventFilterCache } from '#events/filter-cache.ts'
import { keptEvents } from './kept-events.ts'
import { keyOf } from '#events/key.ts'
import { type Lookup, readFilters, readGroups, readListeners, readUnmatchedEvents, readUnmatchedListeners } from './read-bus.ts'
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
  readonly fresh: readonly StoredListener[]
}

const EVENTS_MAX = 256
const LISTENERS_MAX = 256
/** Filters are asked for no longer than this at a stretch, so that everything else of the process gets its turn. */
const STRETCH_MS = 20

/**
 * Brings events and listeners together, in memory. Events in the order in which they came: first what was kept before its listeners came, then what nobody
 * has looked at.
 * @param gone listeners that are not there any more.
 */
export async function makePlan(client: Client, { filters }: PlanDeps, gone: ReadonlySet<string>): Promise<Plan> {
  const evaluate = createEvaluate()
  const board = createBoard(evaluate)
  const there = (listeners: readonly StoredListener[]) => listeners.filter(({ id }) => !gone.has(id))
  // Listeners before events: an event that comes in between is looked at in the next pass, which finds the listener.
  const fresh = there(await readUnmatchedListeners(client, filters, LISTENERS_MAX))
  const events = await readUnmatchedEvents(client, EVENTS_MAX)
  board.add(fresh)
  const asked = events.length === 0 ? [] : await readFilters(client, filters, events)
  const found = there(await readListeners(client, filters, lookupsOf(events, asked, evaluate)))
  board.add(found)
  board.add(there(await readGroups(client, filters, openOf([...fresh, ...found]))))
  const breathe = createBreath()
  for (const listeners of Map.groupBy(fresh, ({ accountId }) => accountId).values())
    await giveKept(client, board, evaluate, listeners, breathe)
  const wanting = createWanting(found, evaluate)
  for (const event of events) {
    if (!event.expired) board.give(event, wanting(event))
    await breathe()
  }
  return { board, events, fresh }
}

/** Gives what was kept to listeners of one account that were not there when it came. */
async function giveKept(
  client: Client,
  board: Board,
  evaluate: Evaluate,
  listeners: readonly StoredListener[],
  breathe: () => Promise<void>,
): Promise<void> {
  const types = listeners.map(({ filter }) => filter.type)
  const named = types.filter((type) => type !== undefined)
  const wanting = createWanting(listeners, evaluate)
  for await (const event of keptEvents(
    client,
    listeners[0]?.accountId ?? '',
    named.length < types.length ? undefined : [...new Set(named)],
  )) {
    const candidates = wanting(event).filter((listener) => board.waits(listener))
    if (candidates.length > 0) {
      board.giveFirst(event, candidates)
      if (!listeners.some((listener) => board.waits(listener))) return
    }
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
function byId(one: StoredListener, other: StoredListener): number {
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
