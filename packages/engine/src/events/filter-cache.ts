import { compileEventFilter, describeEventFilter, type EventFilter, EventFilterError } from '#compile/event-filter.ts'
import type { JsonObject } from '#core/json.ts'

/** Compiled filters by the digest of what they ask. */
export interface EventFilterCache {
  /** @param read gives the filter itself, where it is not known yet. */
  get(id: string, read: () => JsonObject): EventFilter
}

/** Steps that compiling counts as, for each character of the filter. */
const STEPS_PER_CHARACTER = 4

/** A filter is compiled when it is asked for the first time, and not when it is only read. */
export function createFilterCache(entriesMax: number): EventFilterCache {
  const filters = new Map<string, EventFilter>()
  return {
    get(id, read) {
      const found = filters.get(id)
      if (found !== undefined) return found
      const fresh = compiledLater(read())
      if (filters.size >= entriesMax) filters.delete(filters.keys().next().value ?? '')
      filters.set(id, fresh)
      return fresh
    },
  }
}

function compiledLater(source: JsonObject): EventFilter {
  let compiled: EventFilter | undefined
  let compileSteps = 0
  return {
    ...describeEventFilter(source),
    values(event, scope) {
      compileSteps = 0
      if (compiled === undefined) {
        compileSteps = JSON.stringify(source).length * STEPS_PER_CHARACTER
        compiled = compileOrFail(source)
      }
      return compiled.values(event, scope)
    },
    steps: () => compileSteps + (compiled?.steps() ?? 0),
  }
}

/** Definitions are checked before they are run; a filter that cannot be compiled all the same fails on every event. */
function compileOrFail(source: JsonObject): EventFilter {
  try {
    return compileEventFilter(source)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const values = () => {
      throw new EventFilterError(reason, { cause: error })
    }
    return { ...describeEventFilter(source), values, steps: () => 1 }
  }
}
