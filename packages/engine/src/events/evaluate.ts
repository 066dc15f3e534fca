import type { EventFilter } from '#compile/event-filter.ts'
import type { JsonObject } from '#core/json.ts'
import type { StoredEvent } from './stored.ts'

/** What an event gives for the correlations of a filter; undefined when it does not pass. */
export type Evaluate = (
  event: StoredEvent,
  asked: { readonly filterId: string; readonly filter: EventFilter },
  scope: JsonObject,
) => JsonObject | undefined

/** Filters that read nothing of their execution are asked once for each event. */
export function createEvaluate(): Evaluate {
  const known = new WeakMap<StoredEvent, Map<string, JsonObject | undefined>>()
  return (event, { filterId, filter }, scope) => {
    if (filter.readsScope) return filter.values(event.event, scope)
    const before = known.get(event)
    if (before?.has(filterId) === true) return before.get(filterId)
    const values = filter.values(event.event, {})
    if (before === undefined) known.set(event, new Map([[filterId, values]]))
    else before.set(filterId, values)
    return values
  }
}
