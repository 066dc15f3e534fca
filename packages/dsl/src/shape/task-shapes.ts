import type { TaskKind } from '#src/types/task.ts'
import {
  type Properties,
  any,
  boolean,
  branches,
  directive,
  expression,
  formatted,
  integer,
  list,
  may,
  must,
  named,
  object,
  opaque,
  opaqueObject,
  reference,
  tasks,
  union,
} from './build.ts'
import { callArguments } from './call-shapes.ts'
import { anyObject, duration, error, errorFilter, exported, input, output, retryPolicy, timeout } from './data-shapes.ts'
import { emittedEvent, readMode, strategy, subscriptionIterator } from './event-shapes.ts'
import { run } from './run-shapes.ts'
import type { ObjectShape, Shape } from './shape.ts'
import { objectAt, variableNames } from './variables.ts'

const before: Properties = {
  if: may(expression, { stage: 'taskInput' }),
  input: may(input, { stage: 'taskInput' }),
}

const after: Properties = {
  output: may(output, { stage: 'taskOutput' }),
  export: may(exported, { stage: 'taskExport' }),
  timeout,
  ...directive(),
}

/** A task: what every task may have around what this kind has. */
function taskShape(what: string, properties: Properties, metadata: Shape = opaqueObject): ObjectShape {
  return object(what, { ...before, ...properties, ...after, metadata })
}

const call = { call: must(reference('function')) }

/** Every call that the DSL itself knows, by the value of `call`. */
export const callShapes: ReadonlyMap<string, ObjectShape> = new Map(
  [...callArguments].map(([name, shape]) => [name, taskShape(`a call of ${name}`, { ...call, with: must(shape) })]),
)

export const functionCallShape = taskShape('a call of a function', { ...call, with: anyObject })

const errorVariable = variableNames({ as: 'error' })

const caught = object('a catch', {
  errors: object('the errors to catch', { with: errorFilter }),
  as: formatted('variable', 'literal'),
  when: may(expression, { variables: errorVariable }),
  exceptWhen: may(expression, { variables: errorVariable }),
  retry: may(union('a retry policy, or the name of one of use.retries', { string: reference('retry'), object: retryPolicy }), {
    variables: errorVariable,
  }),
  do: may(tasks, { variables: errorVariable }),
  ...directive(),
})

const loopVariables = variableNames({ each: 'item', at: 'index' })
const iteration = { variables: (task: Parameters<typeof objectAt>[0]) => loopVariables(objectAt(task, 'for')) }

const loop = object('a loop', {
  each: formatted('variable', 'literal'),
  in: must(union('an expression that gives a list, or a list of objects', { string: expression, list: list('objects', anyObject) })),
  at: formatted('variable', 'literal'),
})

/** `concurrency` is ours: how many iterations may run at a time (docs/dsl.md). */
const loopMetadata = object('the metadata of a loop', { concurrency: integer({ min: 1 }) }, { rest: opaque })

const switchCase = object('a case of a switch', { when: expression, ...directive(must) })

const switchShape = named('a case of a switch', switchCase, { entriesMin: 1 })

const settable = union('an object, or an expression that gives one', {
  string: expression,
  object: object('the data to set', {}, { rest: any, entriesMin: 1 }),
})

const raised = union('an error, or the name of one of use.errors', { string: reference('error'), object: error })

/** The shapes of all tasks but calls, which `call` decides. */
export const taskShapes: Readonly<Record<Exclude<TaskKind, 'call'>, ObjectShape>> = {
  do: taskShape('a do task', { do: must(tasks) }),
  emit: taskShape('an emit task', {
    emit: must(object('what to emit', { event: must(object('the event to emit', { with: must(emittedEvent) })) })),
  }),
  for: taskShape('a for task', { for: must(loop), while: may(expression, iteration), do: must(tasks, iteration) }, loopMetadata),
  fork: taskShape('a fork task', { fork: must(object('a fork', { branches: must(branches), compete: boolean })) }),
  listen: taskShape('a listen task', {
    listen: must(object('a listener', { to: must(strategy), read: readMode })),
    foreach: subscriptionIterator,
  }),
  raise: taskShape('a raise task', { raise: must(object('what to raise', { error: must(raised) })) }),
  run: taskShape('a run task', { run: must(run) }),
  set: taskShape('a set task', { set: must(settable) }),
  switch: taskShape('a switch task', { switch: must(switchShape) }),
  try: taskShape('a try task', { try: must(tasks), catch: must(caught) }),
  wait: taskShape('a wait task', { wait: must(duration) }),
}
