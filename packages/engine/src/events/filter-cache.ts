import { compileEventFilter, type EventFilter } from '#compile/event-filter.ts'
import type { JsonObject } from '#core/json.ts'

/** Compiled filters by the digest of what they ask. */
export interface EventFilterCache {
  /** @param read gives the filter itself, where it is not compiled yet. */
  get(id: string, read: () => JsonObject): EventFilter
}

/** Definitions are checked before they are run, so this is for what cannot be; it must not hold up the events of everybody else. */
const PASSES_NOTHING: EventFilter = { readsScope: false, correlations: [], type: undefined, values: () => undefined }

export function createFilterCache(entriesMax: number): EventFilterCache {
  const compiled = new Map<string, EventFilter>()
  return {
    get(id, read) {
      const found = compiled.get(id)
      if (found !== undefined) return found
      const fresh = compileOrNothing(read())
      if (compiled.size >= entriesMax) compiled.delete(compiled.keys().next().value ?? '')
      compiled.set(id, fresh)
      return fresh
    },
  }
}

function compileOrNothing(filter: JsonObject): EventFilter {
  try {
    return compileEventFilter(filter)
  } catch {
    return PASSES_NOTHING
  }
}
