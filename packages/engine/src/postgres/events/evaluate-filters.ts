import { correlationKeyOf } from '#events/correlation-key.ts'
import type { Evaluations, Evaluator } from '#events/evaluate.ts'
import type { StoredEvent, StoredFilter } from '#events/stored.ts'
import { type Budget, stepsOfSize } from './budget.ts'
import type { Lookup } from './read-listeners.ts'
import type { EventRecord, FilterRecord } from './records.ts'

/** The results of an account's filters for its unmatched events. */
export interface EvaluatedEvents {
  /** The events for which all filters have been evaluated, oldest first. */
  readonly events: readonly EventRecord[]
  /** The listeners that these events may match. */
  readonly lookups: readonly Lookup[]
  /** The results so far for the first event, where the budget was spent before all its filters were evaluated. */
  readonly unfinished: Evaluations | undefined
}

/** Evaluates the filters of one account for its events until the budget is spent, but always one filter at least. Yields where it may be interrupted. */
export function* evaluateFilters(
  events: readonly EventRecord[],
  filters: readonly FilterRecord[],
  evaluator: Evaluator,
  budget: Budget,
): Generator<void, EvaluatedEvents> {
  const lookups = new Map<string, Lookup>()
  const evaluated: EventRecord[] = []
  let hasProgress = false
  for (const event of eventsOfSlice(events)) {
    budget.spend(1 + stepsOfSize(event.size))
    for (const filter of filters) {
      if (event.expired || !mayPass(event, filter)) {
        yield
        continue
      }
      const results = evaluator.resultsFor(event)
      const isPending = !filter.filter.readsScope && !results.byFilter.has(filter.id)
      if (isPending && hasProgress && budget.isSpent)
        return evaluated.length > 0
          ? { events: evaluated, lookups: [...lookups.values()], unfinished: undefined }
          : { events: [], lookups: [], unfinished: results }
      hasProgress ||= isPending
      const lookup = lookupOf(event, filter, evaluator)
      if (lookup !== undefined) lookups.set(`${lookup.filterId} ${lookup.key}`, lookup)
      yield
    }
    evaluated.push(event)
  }
  return { events: evaluated, lookups: [...lookups.values()], unfinished: undefined }
}

/** An event that has been matched with some of its listeners is finished before the next one begins. */
function eventsOfSlice(events: readonly EventRecord[]): readonly EventRecord[] {
  return events[0]?.matchedTo === undefined ? events : events.slice(0, 1)
}

function lookupOf(event: EventRecord, { accountId, id, filter }: FilterRecord, { evaluate }: Evaluator): Lookup | undefined {
  const common = { accountId, filterId: id, after: event.matchedTo }
  if (filter.readsScope) return { ...common, key: undefined }
  const evaluation = evaluate(event, { filterId: id, filter }, {})
  if (evaluation === undefined) return undefined
  // A failure of the filter ends the waits of all its listeners.
  return { ...common, key: evaluation.kind === 'failure' ? undefined : correlationKeyOf(evaluation.values) }
}

export function mayPass(event: StoredEvent, { accountId, type }: StoredFilter): boolean {
  return accountId === event.accountId && (type === undefined || type === event.type)
}
