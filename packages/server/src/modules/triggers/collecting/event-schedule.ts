import type { EventConsumptionStrategy, EventFilter, EventReadMode } from '@millrace/dsl'
import { compileEventFilter, type JsonObject } from '@millrace/engine/definition'

/** `schedule.on` of a definition: the events that start its workflow, and the part of each that it gets. */
export interface EventSchedule {
  readonly strategy: EventConsumptionStrategy
  readonly read: EventReadMode
}

/** A filter of a schedule with its name in the sets: `event 0`, `until 1`. */
export interface ScheduleFilter {
  readonly name: string
  readonly filter: EventFilter
}

/** Types that a trigger names at most; with more it takes every type. */
const typesMax = 50
const typeLengthMax = 256

/** Whether one event alone starts the workflow. */
export function takesSingleEvents({ strategy }: EventSchedule): boolean {
  return 'one' in strategy || ('any' in strategy && strategy.until === undefined)
}

/** The filters of a schedule. An empty `any` takes every event. */
export function filtersOf({ strategy }: EventSchedule): readonly ScheduleFilter[] {
  const until = 'any' in strategy ? strategy.until : undefined
  return [...named('event', listOf(strategy)), ...(typeof until === 'object' ? named('until', listOf(until)) : [])]
}

const named = (role: string, filters: readonly EventFilter[]) => filters.map((filter, index) => ({ name: `${role} ${index}`, filter }))

function listOf(strategy: EventConsumptionStrategy): readonly EventFilter[] {
  if ('all' in strategy) return strategy.all
  if ('one' in strategy) return [strategy.one]
  return strategy.any.length === 0 ? [{ with: {} }] : strategy.any
}

/** The filter as the engine compiles it. */
export function compilable({ with: attributes, correlate = {} }: EventFilter): JsonObject {
  const from = Object.fromEntries(Object.entries(correlate).map(([name, correlation]) => [name, correlation.from]))
  return { with: attributes, from, variables: [] }
}

/** The types of events by which the database chooses what may pass: exact ones, or all where a filter names no exact type. */
export function eventTypesOf(schedule: EventSchedule): readonly string[] {
  const types = new Set(filtersOf(schedule).map(({ filter }) => compileEventFilter(compilable(filter)).type ?? '*'))
  return types.has('*') || types.size > typesMax || [...types].some((type) => type.length > typeLengthMax) ? ['*'] : [...types]
}
