import { classifyTask, type ForTask, isRuntimeExpression, type RaiseTask, type Task, taskEntries, type TaskList } from '@millrace/dsl'
import { pointerSegment } from '#core/json-pointer.ts'
import type { Json } from '#core/json.ts'
import type { Directive, ForBody, RaiseBody, Sequence, TaskBody, TaskNode } from '#core/node.ts'
import { compileCall } from './call.ts'
import { compileCatch } from './catch.ts'
import { binding, type CompileContext, compiled, optional } from './context.ts'
import { compileCondition, compileDuration, compileTemplate, compileTransformation } from './expression.ts'
import { compileFinish } from './finish.ts'
import { compileListen } from './listen.ts'
import { compileRun } from './run.ts'
import { compileCheck } from './schema.ts'

/** Compiles a list of tasks; `then` is resolved to indices here, once. */
export function compileList(list: TaskList, reference: string, context: CompileContext): Sequence {
  const entries = taskEntries(list)
  const indices = new Map(entries.map(({ name }, index) => [name, index]))
  const directive = (text: string | undefined): Directive => directiveOf(text, indices)
  return {
    tasks: entries.map(({ name, task }, index) =>
      compileTask(name, task, `${reference}/${index}/${pointerSegment(name)}`, directive, context),
    ),
  }
}

type Resolve = (text: string | undefined) => Directive

function compileTask(name: string, task: Task, reference: string, directive: Resolve, context: CompileContext): TaskNode {
  const { expressions } = context
  const { kind } = classifyTask(task)
  const extensions = context.extensions.filter(({ appliesTo }) => appliesTo(kind))
  const timeout = typeof task.timeout === 'string' ? context.definition.use?.timeouts?.[task.timeout] : task.timeout
  return {
    name,
    kind,
    segment: reference.slice(reference.lastIndexOf('/', reference.lastIndexOf('/') - 1) + 1).replaceAll('\0', '\uFFFD'),
    reference,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A definition is parsed JSON; its types only name what is in it.
    definition: task as unknown as Json,
    then: directive(task.then),
    body: compileBody(task, reference, directive, context),
    ...optional('extensions', extensions.length === 0 ? undefined : extensions),
    ...compiled('if', task.if, compileCondition, expressions),
    ...optional('inputCheck', compileCheck(task.input?.schema, `the input of task "${name}"`, context.installation)),
    ...compiled('inputFrom', task.input?.from, compileTransformation, expressions),
    ...compileFinish(task, `task "${name}"`, context),
    ...compiled('timeoutMs', timeout?.after, compileDuration, expressions),
  }
}

function compileBody(anyTask: Task, reference: string, directive: Resolve, context: CompileContext): TaskBody {
  const { expressions } = context
  const { kind, task } = classifyTask(anyTask)
  switch (kind) {
    case 'do':
      return { kind, tasks: compileList(task.do, `${reference}/do`, context) }
    case 'set':
      return { kind, value: compileTransformation(task.set, expressions) }
    case 'switch': {
      const cases = task.switch.flatMap((item) => Object.values(item))
      const otherwise = cases.find((candidate) => candidate.when === undefined)
      const conditional = cases.flatMap(({ when, then }) =>
        when === undefined ? [] : [{ when: compileCondition(when, expressions), then: directive(then) }],
      )
      return { kind, cases: conditional, ...optional('otherwise', otherwise === undefined ? undefined : directive(otherwise.then)) }
    }
    case 'for':
      return compileFor(task, reference, context)
    case 'fork':
      return {
        kind,
        branches: compileList(task.fork.branches, `${reference}/fork/branches`, context).tasks,
        compete: task.fork.compete ?? false,
      }
    case 'try': {
      const inner = binding(context, [task.catch.as ?? 'error'])
      const handler = task.catch.do === undefined ? undefined : compileList(task.catch.do, `${reference}/catch/do`, inner)
      const then = task.catch.then === undefined ? undefined : directive(task.catch.then)
      const clause = { ...compileCatch(task.catch, inner), ...optional('tasks', handler), ...optional('then', then) }
      return { kind, tasks: compileList(task.try, `${reference}/try`, context), catch: clause }
    }
    case 'raise':
      return compileRaise(task, context)
    case 'wait':
      return { kind, durationMs: compileDuration(task.wait, expressions) }
    case 'call':
      return compileCall(task, reference, context, compileFunction)
    case 'run':
      return compileRun(task, context)
    case 'emit':
      return { kind, event: compileTemplate(task.emit.event.with ?? {}, expressions) }
    case 'listen':
      return compileListen(task, reference, context, compileList)
  }
}

/** Iterations of one loop that run at a time, however many are asked for. */
const LANES_MAX = 1_000

function compileFor(task: ForTask, reference: string, context: CompileContext): ForBody {
  const { expressions } = context
  const { each = 'item', at = 'index' } = task.for
  const inner = binding(context, [each, at])
  const items =
    typeof task.for.in === 'string' ? compileTransformation(task.for.in, expressions) : compileTemplate(task.for.in, expressions)
  const concurrency = task.metadata?.concurrency
  return {
    kind: 'for',
    in: items,
    each,
    at,
    tasks: compileList(task.do, `${reference}/do`, inner),
    ...compiled('while', task.while, compileCondition, inner.expressions),
    ...optional('concurrency', typeof concurrency === 'number' ? Math.min(LANES_MAX, Math.max(1, Math.trunc(concurrency))) : undefined),
  }
}

/** A function is a task of its own: its `then` has nowhere to lead to. */
function compileFunction(name: string, task: Task, reference: string, context: CompileContext): TaskNode {
  return compileTask(name, task, reference, () => 'continue', context)
}

function directiveOf(text: string | undefined, indices: ReadonlyMap<string, number>): Directive {
  if (text === undefined || text === 'continue') return 'continue'
  if (text === 'exit' || text === 'end') return text
  const goto = indices.get(text)
  if (goto === undefined) throw new Error(`"then: ${text}" names no task of its list`)
  return { goto }
}

export function compileRaise(task: RaiseTask, context: CompileContext): RaiseBody {
  const named = task.raise.error
  if (isRuntimeExpression(named)) return { kind: 'raise', error: compileTemplate(named, context.expressions) }
  const error = typeof named === 'string' ? context.definition.use?.errors?.[named] : named
  if (error === undefined) throw new Error(`"raise: ${JSON.stringify(named)}" names no error of "use.errors"`)
  return { kind: 'raise', error: compileTemplate({ ...error }, context.expressions) }
}
