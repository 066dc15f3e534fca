import { createHash } from 'node:crypto'
import { isObject, type Json, type JsonObject } from '#core/json.ts'
import type { Wait } from '#core/request.ts'
import type { EventFilterCache } from './filter-cache.ts'
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
  const { takes, filters: all } = isObject(wait.arguments) ? wait.arguments : {}
  if (!Array.isArray(all) || (takes !== 'one' && takes !== 'each' && takes !== 'many'))
    throw new Error('a wait of the topic "events" does not say what for')
  return all.map((item: Json): ListenerRow => {
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
}

/** A type that no index takes is as good as none: the filter is asked for every event. */
function indexable(type: string | undefined): string | undefined {
  return type === undefined || type.length > TYPE_MAX || type.includes('\0') ? undefined : type
}

/** Values of correlations as the index has them: equal for equal values, whatever their order. */
export function keyOf(values: JsonObject): string {
  return digestOf(values)
}

function digestOf(value: Json): string {
  return createHash('sha256').update(canonical(value)).digest('base64url').slice(0, 32)
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}
