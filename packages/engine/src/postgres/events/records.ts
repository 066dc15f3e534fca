import { type JsonObject, membersOf, parseJson } from '#core/json.ts'
import type { EventFilterCache } from '#events/filter-cache.ts'
import type { StoredEvent, StoredFilter, StoredListener } from '#events/stored.ts'

export interface EventRow {
  readonly id: string
  readonly account_id: string
  readonly type: string
  readonly envelope: string
  readonly expired: boolean
  readonly takers: number
  readonly matched_to: string | null
}

/** A row of `events`. Its envelope is parsed when it is first read. */
export interface EventRecord extends StoredEvent {
  /** Characters of its envelope. */
  readonly size: number
  /** How many listeners have received it. */
  readonly takers: number
  /** It has been matched with the listeners up to this id; undefined if with none. */
  readonly matchedTo: string | undefined
}

/** A row of `listeners`. */
export interface ListenerRecord extends StoredListener {
  /** It has not been matched with the kept events. */
  readonly isNew: boolean
  /** All kept events that pass its filter are in `kept_events`. */
  readonly isIndexed: boolean
  /** The last event that was indexed for its filter, where not all are. */
  readonly indexedTo: string | undefined
  /** It has been matched with the kept events up to this id. */
  readonly keptTo: string | undefined
  /** Characters of the part of its execution that the filter reads. */
  readonly scopeSize: number
}

/** A row of `event_filters`. */
export interface FilterRecord extends StoredFilter {
  /** Events that become kept and pass it are written to `kept_events`. */
  readonly indexesKept: boolean
}

/** The next rows of a table, in the order of their ids. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** The id at which the page ends; undefined where no rows follow. */
  readonly to: string | undefined
}

export interface ListenerRow {
  readonly id: string
  readonly account_id: string
  readonly execution_id: string
  readonly position: string
  readonly role: 'event' | 'until'
  readonly index: number
  readonly takes: 'one' | 'each' | 'many'
  readonly filter_id: string
  readonly expected: string
  readonly open_names: readonly string[]
  readonly key: string | null
  readonly scope: string | null
  readonly is_new: boolean
  readonly filter: string
  readonly is_indexed: boolean
  readonly indexed_to: string | null
  readonly kept_to: string | null
}

export const eventColumns = `events.id, events.account_id, events.type, events.envelope, events.takers, events.matched_to,
  events.expires_at <= now() as expired`
export const listenerColumns = `l.id, l.account_id, l.execution_id, l.position, l.role, l.index, l.takes, l.filter_id, l.expected, l.open_names, l.key, l.scope,
  l.kept_to, l.matched_at is null as is_new, f.filter, f.kept_since is not null as is_indexed, f.kept_to as indexed_to`
export const joinFilter = 'join event_filters f on f.account_id = l.account_id and f.id = l.filter_id'

export function toEvent(row: EventRow): EventRecord {
  const { id, type, envelope, expired, takers } = row
  let event: JsonObject | undefined
  return {
    id,
    accountId: row.account_id,
    type,
    get event() {
      event ??= objectOf(envelope)
      return event
    },
    expired,
    size: envelope.length,
    takers,
    matchedTo: row.matched_to ?? undefined,
  }
}

export function toListener(row: ListenerRow, filters: EventFilterCache): ListenerRecord {
  const { id, position, role, index, takes } = row
  let scope: JsonObject | undefined
  return {
    id,
    accountId: row.account_id,
    executionId: row.execution_id,
    position,
    role,
    index,
    takes,
    filterId: row.filter_id,
    filter: filters.get(row.filter_id, () => objectOf(row.filter)),
    expected: objectOf(row.expected),
    openNames: row.open_names,
    key: row.key ?? undefined,
    get scope() {
      scope ??= row.scope === null ? {} : objectOf(row.scope)
      return scope
    },
    scopeSize: row.scope?.length ?? 0,
    isNew: row.is_new,
    isIndexed: row.is_indexed,
    indexedTo: row.indexed_to ?? undefined,
    keptTo: row.kept_to ?? undefined,
  }
}

/** Text that is not a JSON object reads as an object without members: it passes no filter and does not stop the matcher. */
export function objectOf(text: string): JsonObject {
  return membersOf(parseJson(text))
}
