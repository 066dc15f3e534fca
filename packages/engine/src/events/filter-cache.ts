import { compileEventFilter, describeEventFilter, type EventFilter, EventFilterError } from '#compile/event-filter.ts'
import type { JsonObject } from '#core/json.ts'

/** Compiled filters by the digest of their definition. */
export interface EventFilterCache {
  /** @param read supplies the definition of a filter that is not cached. */
  get(id: string, read: () => JsonObject): EventFilter
}

/** Steps charged for compiling one character of a filter. */
const STEPS_PER_CHARACTER = 4

/** A filter is compiled when it is first evaluated, not when it is read. */
export function createFilterCache(entriesMax: number): EventFilterCache {
  const filters = new Map<string, EventFilter>()
  return {
    get(id, read) {
      const cached = filters.get(id)
      if (cached !== undefined) return cached
      const filter = compileLazily(read())
      if (filters.size >= entriesMax) filters.delete(filters.keys().next().value ?? '')
      filters.set(id, filter)
      return filter
    },
  }
}

function compileLazily(source: JsonObject): EventFilter {
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

/** Definitions are validated before they run. A filter that still cannot be compiled fails on every event. */
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
