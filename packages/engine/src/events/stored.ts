import type { EventFilter } from '#compile/event-filter.ts'
import type { JsonObject } from '#core/json.ts'

/** An event on a bus. */
export interface StoredEvent {
  readonly id: string
  readonly accountId: string
  readonly type: string
  readonly event: JsonObject
  readonly expired: boolean
}

/** One filter of a wait, compiled. */
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

/** A filter that events are evaluated against, shared by all listeners that use it. */
export interface StoredFilter {
  readonly accountId: string
  readonly id: string
  /** The one type of event that can pass. */
  readonly type: string | undefined
  readonly filter: EventFilter
}
