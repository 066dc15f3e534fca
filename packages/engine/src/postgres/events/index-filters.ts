import { correlationKeyOf } from '#events/correlation-key.ts'
import type { FilterFailure } from '#events/evaluate.ts'
import type { StoredEvent, StoredFilter } from '#events/stored.ts'
import { type MatchLimits, stepsOfSize } from './budget.ts'
import type { IndexProgress, KeptEventRow } from './kept-events-store.ts'
import type { MatchPass } from './read-pass.ts'

/** New entries of the index of kept events. */
export interface FilterIndexing {
  readonly rows: readonly KeptEventRow[]
  readonly progress: readonly IndexProgress[]
  /** Filters that failed on a kept event. Indexing stops before that event, until another listener uses the filter. */
  readonly failures: readonly FilterIndexingFailure[]
  /** All kept events have been indexed, apart from filters that failed. */
  readonly isComplete: boolean
}

export interface FilterIndexingFailure {
  readonly filterId: string
  readonly event: StoredEvent
  readonly failure: FilterFailure
}

/**
 * Evaluates filters that no listener used before on the kept events, so that the index finds these events for their listeners. Stops when the budget is spent,
 * but indexes one event at least. Yields where it may be interrupted.
 */
export function* indexFilters({ unindexed }: Pick<MatchPass, 'unindexed'>, limits: MatchLimits): Generator<void, FilterIndexing> {
  const rows: KeptEventRow[] = []
  const progress: IndexProgress[] = []
  const failures: FilterIndexingFailure[] = []
  let isComplete = true
  for (const { filter, indexedTo, page } of unindexed) {
    const indexed = yield* indexPage(filter, indexedTo, page.items, limits)
    rows.push(...indexed.rows)
    if (indexed.failure !== undefined) failures.push(indexed.failure)
    const isFilterComplete = indexed.isWholePage && page.to === undefined
    if (indexed.to !== undefined || isFilterComplete) progress.push({ filter, to: indexed.to, isComplete: isFilterComplete })
    if (!isFilterComplete && indexed.failure === undefined) isComplete = false
  }
  return { rows, progress, failures, isComplete }
}

function* indexPage(
  filter: StoredFilter,
  indexedTo: string | undefined,
  events: readonly (StoredEvent & { readonly size: number })[],
  { evaluate, budget }: MatchLimits,
) {
  const rows: KeptEventRow[] = []
  let to = indexedTo
  for (const event of events) {
    if (budget.isSpent && to !== indexedTo) return { rows, to, isWholePage: false, failure: undefined }
    budget.spend(1 + stepsOfSize(event.size))
    const evaluation = evaluate(event, { filterId: filter.id, filter: filter.filter }, {})
    if (evaluation?.kind === 'failure')
      return { rows, to, isWholePage: false, failure: { filterId: filter.id, event, failure: evaluation } }
    if (evaluation !== undefined) rows.push(keptEventRow(event, filter, correlationKeyOf(evaluation.values)))
    to = event.id
    yield
  }
  return { rows, to, isWholePage: true, failure: undefined }
}

export function keptEventRow(event: StoredEvent, { accountId, id }: StoredFilter, key: string): KeptEventRow {
  return { accountId, filterId: id, key, eventId: event.id }
}
