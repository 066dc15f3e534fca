import { isRecord, type Data } from '#src/import/value.ts'
import { asItems, type Branch, type Converted, outputNames } from './converted.ts'
import type { NodeFields } from './fields.ts'
import { clause, ofItem, withReads } from './jq-text.ts'
import { preludeFor } from './prelude.ts'

export interface Task {
  [key: string]: unknown
}

/** A list of tasks of a definition. */
export type TaskList = Record<string, Task>[]

/** A node of the export as the tasks of it are written. */
export interface Step {
  readonly name: string
  readonly converted: Converted
  readonly fields: NodeFields
  /** Whether its input is one item and not a list. */
  readonly isOne: boolean
  /** jq of the value that a script reads from standard input. */
  scriptInput(source: string, items: string): string
}

/** The tasks of a node, the last of which gives its items: one if its input is one item and it gives one, otherwise a list. */
export function tasksOf(step: Step): [string, Task][] {
  const main = withErrors(mainTask(step), step)
  const compute = computeTask(step)
  return compute === undefined ? [[step.name, main]] : [compute, [step.name, { ...main, input: { from: '${ .items }' } }]]
}

/** The task that computes the expressions of a node that only JavaScript can compute. */
export function computeTask(step: Step): [string, Task] | undefined {
  const { fields, isOne } = step
  if (fields.computed.size === 0) return undefined
  const source = [...fields.computed.values()].join('\n')
  const members = [...fields.computed].map(([key, expression]) => `${key}: $try(() => (${expression}\n))`)
  const body = `const $try = (compute) => { try { const value = compute(); return value === undefined ? null : value } catch (error) { if (error instanceof TypeError) return null; throw error } }
$print(items.map((one, index) => { $itemIndex = index; const $json = one.json; return { ${members.join(', ')} } }))\n`
  const items = fields.node.type.endsWith('.merge') ? '(.[0] // [])' : isOne ? '[.]' : '.'
  return [
    valuesName(step),
    {
      run: { script: { language: 'js', code: `${preludeFor(body)}${body}`, stdin: `\${ ${step.scriptInput(source, items)} }` } },
      output: { as: `\${ {items: $input, values: ${isOne ? '(fromjson | .[0])' : 'fromjson'}} }` },
    },
  ]
}

function valuesName({ name }: Step): string {
  return `${name}-values`
}

/** jq over the input of a step: `.` is the item, or the list of items. */
function overInput(step: Step, jq: string): string {
  const values = `$steps[${JSON.stringify(valuesName(step))}].values`
  if (!step.isOne) {
    if (jq.startsWith('$items') && jq.lastIndexOf('$items') === 0 && !jq.includes('$values'))
      return `.${jq.slice('$items'.length)}`.replace(/^\. \| /, '')
    const bound = [
      ...(jq.includes('$values') ? [`${values} as $values`] : []),
      ...(jq.includes('$inputs') ? ['. as $inputs'] : []),
      ...(jq.includes('$items') ? ['. as $items'] : []),
    ]
    return [...bound, jq].join(' | ')
  }
  return overItem(jq, values)
}

function overItem(jq: string, values: string): string {
  const ofFirst = jq.replaceAll(firstItem, '').replaceAll('$values[$index]', values)
  const constant = withReads(ofFirst, ({ name, key }) => {
    if (name === 'index') return '0'
    if (name === 'items') return '[$item]'
    return name === 'one' && key !== undefined ? `$only[${JSON.stringify(key)}]` : undefined
  })
  return ofItem(constant.replaceAll('[$item][0]', '$item'))
}

/** Before jq that reads the first of the items. */
export const firstItem = '$items[0] as $item | 0 as $index | '

function mainTask(step: Step): Task {
  const { name, converted, fields, isOne } = step
  const bound = (jq: string) => overInput(step, jq)
  switch (converted.as) {
    case 'pass':
      return { set: '${ . }', ...(converted.metadata === undefined ? {} : { metadata: converted.metadata }) }
    case 'jq':
      return { set: converted.gives === 'one' ? firstOf(bound(converted.jq)) : `\${ ${bound(converted.jq)} }` }
    case 'map':
      if (isOne) return { set: converted.gives === 'one' ? `\${ ${bound(converted.jq)} }` : `\${ [${bound(converted.jq)}] }` }
      return { set: `\${ ${bound(eachItem(converted.jq))} }` }
    case 'branch':
      return { set: outputsOfList(converted, bound) }
    case 'script':
      return {
        ...(isOne ? {} : { if: '${ length > 0 }' }),
        run: {
          script: {
            language: 'js',
            code: `${preludeFor(converted.code)}${converted.code}\n`,
            stdin: `\${ ${step.scriptInput(converted.code, isOne ? '[.]' : '.')} }`,
          },
        },
        output: { as: isOne && converted.gives === 'one' ? '${ fromjson | .[0] }' : '${ fromjson }' },
      }
    case 'once': {
      const task = guarded(name, record(deep(converted.task, bound)), fields)
      const result = converted.result === undefined ? '$input' : converted.result
      return { ...(isOne ? {} : { if: '${ length > 0 }' }), ...task, ...('wait' in task ? {} : { output: { as: `\${ ${result} }` } }) }
    }
    default:
      return isOne ? callOfOne(step, converted, bound) : callsOfList(step, converted, bound)
  }
}

type Each = Extract<Converted, { readonly as: 'each' }>

/** A list of one item as that item. */
function firstOf(jq: string): string {
  const only = /^(\. as \$items \| )?\[(\{.*\})\]$/s.exec(jq)
  return only === null ? `\${ ${jq} | .[0] }` : `\${ ${only[1] ?? ''}${only[2] ?? ''} }`
}

function callOfOne({ name, fields }: Step, converted: Each, bound: (jq: string) => string): Task {
  const task = guarded(name, record(deep(converted.task, bound)), fields)
  if ('raise' in task) return task
  const isMarked = fields.node.onError !== 'stop'
  const result = converted.result ?? '.'
  const shaped = converted.gives === 'one' ? result : `[${result === '.' ? '' : `${result} | `}${asItems}]`
  const whole = isMarked && converted.gives === 'one' ? orFailed(result) : isMarked ? `[${orFailed(result)} | ${asItems}]` : shaped
  return whole === '.' ? task : { ...task, output: { as: `\${ ${whole} }` } }
}

function orFailed(result: string): string {
  return `if type == "object" and has("$failed") then {error: .["$failed"]} else ${result} end`
}

function callsOfList({ name, fields }: Step, converted: Each, bound: (jq: string) => string): Task {
  const isMarked = fields.node.onError !== 'stop'
  const result = converted.result === undefined ? '' : `${converted.result} | `
  const shaped = isMarked ? `(${orFailed(converted.result ?? '.')}) | ` : result
  return {
    for: { each: 'item', at: 'index', in: '${ . }' },
    do: [{ [`${name}-item`]: guarded(name, record(deep(converted.task, bound)), fields) }],
    metadata: { concurrency: 1 },
    output: { as: `\${ [.[] | ${shaped}${asItems}]${converted.split === undefined ? '' : ` | ${converted.split}`} }` },
  }
}

/** jq from a list of items to what each becomes. */
function eachItem(jq: string): string {
  if (!/\$(?:index|values|one)\b/.test(jq)) return `map(${ofItem(jq)})`
  return `[range($items | length) as $index | $items[$index] as $item | ${jq}]`
}

/** The lists of items that leave by each output, by their names. */
function outputsOfList(branch: Branch, bound: (jq: string) => string): Data | string {
  const { ways, otherwise } = branch
  const names = outputNames(branch)
  if (names.length === 0) return '${ [] }'
  if (otherwise === undefined && names.length === 1) return `\${ ${bound(itemsWhere(ways[0]?.when ?? 'true'))} }`
  const leaves = (index: number): string => {
    const taken = ways[index]?.when
    const before = branch.all === true ? [] : ways.slice(0, index).map(({ when }) => negated(when))
    const own = taken === undefined ? [] : [[...before, clause(taken)].join(' and ')]
    const rest = otherwise?.output === index ? [ways.map(({ when }) => negated(when)).join(' and ')] : []
    const both = [...own, ...rest]
    return both.length === 1 ? (both[0] ?? 'false') : both.map((one) => `(${one})`).join(' or ')
  }
  if (ways.length <= 1 || branch.all === true)
    return Object.fromEntries(names.map((name, index) => [name, `\${ ${bound(itemsWhere(simple(leaves(index), ways, index)))} }`]))
  const cases = ways.map(({ when, name }, index) => `${index === 0 ? 'if' : 'elif'} ${when} then ${JSON.stringify(name)}`).join(' ')
  const rest = otherwise === undefined ? 'null' : JSON.stringify(names[otherwise.output])
  const placed = `${eachItem(`{way: (${cases} else ${rest} end), item: $item}`)} as $placed`
  const members = names.map((name) => `${JSON.stringify(name)}: [$placed[] | select(.way == ${JSON.stringify(name)}) | .item]`)
  return `\${ ${bound(`${placed} | {${members.join(', ')}}`)} }`
}

/** A condition that stands alone needs no parentheses. */
function simple(condition: string, ways: Branch['ways'], index: number): string {
  const [first] = ways
  if (first === undefined || ways.length > 1) return condition
  return index === 0 && condition === clause(first.when)
    ? first.when
    : condition === negated(first.when)
      ? `${first.when} | not`
      : condition
}

function negated(when: string): string {
  return `(${when} | not)`
}

function itemsWhere(condition: string): string {
  if (!/\$(?:index|values|one)\b/.test(condition)) return `map(select(${ofItem(condition)}))`
  return `[range($items | length) as $index | $items[$index] as $item | select(${condition}) | $item]`
}

/** The conditions of the ways of a branch, over one item. */
export function conditionsOf(step: Step, { ways }: Branch): readonly string[] {
  return ways.map(({ when }) => overInput(step, when))
}

/** How many outputs a node has, besides that for errors. */
export function outputsOf(converted: Converted): number {
  if (converted.as === 'branch') return outputNames(converted).length
  return converted.as === 'jq' || converted.as === 'each' ? (converted.outputs ?? 1) : 1
}

function deep(value: unknown, bound: (jq: string) => string): unknown {
  if (typeof value === 'string') {
    const inner = /^\$\{ ([\s\S]*) \}$/.exec(value)?.[1]
    return inner === undefined ? value : `\${ ${bound(inner)} }`
  }
  if (Array.isArray(value)) return value.map((one) => deep(one, bound))
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deep(one, bound)])) : value
}

function record(value: unknown): Data {
  return isRecord(value) ? value : {}
}

/** Retries, and errors that become items. */
function guarded(name: string, task: Data, { node }: NodeFields): Data {
  if ((node.retries === undefined && node.onError === 'stop') || 'raise' in task) return task
  const retry =
    node.retries === undefined
      ? {}
      : { retry: { delay: { milliseconds: node.retries.waitMs }, limit: { attempt: { count: Math.max(1, node.retries.tries - 1) } } } }
  const failed =
    node.onError === 'stop' ? { raise: { error: '${ $error }' } } : { set: { $failed: '${ $error.detail // $error.title // "failed" }' } }
  return { try: [{ [`${name}-try`]: task }], catch: { as: 'error', ...retry, do: [{ [`${name}-failed`]: failed }] } }
}

/** Whether a node has an output for errors besides its own. */
export function hasErrorOutput(converted: Converted, { node }: NodeFields): boolean {
  return node.onError === 'output' && ['each', 'once', 'script'].includes(converted.as) && outputsOf(converted) === 1
}

/** Whether the tasks of a node are those of a list also where one item flows: it has several outputs. */
export function needsList(converted: Converted, fields: NodeFields): boolean {
  if (converted.as === 'branch') return converted.all === true
  return hasErrorOutput(converted, fields) || (converted.as === 'each' && converted.split !== undefined)
}

/** The items of a node with an output for errors, split by their outcome. */
function withErrors(task: Task, { converted, fields }: Step): Task {
  if (!hasErrorOutput(converted, fields)) return task
  const as = isRecord(task['output']) && typeof task['output']['as'] === 'string' ? task['output']['as'].slice(3, -2) : '.'
  return {
    ...task,
    output: { as: `\${ ${as} | [map(select(type != "object" or (has("error") | not))), map(select(type == "object" and has("error")))] }` },
  }
}
