import {
  any,
  boolean,
  condition,
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
  openObject,
  type Properties,
  reference,
  union,
} from './build.ts'
import { asyncApiArguments, callArguments } from './call-shapes.ts'
import { anyObject, duration, error, errorFilter, exported, input, output, retryPolicy, timeout } from './data-shapes.ts'
import { emittedEvent, readMode, strategy } from './event-shapes.ts'
import { run } from './run-shapes.ts'
import type { Describes, ObjectShape, PlainShape, TasksShape, TypeOf } from './shape.ts'
import { objectAt, variableNames } from './variables.ts'

/*
 * A task may contain lists of tasks. The types close this circle through the interface `TaskItem`, so all shapes that contain tasks are here.
 */

export const task: PlainShape & Describes<Task> = { kind: 'task' }
export const tasks: TasksShape & Describes<TaskList> = { kind: 'tasks', branches: false }
const branches: TasksShape & Describes<TaskList> = { kind: 'tasks', branches: true }

/** One entry of a list: an object with the task's name as its only key. */
export interface TaskItem {
  readonly [name: string]: Task
}

export type TaskList = readonly TaskItem[]

/** `continue`, `exit`, `end`, or the name of a task of the same list. */
const then = reference('then')

export type FlowDirective = TypeOf<typeof then>

const before = {
  if: may(condition, { stage: 'taskInput' }),
  input: may(input, { stage: 'taskInput' }),
}

const after = {
  output: may(output, { stage: 'taskOutput' }),
  export: may(exported, { stage: 'taskExport' }),
  timeout,
  then,
}

const common = object('a task', { ...before, ...after, metadata: opaqueObject })

/** The properties that every task may have (dsl-reference, Task). */
export interface TaskBase extends TypeOf<typeof common> {}

/** The shape of a kind of task: the common properties and its own. */
function taskShape<Of extends Properties>(what: string, properties: Of) {
  return object(what, { ...before, ...properties, ...after, metadata: opaqueObject })
}

const iteratorVariables = variableNames({ item: 'item', at: 'index' })

/** The tasks for each consumed event or message; `item` and `at` name the variables. */
const subscriptionIterator = object('an iterator over events', {
  item: formatted('variable', 'literal'),
  at: formatted('variable', 'literal'),
  do: may(tasks, { variables: iteratorVariables }),
  output: may(output, { stage: 'taskOutput', variables: iteratorVariables }),
  export: may(exported, { stage: 'taskExport', variables: iteratorVariables }),
})

export interface SubscriptionIterator extends TypeOf<typeof subscriptionIterator> {}

const asyncapi = asyncApiArguments(subscriptionIterator)

/** Exactly one of `channel` and `operation`, and exactly one of `message` and `subscription`. */
export interface AsyncApiArguments extends TypeOf<typeof asyncapi> {}

const builtInArguments = { asyncapi, ...callArguments }

/** The names of the calls that the DSL itself knows. */
export type BuiltInCall = keyof typeof builtInArguments

/** A call of one of them. */
export interface BuiltInCallTask<Name extends BuiltInCall> extends TaskBase {
  readonly call: Name
  readonly with: TypeOf<(typeof builtInArguments)[Name]>
}

/** Every built-in call, by the value of `call`. */
export const callShapes: ReadonlyMap<string, ObjectShape> = new Map(
  Object.entries(builtInArguments).map(([name, shape]) => [
    name,
    taskShape(`a call of ${name}`, { call: must(reference('function')), with: must(shape) }),
  ]),
)

/** A call of a function of `use.functions`, of a catalog, or at a URL. */
export const functionCallShape = taskShape('a call of a function', { call: must(reference('function')), with: anyObject })

export interface FunctionCallTask extends TypeOf<typeof functionCallShape> {}

/** `isCallOf` narrows it, since `call` may be any name. */
export type CallTask = { readonly [Name in BuiltInCall]: BuiltInCallTask<Name> }[BuiltInCall] | FunctionCallTask

const errorVariable = variableNames({ as: 'error' })

/** `as` names the variable of the error, `error` unless given. */
const caught = object('a catch', {
  errors: object('the errors to catch', { with: errorFilter }),
  as: formatted('variable', 'literal'),
  when: may(condition, { variables: errorVariable }),
  exceptWhen: may(condition, { variables: errorVariable }),
  retry: may(union('a retry policy, or the name of one of use.retries', { string: reference('retry'), object: retryPolicy }), {
    variables: errorVariable,
  }),
  do: may(tasks, { variables: errorVariable }),
  then,
})

export interface Catch extends TypeOf<typeof caught> {}

const loopVariables = variableNames({ each: 'item', at: 'index' })
const iteration = { variables: (owner: Parameters<typeof objectAt>[0]) => loopVariables(objectAt(owner, 'for')) }

const loop = object('a loop', {
  each: formatted('variable', 'literal'),
  in: must(union('an expression that gives a list, or a list of objects', { string: expression, list: list('objects', anyObject) })),
  at: formatted('variable', 'literal'),
})

/** `concurrency` is ours: how many iterations may run at a time, 1 unless given (docs/dsl.md). */
const loopMetadata = openObject('the metadata of a loop', { concurrency: integer({ min: 1 }) }, opaque)

/** A case without `when` is the default. */
const switchCase = object('a case of a switch', { when: condition, then: must(then) })

export interface SwitchCase extends TypeOf<typeof switchCase> {}

const settable = union('an object, or an expression that gives one', {
  string: expression,
  object: openObject('the data to set', {}, any, { entriesMin: 1 }),
})

/** A name of `use.errors`, or an expression that gives a whole error, such as `${ $error }` to raise a caught one again. */
const raised = union('an error, the name of one of use.errors, or an expression that gives an error', {
  string: { ...reference('error'), reading: 'text' },
  object: error,
})

/** The shapes of all tasks but calls, which `call` decides. */
export const taskShapes = {
  do: taskShape('a do task', { do: must(tasks) }),
  emit: taskShape('an emit task', {
    emit: must(object('what to emit', { event: must(object('the event to emit', { with: must(emittedEvent) })) })),
  }),
  for: object('a for task', {
    ...before,
    for: must(loop),
    while: may(condition, iteration),
    do: must(tasks, iteration),
    ...after,
    metadata: loopMetadata,
  }),
  fork: taskShape('a fork task', { fork: must(object('a fork', { branches: must(branches), compete: boolean })) }),
  listen: taskShape('a listen task', {
    listen: must(object('a listener', { to: must(strategy), read: readMode })),
    foreach: subscriptionIterator,
  }),
  raise: taskShape('a raise task', { raise: must(object('what to raise', { error: must(raised) })) }),
  run: taskShape('a run task', { run: must(run) }),
  set: taskShape('a set task', { set: must(settable) }),
  switch: taskShape('a switch task', { switch: must(named('a case of a switch', switchCase, { entriesMin: 1 })) }),
  try: taskShape('a try task', { try: must(tasks), catch: must(caught) }),
  wait: taskShape('a wait task', { wait: must(duration) }),
}

export interface DoTask extends TypeOf<(typeof taskShapes)['do']> {}
export interface EmitTask extends TypeOf<(typeof taskShapes)['emit']> {}
export interface ForTask extends TypeOf<(typeof taskShapes)['for']> {}
export interface ForkTask extends TypeOf<(typeof taskShapes)['fork']> {}
export interface ListenTask extends TypeOf<(typeof taskShapes)['listen']> {}
export interface RaiseTask extends TypeOf<(typeof taskShapes)['raise']> {}
export interface RunTask extends TypeOf<(typeof taskShapes)['run']> {}
export interface SetTask extends TypeOf<(typeof taskShapes)['set']> {}
export interface SwitchTask extends TypeOf<(typeof taskShapes)['switch']> {}
export interface TryTask extends TypeOf<(typeof taskShapes)['try']> {}
export interface WaitTask extends TypeOf<(typeof taskShapes)['wait']> {}

/** Every kind of task by the name that the DSL gives it. */
export interface TasksByKind {
  readonly call: CallTask
  readonly do: DoTask
  readonly emit: EmitTask
  readonly for: ForTask
  readonly fork: ForkTask
  readonly listen: ListenTask
  readonly raise: RaiseTask
  readonly run: RunTask
  readonly set: SetTask
  readonly switch: SwitchTask
  readonly try: TryTask
  readonly wait: WaitTask
}

export type TaskKind = keyof TasksByKind

export type Task = TasksByKind[TaskKind]

/** A task with its kind beside it, for an exhaustive `switch`. */
export type ClassifiedTask = { readonly [Kind in TaskKind]: { readonly kind: Kind; readonly task: TasksByKind[Kind] } }[TaskKind]
