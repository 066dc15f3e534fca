import type { EventConsumptionStrategy, EventFilter, ListenTask, SubscriptionIterator, TaskList } from '@millrace/dsl'
import type { JsonObject } from '#core/json.ts'
import type { FilterNode, IteratorNode, ListenBody, Sequence } from '#core/node.ts'
import { binding, compiled, type CompileContext, optional } from './context.ts'
import { compileCondition, compileTemplate, variablesOfExpression, variablesRead } from './expression.ts'
import { compileFinish } from './finish.ts'
import { readVariable } from './variables.ts'

type CompileTasks = (list: TaskList, reference: string, context: CompileContext) => Sequence

export function compileListen(task: ListenTask, reference: string, context: CompileContext, compileTasks: CompileTasks): ListenBody {
  const { to, read } = task.listen
  return {
    kind: 'listen',
    mode: modeOf(to),
    filters: filtersOf(to).map((filter) => compileFilter(filter, context)),
    read: read ?? 'data',
    ...optional('until', 'any' in to && to.until !== undefined ? compileUntil(to.until, context) : undefined),
    ...optional('foreach', task.foreach === undefined ? undefined : compileIterator(task.foreach, reference, context, compileTasks)),
  }
}

function modeOf(strategy: EventConsumptionStrategy): ListenBody['mode'] {
  if ('all' in strategy) return 'all'
  return 'any' in strategy ? 'any' : 'one'
}

/** An empty `any` takes every event. */
function filtersOf(strategy: EventConsumptionStrategy): readonly EventFilter[] {
  if ('all' in strategy) return strategy.all
  if ('one' in strategy) return [strategy.one]
  return strategy.any.length === 0 ? [{ with: {} }] : strategy.any
}

function compileUntil(until: string | EventConsumptionStrategy, context: CompileContext): NonNullable<ListenBody['until']> {
  if (typeof until === 'string') return compileCondition(until, context.expressions)
  return { all: 'all' in until, filters: filtersOf(until).map((filter) => compileFilter(filter, context)) }
}

function compileFilter({ with: attributes, correlate = {} }: EventFilter, context: CompileContext): FilterNode {
  const { expressions } = context
  const correlations = Object.entries(correlate)
  const from = Object.fromEntries(correlations.map(([name, correlation]) => [name, correlation.from]))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A definition is parsed JSON; its types only name what is in it.
  const wanted = attributes as unknown as JsonObject
  const names = [
    ...new Set([...variablesRead(wanted, expressions), ...Object.values(from).flatMap((text) => variablesOfExpression(text, expressions))]),
  ]
  return {
    filter: { with: wanted, from, variables: names },
    correlations: correlations.map(([name, { expect }]) => ({ name, ...compiled('expect', expect, compileTemplate, expressions) })),
    ...optional(
      'scope',
      names.length === 0 ? undefined : (_dot, scope) => Object.fromEntries(names.map((name) => [name, readVariable(name, scope)])),
    ),
  }
}

function compileIterator(
  { item = 'item', at = 'index', do: tasks, ...data }: SubscriptionIterator,
  reference: string,
  context: CompileContext,
  compileTasks: CompileTasks,
): IteratorNode {
  const inner = binding(context, [item, at])
  return {
    item,
    at,
    ...optional('tasks', tasks === undefined ? undefined : compileTasks(tasks, `${reference}/foreach/do`, inner)),
    ...compileFinish(data, 'the iteration', inner),
  }
}
