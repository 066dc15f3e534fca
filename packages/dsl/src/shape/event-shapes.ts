import { any, expression, formatted, list, map, must, object, oneOf, openObject, text, union, variants } from './build.ts'
import type { ObjectRule, TypeOf } from './shape.ts'

const attributes = {
  id: text,
  source: formatted('uri'),
  type: text,
  time: formatted('timestamp'),
  subject: text,
  datacontenttype: text,
  dataschema: formatted('uri'),
  data: any,
}

/** Attributes of a CloudEvent; any further key is an extension attribute. */
export const emittedEvent = openObject('an event', { ...attributes, source: must(formatted('uri')), type: must(text) }, any)

export type EmittedEvent = TypeOf<typeof emittedEvent>

const filteredAttributes = openObject('the attributes of an event filter', attributes, any, { entriesMin: 1 })

export type EventProperties = TypeOf<typeof filteredAttributes>

const correlation = object('a correlation', { from: must(expression), expect: text })

export interface Correlation extends TypeOf<typeof correlation> {}

const filter = object('an event filter', { with: must(filteredAttributes), correlate: map('correlations by name', correlation) })

export interface EventFilter extends TypeOf<typeof filter> {}

const strategies = { all: list('event filters', filter), any: list('event filters', filter), one: filter }
const strategyNames = ['all', 'any', 'one'] as const

const untilNeedsAny: ObjectRule = (value) =>
  'until' in value && !('any' in value)
    ? { code: 'unknown_property', key: 'until', message: '"until" goes with "any" only.', hint: 'Remove it, or listen to any.' }
    : undefined

/** The strategy that ends an `any` strategy; it has no `until` itself. */
const endingStrategy = variants('an event consumption strategy', strategies, strategyNames)

/** Without `until` the first event ends an `any`; an empty `any` takes every event. */
export const strategy = variants(
  'an event consumption strategy',
  { ...strategies, until: union('an expression or an event consumption strategy', { string: expression, object: endingStrategy }) },
  strategyNames,
  { rule: untilNeedsAny },
)

export type EventConsumptionStrategy = TypeOf<typeof strategy>

/** `data` unless given. */
export const readMode = oneOf('data', 'envelope', 'raw')

/** How a consumed event is read. */
export type EventReadMode = TypeOf<typeof readMode>
