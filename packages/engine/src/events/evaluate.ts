import { type EventFilter, EventFilterError } from '#compile/event-filter.ts'
import type { JsonObject } from '#core/json.ts'
import type { StoredEvent } from './stored.ts'

/** A filter could not be evaluated on an event. */
export interface FilterFailure {
  readonly kind: 'failure'
  readonly reason: string
}

/** The values that an event gives for the correlations of a filter; undefined when the event does not pass the filter. */
export type Evaluation = { readonly kind: 'passed'; readonly values: JsonObject } | FilterFailure | undefined

export type Evaluate = (
  event: StoredEvent,
  stored: { readonly filterId: string; readonly filter: EventFilter },
  scope: JsonObject,
) => Evaluation

/** The results of filters for one event. */
export interface Evaluations {
  readonly eventId: string
  readonly byFilter: Map<string, Evaluation>
}

export interface EvaluateOptions {
  /** Charges the steps of each evaluation. */
  readonly spend?: (steps: number) => void
  /** Results for one event from an earlier, unfinished pass. */
  readonly previous?: Evaluations | undefined
}

export interface Evaluator {
  readonly evaluate: Evaluate
  /** The results so far of the filters that read nothing of their execution. */
  readonly resultsFor: (event: StoredEvent) => Evaluations
}

/** Evaluates filters on events. A filter that reads nothing of its execution is evaluated once for each event, and its result is cached. */
export function createEvaluator({ spend = () => undefined, previous }: EvaluateOptions = {}): Evaluator {
  const cache = new WeakMap<StoredEvent, Evaluations>()

  function evaluateOnce(event: StoredEvent, filter: EventFilter, scope: JsonObject): Evaluation {
    try {
      const values = filter.values(event.event, scope)
      return values === undefined ? undefined : { kind: 'passed', values }
    } catch (error) {
      if (error instanceof EventFilterError) return { kind: 'failure', reason: error.message }
      throw error
    } finally {
      spend(filter.steps())
    }
  }

  function resultsFor(event: StoredEvent): Evaluations {
    const cached = cache.get(event)
    if (cached !== undefined) return cached
    const results = previous?.eventId === event.id ? previous : { eventId: event.id, byFilter: new Map<string, Evaluation>() }
    cache.set(event, results)
    return results
  }

  return {
    resultsFor,
    evaluate(event, { filterId, filter }, scope) {
      if (filter.readsScope) return evaluateOnce(event, filter, scope)
      const { byFilter } = resultsFor(event)
      if (byFilter.has(filterId)) return byFilter.get(filterId)
      const evaluation = evaluateOnce(event, filter, {})
      byFilter.set(filterId, evaluation)
      return evaluation
    },
  }
}
