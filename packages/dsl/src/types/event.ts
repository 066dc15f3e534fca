import type { Json } from './json.ts'

/** Attributes of a CloudEvent; any further key is an extension attribute. */
export interface EventProperties {
  readonly id?: string
  readonly source?: string
  readonly type?: string
  readonly time?: string
  readonly subject?: string
  readonly datacontenttype?: string
  readonly dataschema?: string
  readonly data?: Json
  readonly [attribute: string]: Json | undefined
}

export interface Correlation {
  readonly from: string
  readonly expect?: string
}

export interface EventFilter {
  readonly with: EventProperties
  readonly correlate?: Readonly<Record<string, Correlation>>
}

export interface AllStrategy {
  readonly all: readonly EventFilter[]
}

/** Without `until` the first event ends it; an empty `any` takes every event. */
export interface AnyStrategy {
  readonly any: readonly EventFilter[]
  readonly until?: string | EventConsumptionStrategy
}

export interface OneStrategy {
  readonly one: EventFilter
}

export type EventConsumptionStrategy = AllStrategy | AnyStrategy | OneStrategy

/** How a consumed event is read; `data` unless given. */
export type EventReadMode = 'data' | 'envelope' | 'raw'
