import { isObject, type Json, type JsonObject } from '#core/json.ts'
import type { Wait } from '#core/request.ts'
import { createBoard } from './board.ts'
import { createEvaluator } from './evaluate.ts'
import type { EventFilterCache } from './filter-cache.ts'
import { digestOf, keyOf } from './key.ts'
import type { StoredListener } from './stored.ts'

/** Characters of a type that is looked up by an index; those of events are shorter. */
const TYPE_MAX = 800

/** A listener that is about to be, and what it asks. */
export interface ListenerRow extends StoredListener {
  /** The one type that its filter is found by. */
  readonly filterType: string | undefined
  /** What the filter was compiled from. */
  readonly source: JsonObject
}

/** The listeners that a wait of the topic `events` stands for, one for each filter. */
export function listenerRows(
  { accountId, executionId, wait }: { readonly accountId: string; readonly executionId: string; readonly wait: Wait },
  filters: EventFilterCache,
  newId: () => string,
): readonly ListenerRow[] {
  const { takes, filters: all, had = [] } = isObject(wait.arguments) ? wait.arguments : {}
  if (!Array.isArray(all) || (takes !== 'one' && takes !== 'each' && takes !== 'many'))
    throw new Error('a wait of the topic "events" does not say what for')
  const rows = all.map((item: Json): ListenerRow => {
    const { role, index, filter, expected, scope } = isObject(item) ? item : {}
    if (
      (role !== 'event' && role !== 'until') ||
      typeof index !== 'number' ||
      filter === undefined ||
      !isObject(filter) ||
      expected === undefined ||
      !isObject(expected)
    )
      throw new Error('a filter of a wait for events is none')
    const filterId = digestOf(filter)
    const compiled = filters.get(filterId, () => filter)
    const openNames = compiled.correlations.filter((name) => !Object.hasOwn(expected, name))
    return {
      id: newId(),
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
      key: openNames.length === 0 ? keyOf(expected) : undefined,
      scope: scope !== undefined && isObject(scope) ? scope : {},
    }
  })
  return Array.isArray(had) && had.length > 0 ? leftOf(rows, had) : rows
}

/** What is still listened for after some events, which have bound what was open. */
function leftOf(rows: readonly ListenerRow[], had: readonly Json[]): readonly ListenerRow[] {
  const board = createBoard(createEvaluator().evaluate)
  board.add(rows)
  for (const arrival of had) {
    const { role, index, event } = isObject(arrival) ? arrival : {}
    const row = rows.find((one) => one.role === role && one.index === index)
    if (row === undefined || event === undefined || !isObject(event)) continue
    board.had({ id: '', accountId: row.accountId, type: '', event, expired: false }, row)
  }
  return board.left(rows)
}

/** A type that no index takes is as good as none: the filter is asked for every event. */
function indexable(type: string | undefined): string | undefined {
  return type === undefined || type.length > TYPE_MAX || type.includes('\0') ? undefined : type
}
