import { type EventFilter, EventFilterError } from '#compile/event-filter.ts'
import type { JsonObject } from '#core/json.ts'
import type { StoredEvent } from './stored.ts'

/** Why a filter says nothing of an event. */
export interface FilterFailure {
  readonly kind: 'failure'
  readonly reason: string
}

/** What an event gives for the correlations of a filter; undefined when it does not pass. */
export type Evaluation = { readonly kind: 'passed'; readonly values: JsonObject } | FilterFailure | undefined

export type Evaluate = (
  event: StoredEvent,
  asked: { readonly filterId: string; readonly filter: EventFilter },
  scope: JsonObject,
) => Evaluation

/** What filters have said of one event. */
export interface Evaluations {
  readonly eventId: string
  readonly byFilter: Map<string, Evaluation>
}

export interface EvaluateOptions {
  /** Is told of the steps that each evaluation has taken. */
  readonly spend?: (steps: number) => void
  /** What is known of an event from before. */
  readonly before?: Evaluations | undefined
}

export interface Evaluator {
  readonly evaluate: Evaluate
  /** What filters that read nothing of their execution have said of an event. */
  readonly known: (event: StoredEvent) => Evaluations
}

/** Filters that read nothing of their execution are asked once for each event. */
export function createEvaluator({ spend = () => undefined, before }: EvaluateOptions = {}): Evaluator {
  const known = new WeakMap<StoredEvent, Evaluations>()

  function ask(event: StoredEvent, filter: EventFilter, scope: JsonObject): Evaluation {
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

  function knownOf(event: StoredEvent): Evaluations {
    const found = known.get(event)
    if (found !== undefined) return found
    const fresh = before?.eventId === event.id ? before : { eventId: event.id, byFilter: new Map<string, Evaluation>() }
    known.set(event, fresh)
    return fresh
  }

  return {
    known: knownOf,
    evaluate(event, { filterId, filter }, scope) {
      if (filter.readsScope) return ask(event, filter, scope)
      const { byFilter } = knownOf(event)
      if (byFilter.has(filterId)) return byFilter.get(filterId)
      const evaluation = ask(event, filter, {})
      byFilter.set(filterId, evaluation)
      return evaluation
    },
  }
}
