import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '@millrace/engine'
import type { EventConsumptionStrategy } from '@millrace/dsl'

/** A filter that an event passes. */
export interface Passed {
  /** Of the filter, such as `event 0`. */
  readonly name: string
  /** The values of the event for the correlations of the filter. */
  readonly values: JsonObject
  /** The values that the definition expects. */
  readonly expected: JsonObject
}

/** Events that wait for the others of their set. */
export interface EventSet {
  /** The values by which further events are recognized; the first event that gives one binds it. */
  readonly correlated: JsonObject
  /** The filters that have had an event. */
  readonly passed: readonly string[]
}

/** What an event does to a set. */
export interface SetPlan<S extends EventSet = EventSet> {
  /** Undefined for a new set. */
  readonly set: S | undefined
  readonly next: EventSet
  /** Whether the workflow gets the event; one that only ends a set is left out. */
  readonly consumes: boolean
  /** Whether no further event is awaited. A condition in `until` is decided by the caller. */
  readonly ends: boolean
}

/**
 * Which set takes an event: the oldest one that lacks it and whose correlated values are the same, as one `listen` after the other would; else a new set.
 * @returns undefined for an event that passes no filter, or that ends a set where none is open.
 */
export function planSet<S extends EventSet>(
  strategy: EventConsumptionStrategy,
  passed: readonly Passed[],
  sets: readonly S[],
): SetPlan<S> | undefined {
  const candidates = passed.filter(({ values, expected }) => agrees(values, expected))
  for (const set of sets) {
    const plan = added(strategy, candidates, set)
    if (plan !== undefined) return { set, ...plan }
  }
  const plan = added(strategy, candidates.filter(isConsumed), { correlated: {}, passed: [] })
  return plan && { set: undefined, ...plan }
}

const isConsumed = ({ name }: Passed) => name.startsWith('event ')

function added(strategy: EventConsumptionStrategy, candidates: readonly Passed[], { correlated, passed }: EventSet) {
  const isStream = 'any' in strategy
  let bound = correlated
  const names: string[] = []
  for (const candidate of candidates) {
    const isOpen = (isStream && isConsumed(candidate)) || !passed.includes(candidate.name)
    if (!isOpen || !agrees(candidate.values, bound)) continue
    names.push(candidate.name)
    bound = { ...candidate.values, ...bound }
  }
  if (names.length === 0) return undefined
  const next = { correlated: bound, passed: [...new Set([...passed, ...names])] }
  return { next, consumes: names.some((name) => name.startsWith('event ')), ends: isComplete(strategy, next.passed) }
}

function isComplete(strategy: EventConsumptionStrategy, passed: readonly string[]): boolean {
  if ('all' in strategy) return strategy.all.every((_filter, index) => passed.includes(`event ${index}`))
  const until = 'any' in strategy ? strategy.until : undefined
  if (typeof until !== 'object') return false
  if ('all' in until) return until.all.every((_filter, index) => passed.includes(`until ${index}`))
  return passed.some((name) => name.startsWith('until '))
}

/** Whether an event has the values that a set or a definition expects, as far as it gives them. */
function agrees(values: JsonObject, expected: JsonObject): boolean {
  return Object.entries(values).every(([name, value]) => !Object.hasOwn(expected, name) || isDeepStrictEqual(value, expected[name]))
}
