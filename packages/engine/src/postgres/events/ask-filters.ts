import type { Evaluations, Evaluator } from '#events/evaluate.ts'
import { correlationKeyOf } from '#events/correlation-key.ts'
import type { StoredEvent, StoredFilter } from '#events/stored.ts'
import type { Budget } from './budget.ts'
import type { FoundEvent, FoundFilter, Lookup } from './read-bus.ts'

/** Characters of an event that are parsed and written in a step. */
const CHARACTERS_PER_STEP = 64

/** What the filters of an account have said of its events. */
export interface Asked {
  /** The events of which every filter has been asked, oldest first. */
  readonly events: readonly FoundEvent[]
  readonly lookups: readonly Lookup[]
  /** What is known of the next event, where the budget did not last for it. */
  readonly unfinished: Evaluations | undefined
}

/** Asks the filters of one account for its events, as far as a budget goes: whom these are for is looked up by what they say. */
export function* askFilters(
  events: readonly FoundEvent[],
  filters: readonly FoundFilter[],
  evaluator: Evaluator,
  budget: Budget,
): Generator<void, Asked> {
  const lookups = new Map<string, Lookup>()
  const done: FoundEvent[] = []
  let isBegun = false
  for (const event of inOneTurn(events)) {
    budget.spend(1 + event.size / CHARACTERS_PER_STEP)
    for (const asked of filters) {
      if (event.expired || !mayPass(event, asked)) continue
      const known = evaluator.resultsFor(event)
      const isNew = !asked.filter.readsScope && !known.byFilter.has(asked.id)
      // However small the budget, one filter is asked.
      if (isNew && isBegun && budget.isSpent)
        return done.length > 0
          ? { events: done, lookups: [...lookups.values()], unfinished: undefined }
          : { events: [], lookups: [], unfinished: known }
      isBegun ||= isNew
      const lookup = lookupOf(event, asked, evaluator)
      if (lookup !== undefined) lookups.set(`${lookup.filterId} ${lookup.key}`, lookup)
      yield
    }
    done.push(event)
  }
  return { events: done, lookups: [...lookups.values()], unfinished: undefined }
}

/** An event that has been held against some of its listeners is finished before the next one. */
function inOneTurn(events: readonly FoundEvent[]): readonly FoundEvent[] {
  return events[0]?.matchedTo === undefined ? events : events.slice(0, 1)
}

function lookupOf(event: FoundEvent, { accountId, id, filter }: FoundFilter, { evaluate }: Evaluator): Lookup | undefined {
  const common = { accountId, filterId: id, after: event.matchedTo }
  if (filter.readsScope) return { ...common, key: undefined }
  const evaluation = evaluate(event, { filterId: id, filter }, {})
  if (evaluation === undefined) return undefined
  // Everybody who listens with a filter that fails is told.
  return { ...common, key: evaluation.kind === 'failure' ? undefined : correlationKeyOf(evaluation.values) }
}

export function mayPass(event: StoredEvent, { accountId, type }: StoredFilter): boolean {
  return accountId === event.accountId && (type === undefined || type === event.type)
}
