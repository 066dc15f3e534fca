import { durationMs } from '#src/duration.ts'
import {
  expression,
  formatted,
  integer,
  list,
  literal,
  map,
  may,
  must,
  named,
  object,
  oneOf,
  opaque,
  opaqueObject,
  openObject,
  reference,
} from './build.ts'
import {
  authenticationDefinition,
  catalog,
  error,
  input,
  interval,
  output,
  retryPolicy,
  timeout,
  timeoutDefinition,
} from './data-shapes.ts'
import { readMode, strategy } from './event-shapes.ts'
import { labels } from './label-shape.ts'
import type { ObjectRule, TypeOf } from './shape.ts'
import { task, tasks } from './task-shapes.ts'

const dayMs = 86_400_000

const keptForADay: ObjectRule = ({ retention }) => {
  const ms = durationMs(retention)
  return ms === undefined || (typeof retention === 'string' && ms >= dayMs && ms <= 36_500 * dayMs)
    ? undefined
    : {
        code: 'invalid_value',
        key: 'retention',
        message: 'Executions are kept for no less than a day and no more than a hundred years.',
        hint: 'Write an ISO 8601 duration such as P7D, P90D or P10Y.',
      }
}

/**
 * `retention`, `concurrency`, `labels` and `timeZone` are ours: how long executions are kept after their end (docs/storage.md), how many run at once, what
 * they are found by (docs/executions.md), and the zone of `schedule.cron` (docs/dsl.md).
 */
const documentMetadata = openObject(
  'the metadata of the document',
  {
    retention: formatted('duration', 'literal'),
    concurrency: integer({ min: 1 }),
    labels: may(labels, { stage: 'label' }),
    timeZone: formatted('timeZone', 'literal'),
  },
  opaque,
  { rule: keptForADay },
)

const info = object('the document', {
  dsl: must(formatted('dslVersion', 'literal')),
  namespace: must(formatted('hostname', 'literal')),
  name: must(formatted('hostname', 'literal')),
  version: must(formatted('semver', 'literal')),
  title: literal,
  summary: literal,
  tags: opaqueObject,
  metadata: documentMetadata,
})

/** The identity of the workflow: `namespace/name:version`, written in `dsl`. */
export interface DocumentInfo extends TypeOf<typeof info> {}

/** Tasks done before and after every task of a kind; `composite` means `do` (dsl-reference, Extension). */
const extension = object('an extension', {
  extend: must(oneOf('call', 'composite', 'emit', 'for', 'listen', 'raise', 'run', 'set', 'switch', 'try', 'wait', 'all')),
  when: expression,
  before: tasks,
  after: tasks,
})

export interface Extension extends TypeOf<typeof extension> {}

const use = object('the components of the workflow', {
  authentications: map('authentication policies by name', authenticationDefinition),
  catalogs: map('catalogs by name', catalog),
  errors: map('errors by name', error),
  extensions: named('an extension', extension),
  functions: map('functions by name', task),
  retries: may(map('retry policies by name', retryPolicy), { stage: 'retry' }),
  secrets: list('names of secrets', reference('listedSecret'), { unique: true }),
  timeouts: map('timeouts by name', timeoutDefinition),
})

/** The reusable components of the workflow, by name. */
export interface Use extends TypeOf<typeof use> {}

const readNeedsOn: ObjectRule = (value) =>
  'read' in value && !('on' in value)
    ? {
        code: 'unknown_property',
        key: 'read',
        message: '"read" goes with "on" only.',
        hint: 'Remove it, or add on: with the events that start the workflow.',
      }
    : undefined

const scheduleRule: ObjectRule = (value) =>
  'timeZone' in value
    ? {
        code: 'unknown_property',
        key: 'timeZone',
        message: '"timeZone" is no property of a schedule in a definition.',
        hint: 'Write it in the metadata of the document: document: { …, metadata: { timeZone: Europe/Berlin } }. It is the zone of cron:.',
      }
    : readNeedsOn(value)

const schedule = object(
  'a schedule',
  { every: interval, cron: formatted('cron', 'literal'), after: interval, on: strategy, read: readMode },
  { atLeastOne: ['every', 'cron', 'after', 'on'], rule: scheduleRule },
)

export interface Schedule extends TypeOf<typeof schedule> {}

const evaluate = object('the configuration of expressions', {
  language: formatted('expressionLanguage', 'literal'),
  mode: oneOf('strict', 'loose'),
})

export interface Evaluate extends TypeOf<typeof evaluate> {}

/** The whole document; the order of its properties is that of the canonical form. */
export const definitionShape = object('a workflow definition', {
  document: must(info),
  input: may(input, { stage: 'workflow' }),
  use: may(use, { stage: 'task' }),
  do: must(tasks, { stage: 'task' }),
  timeout: may(timeout, { stage: 'workflow' }),
  output: may(output, { stage: 'workflowOutput' }),
  schedule: may(schedule, { stage: 'workflow' }),
  evaluate,
})

/** A workflow definition of the Open Workflow Specification DSL 1.0.3. */
export interface Definition extends TypeOf<typeof definitionShape> {}
