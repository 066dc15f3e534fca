import type { PoolClient } from 'pg'
import { waitKeyOf } from '#events/match-state.ts'
import type { EventFilterCache } from '#events/filter-cache.ts'
import type { Asked } from './ask-filters.ts'
import type { AccountWork, Unindexed } from './plan-account.ts'
import { type FoundEvent, type FoundFilter, type FoundListener, type Page, readGroups, readListeners } from './read-bus.ts'
import { isKeyed, readKept, readKeptEvents } from './read-kept.ts'

type Client = Pick<PoolClient, 'query'>

/** What is known of an account before it is looked for whom its events are for. */
export interface AccountStart {
  readonly accountId: string
  /** Listeners that nobody has held against what is kept. */
  readonly unmatched: readonly FoundListener[]
  readonly filters: readonly FoundFilter[]
  readonly asked: Asked
}

/** What one turn of an account asks of an event at most: filters, and listeners one by one whose filters read their execution. */
const FRESH_QUESTIONS_MAX = 32
/** Kept events that are held against new filters in one turn. */
const UNINDEXED_EVENTS_MAX = 2_000

const NOBODY: Page<FoundListener> = { items: [], to: undefined }

/** Reads whom the events of some accounts may be for, and what is kept for those who have just begun to listen. */
export async function readWork(
  client: Client,
  filters: EventFilterCache,
  starts: readonly AccountStart[],
): Promise<readonly AccountWork[]> {
  const pages = await readListeners(
    client,
    filters,
    starts.flatMap(({ asked }) => asked.lookups),
  )
  const drafts = starts.map((start) => draftOf(start, pages.get(start.accountId) ?? NOBODY))
  const groups = await readGroups(client, filters, drafts.flatMap(openOf))
  const groupsOf = Map.groupBy(groups, ({ accountId }) => accountId)
  const all: AccountWork[] = []
  for (const draft of drafts) {
    const { accountId, fresh } = draft
    const unindexed = await readUnindexed(client, fresh)
    const kept = fresh.length === 0 ? [] : await readKept(client, accountId, fresh)
    all.push({ ...draft, groups: groupsOf.get(accountId) ?? [], unindexed, kept })
  }
  return all
}

function draftOf({ accountId, unmatched, filters, asked }: AccountStart, listening: Page<FoundListener>) {
  // Where an event has more listeners than a page, it is the only one of this turn.
  const events: readonly FoundEvent[] = listening.to === undefined ? asked.events : asked.events.slice(0, 1)
  // Whoever an event is for gets what was kept before it first.
  const wanted = listening.items.filter((one) => one.fresh)
  const all = [...new Map([...unmatched, ...wanted].map((one) => [one.id, one])).values()].toSorted((one, other) =>
    one.id < other.id ? -1 : 1,
  )
  const fresh = inOneTurn(all)
  const chosen = new Set(fresh.map(({ id }) => id))
  return { accountId, events, filters, listening, fresh, isFreshLeft: wanted.some(({ id }) => !chosen.has(id)) }
}

/** The first ones, as many as can be asked in one turn. */
function inOneTurn(listeners: readonly FoundListener[]): readonly FoundListener[] {
  const questions = new Set<string>()
  return listeners.filter(({ id, filterId, filter }) => {
    const question = filter.readsScope ? id : filterId
    if (questions.size >= FRESH_QUESTIONS_MAX && !questions.has(question)) return false
    questions.add(question)
    return true
  })
}

/** Waits of which the first event decides something for all that waits there. */
function openOf({ fresh, listening }: Pick<AccountWork, 'fresh' | 'listening'>): readonly FoundListener[] {
  const open = [...fresh, ...listening.items].filter(({ openNames }) => openNames.length > 0)
  return [...new Map(open.map((one) => [waitKeyOf(one), one])).values()]
}

async function readUnindexed(client: Client, fresh: readonly FoundListener[]): Promise<readonly Unindexed[]> {
  const asked = [...new Map(fresh.filter((one) => !one.indexed && isKeyed(one)).map((one) => [one.filterId, one])).values()]
  const unindexed: Unindexed[] = []
  for (const { accountId, filterId, filter, indexedTo } of asked) {
    const storedFilter = { accountId, id: filterId, filter, type: filter.type }
    const page = await readKeptEvents(client, storedFilter, indexedTo, Math.ceil(UNINDEXED_EVENTS_MAX / asked.length))
    unindexed.push({ filter: storedFilter, to: indexedTo, page })
  }
  return unindexed
}
