import type { PoolClient } from 'pg'
import type { EventFilterCache } from '#events/filter-cache.ts'
import { waitKeyOf } from '#events/match-state.ts'
import type { StoredFilter } from '#events/stored.ts'
import type { EvaluatedEvents } from './evaluate-filters.ts'
import { byId } from './id-order.ts'
import { isKeyed, type KeptStream, readKeptEvents, readKeptStreams } from './kept-events-store.ts'
import { readListeners, readListenersOfWaits } from './read-listeners.ts'
import type { EventRecord, FilterRecord, ListenerRecord, Page } from './records.ts'

type Client = Pick<PoolClient, 'query'>

/** The unmatched events and listeners of one account, and the results of its filters. */
export interface UnmatchedOfAccount {
  readonly accountId: string
  readonly listeners: readonly ListenerRecord[]
  readonly filters: readonly FilterRecord[]
  readonly evaluated: EvaluatedEvents
}

/** Everything that the matching of one account in one slice reads. */
export interface MatchPass {
  readonly accountId: string
  /** Unmatched events, oldest first. */
  readonly events: readonly EventRecord[]
  readonly filters: readonly FilterRecord[]
  /** The first listeners that the events may match. */
  readonly candidates: Page<ListenerRecord>
  /** The listeners that are matched with kept events in this pass. */
  readonly newListeners: readonly ListenerRecord[]
  /** Some candidates have not been matched with kept events and are not among `newListeners`. */
  readonly hasDeferredListeners: boolean
  /** All listeners of those waits whose open correlations an event may bind. */
  readonly bindable: readonly ListenerRecord[]
  readonly unindexed: readonly UnindexedFilter[]
  readonly keptStreams: readonly KeptStream[]
}

/** A filter with the next kept events that are not indexed for it. */
export interface UnindexedFilter {
  readonly filter: StoredFilter
  /** The last event that is indexed. */
  readonly indexedTo: string | undefined
  readonly page: Page<EventRecord>
}

/** New listeners of one pass with different filters; those whose filter reads their execution count one by one. */
const NEW_FILTERS_MAX = 32
/** Kept events that are indexed for the new filters of one pass. */
const UNINDEXED_EVENTS_MAX = 2_000

const NO_LISTENERS: Page<ListenerRecord> = { items: [], to: undefined }

/** Reads, for each account, the listeners that its events may match and the kept events that its new listeners may match. */
export async function readPasses(
  client: Client,
  filters: EventFilterCache,
  accounts: readonly UnmatchedOfAccount[],
): Promise<readonly MatchPass[]> {
  const pages = await readListeners(
    client,
    filters,
    accounts.flatMap(({ evaluated }) => evaluated.lookups),
  )
  const selected = accounts.map((account) => selectForPass(account, pages.get(account.accountId) ?? NO_LISTENERS))
  const bindable = Map.groupBy(await readListenersOfWaits(client, filters, selected.flatMap(waitsToBind)), ({ accountId }) => accountId)
  const passes: MatchPass[] = []
  for (const selection of selected) {
    const { accountId, newListeners } = selection
    const unindexed = await readUnindexed(client, newListeners)
    const keptStreams = newListeners.length === 0 ? [] : await readKeptStreams(client, accountId, newListeners)
    passes.push({ ...selection, bindable: bindable.get(accountId) ?? [], unindexed, keptStreams })
  }
  return passes
}

function selectForPass({ accountId, listeners, filters, evaluated }: UnmatchedOfAccount, candidates: Page<ListenerRecord>) {
  // An event with more listeners than a page is the only one of its pass.
  const events: readonly EventRecord[] = candidates.to === undefined ? evaluated.events : evaluated.events.slice(0, 1)
  // A listener receives the kept events before the new ones.
  const newCandidates = candidates.items.filter(({ isNew }) => isNew)
  const newestLast = [...new Map([...listeners, ...newCandidates].map((listener) => [listener.id, listener])).values()].toSorted(byId)
  const newListeners = listenersOfPass(newestLast)
  const selectedIds = new Set(newListeners.map(({ id }) => id))
  const hasDeferredListeners = newCandidates.some(({ id }) => !selectedIds.has(id))
  return { accountId, events, filters, candidates, newListeners, hasDeferredListeners }
}

/** The first listeners, as many as NEW_FILTERS_MAX allows. */
function listenersOfPass(listeners: readonly ListenerRecord[]): readonly ListenerRecord[] {
  const evaluations = new Set<string>()
  return listeners.filter(({ id, filterId, filter }) => {
    const evaluation = filter.readsScope ? id : filterId
    if (evaluations.size >= NEW_FILTERS_MAX && !evaluations.has(evaluation)) return false
    evaluations.add(evaluation)
    return true
  })
}

/** One listener of each wait whose open correlations the first event binds. */
function waitsToBind({ newListeners, candidates }: Pick<MatchPass, 'newListeners' | 'candidates'>): readonly ListenerRecord[] {
  const withOpenNames = [...newListeners, ...candidates.items].filter(({ openNames }) => openNames.length > 0)
  return [...new Map(withOpenNames.map((listener) => [waitKeyOf(listener), listener])).values()]
}

async function readUnindexed(client: Client, newListeners: readonly ListenerRecord[]): Promise<readonly UnindexedFilter[]> {
  const listeners = newListeners.filter((listener) => !listener.isIndexed && isKeyed(listener))
  const onePerFilter = [...new Map(listeners.map((listener) => [listener.filterId, listener])).values()]
  const unindexed: UnindexedFilter[] = []
  for (const { accountId, filterId, filter, indexedTo } of onePerFilter) {
    const storedFilter = { accountId, id: filterId, filter, type: filter.type }
    const page = await readKeptEvents(client, storedFilter, indexedTo, Math.ceil(UNINDEXED_EVENTS_MAX / onePerFilter.length))
    unindexed.push({ filter: storedFilter, indexedTo, page })
  }
  return unindexed
}
