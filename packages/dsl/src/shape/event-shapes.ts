import { any, expression, formatted, list, map, may, must, object, oneOf, tasks, text, union } from './build.ts'
import { exported, output } from './data-shapes.ts'
import type { ObjectRule } from './shape.ts'
import { variableNames } from './variables.ts'

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

export const emittedEvent = object('an event', { ...attributes, source: must(formatted('uri')), type: must(text) }, { rest: any })

const correlation = object('a correlation', { from: must(expression), expect: text })

const filter = object('an event filter', {
  with: must(object('the attributes of an event filter', attributes, { rest: any, entriesMin: 1 })),
  correlate: map('correlations by name', correlation),
})

const strategies = { all: list('event filters', filter), any: list('event filters', filter), one: filter }
const exactlyOne = [Object.keys(strategies)]

const untilNeedsAny: ObjectRule = (value) =>
  'until' in value && !('any' in value)
    ? { code: 'unknown_property', key: 'until', message: '"until" goes with "any" only.', hint: 'Remove it, or listen to any.' }
    : undefined

/** What ends an `any` strategy; it cannot be ended by a third one. */
const endingStrategy = object('an event consumption strategy', strategies, { exactlyOne })

export const strategy = object(
  'an event consumption strategy',
  { ...strategies, until: union('an expression or an event consumption strategy', { string: expression, object: endingStrategy }) },
  { exactlyOne, rule: untilNeedsAny },
)

export const readMode = oneOf('data', 'envelope', 'raw')

const iteration = variableNames({ item: 'item', at: 'index' })

export const subscriptionIterator = object('an iterator over events', {
  item: formatted('variable', 'literal'),
  at: formatted('variable', 'literal'),
  do: may(tasks, { variables: iteration }),
  output: may(output, { stage: 'taskOutput', variables: iteration }),
  export: may(exported, { stage: 'taskExport', variables: iteration }),
})
