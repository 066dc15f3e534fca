import { isObject, type Json, type JsonObject } from '#core/json.ts'
import type { Wait } from '#core/request.ts'
import { createMatchState } from './match-state.ts'
import { createEvaluator } from './evaluate.ts'
import type { EventFilterCache } from './filter-cache.ts'
import { digestOf, correlationKeyOf } from './correlation-key.ts'
import type { StoredListener } from './stored.ts'

/** The index takes a type of at most so many characters; the types of events are shorter. */
const TYPE_MAX = 800

/** A listener that is not stored yet, with its filter as written. */
export interface NewListener extends StoredListener {
  /** The one type of event that can pass the filter, if the index takes it. */
  readonly filterType: string | undefined
  /** The definition of the filter, before compilation. */
  readonly source: JsonObject
}

/** A wait of an execution. */
export interface OpenedWait {
  readonly accountId: string
  readonly executionId: string
  readonly wait: Wait
}

/** The listeners of a wait of the topic `events`, one for each filter. */
export function listenersOfWait(opened: OpenedWait, filters: EventFilterCache, newId: () => string): readonly NewListener[] {
  const steps = buildListeners(opened, filters, newId)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The same, interruptible after each filter: one definition can have thousands of them. */
export function* buildListeners(
  { accountId, executionId, wait }: OpenedWait,
  filters: EventFilterCache,
  newId: () => string,
): Generator<void, readonly NewListener[]> {
  const { takes, filters: all, had = [] } = isObject(wait.arguments) ? wait.arguments : {}
  if (!Array.isArray(all) || (takes !== 'one' && takes !== 'each' && takes !== 'many'))
    throw new Error('a wait of the topic "events" has invalid arguments')
  const rows: NewListener[] = []
  const firstId = newId()
  for (const item of all) {
    const { role, index, filter, expected, scope } = isObject(item) ? item : {}
    if (
      (role !== 'event' && role !== 'until') ||
      typeof index !== 'number' ||
      filter === undefined ||
      !isObject(filter) ||
      expected === undefined ||
      !isObject(expected)
    )
      throw new Error('invalid event filter in wait arguments')
    const filterId = digestOf(filter)
    const compiled = filters.get(filterId, () => filter)
    const openNames = compiled.correlations.filter((name) => !Object.hasOwn(expected, name))
    rows.push({
      id: idAfter(firstId, rows.length),
      accountId,
      executionId,
      position: wait.position,
      role,
      index,
      takes,
      filterId,
      filterType: indexable(compiled.type),
      filter: compiled,
      source: filter,
      expected,
      openNames,
      key: openNames.length === 0 ? correlationKeyOf(expected) : undefined,
      scope: scope !== undefined && isObject(scope) ? scope : {},
    })
    yield
  }
  return Array.isArray(had) && had.length > 0 ? remainingAfter(rows, had) : rows
}

/** The listeners that remain after the wait has received some events, with the correlations that these events bound. */
function remainingAfter(rows: readonly NewListener[], had: readonly Json[]): readonly NewListener[] {
  const state = createMatchState(createEvaluator().evaluate)
  state.add(rows)
  for (const arrival of had) {
    const { role, index, event } = isObject(arrival) ? arrival : {}
    const row = rows.find((candidate) => candidate.role === role && candidate.index === index)
    if (row === undefined || event === undefined || !isObject(event)) continue
    state.recordReceived({ id: '', accountId: row.accountId, type: '', event, expired: false }, row)
  }
  return state.remaining(rows)
}

/** A type that no index takes counts as undefined: the filter is then evaluated for events of all types. */
function indexable(type: string | undefined): string | undefined {
  return type === undefined || type.length > TYPE_MAX || type.includes('\0') ? undefined : type
}

/**
 * The id of the listener of this index. No other id lies between those of one wait, whatever other lanes and processes insert meanwhile: the matcher reads listeners
 * in the order of their ids, in pages that end between waits.
 */
function idAfter(firstId: string, index: number): string {
  return `${firstId.slice(0, 28)}${index.toString(16).padStart(8, '0')}`
}
