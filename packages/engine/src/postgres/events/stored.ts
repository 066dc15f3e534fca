import type { EventFilter } from '#compile/event-filter.ts'
import type { JsonObject } from '#core/json.ts'

/** An event on the bus as the database has it. */
export interface StoredEvent {
  readonly id: string
  readonly accountId: string
  readonly type: string
  readonly event: JsonObject
  readonly expired: boolean
}

/** A listener as the database has it, with its filter compiled. */
export interface StoredListener {
  readonly id: string
  readonly accountId: string
  readonly executionId: string
  readonly position: string
  readonly role: 'event' | 'until'
  readonly index: number
  readonly takes: 'one' | 'each' | 'many'
  readonly filterId: string
  readonly filter: EventFilter
  readonly expected: JsonObject
  readonly openNames: readonly string[]
  readonly key: string | undefined
  readonly scope: JsonObject
}

/** A filter that events are held against. */
export interface StoredFilter {
  readonly accountId: string
  readonly id: string
  /** The one type of event that can pass. */
  readonly type: string | undefined
  readonly filter: EventFilter
}
