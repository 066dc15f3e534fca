import { compileEventFilter, type EventFilter } from '#compile/event-filter.ts'
import type { JsonObject } from '#core/json.ts'

/** Compiled filters by the digest of what they ask. */
export interface EventFilterCache {
  get(id: string, filter: JsonObject): EventFilter
}

export function createFilterCache(entriesMax: number): EventFilterCache {
  const compiled = new Map<string, EventFilter>()
  return {
    get(id, filter) {
      const found = compiled.get(id)
      if (found !== undefined) return found
      const fresh = compileEventFilter(filter)
      if (compiled.size >= entriesMax) compiled.delete(compiled.keys().next().value ?? '')
      compiled.set(id, fresh)
      return fresh
    },
  }
}
