import { isRecord, type Data } from '#src/import/value.ts'
import { asItems, type Converted } from './converted.ts'
import type { NodeFields } from './fields.ts'
import { preludeFor } from './prelude.ts'

export interface Task {
  [key: string]: unknown
}

/** A list of tasks of a definition. */
export type TaskList = Record<string, Task>[]

export interface ScriptHost {
  /** jq of the value that a script reads from standard input. */
  inputOf(source: string, items: string): string
}

/** The tasks of a node, the last of which gives its items. */
export function tasksOf(name: string, converted: Converted, fields: NodeFields, host: ScriptHost): [string, Task][] {
  const values = `${name}-values`
  const bound = (jq: string) => bind(jq, values)
  const main = withErrors(name, mainTask(name, converted, fields, host, bound), converted, fields)
  if (fields.computed.size === 0) return [[name, main]]
  const source = [...fields.computed.values()].join('\n')
  const members = [...fields.computed].map(([key, expression]) => `${key}: $try(() => (${expression}\n))`)
  const body = `const $try = (compute) => { try { const value = compute(); return value === undefined ? null : value } catch (error) { if (error instanceof TypeError) return null; throw error } }
$print(items.map((one, index) => { $itemIndex = index; const $json = one.json; return { ${members.join(', ')} } }))\n`
  const code = `${preludeFor(body)}${body}`
  const items = fields.node.type.endsWith('.merge') ? '(.[0] // [])' : '.'
  const compute: Task = {
    run: { script: { language: 'js', code, stdin: `\${ ${host.inputOf(source, items)} }` } },
    output: { as: '${ {items: $input, values: fromjson} }' },
  }
  return [
    [values, compute],
    [name, { ...main, input: { from: '${ .items }' } }],
  ]
}

function mainTask(name: string, converted: Converted, fields: NodeFields, host: ScriptHost, bound: (jq: string) => string): Task {
  switch (converted.as) {
    case 'pass':
      return { set: '${ . }', ...(converted.metadata === undefined ? {} : { metadata: converted.metadata }) }
    case 'jq':
      return { set: `\${ ${bound(converted.jq)} }` }
    case 'script':
      return {
        if: '${ length > 0 }',
        run: {
          script: {
            language: 'js',
            code: `${preludeFor(converted.code)}${converted.code}\n`,
            stdin: `\${ ${host.inputOf(converted.code, '.')} }`,
          },
        },
        output: { as: '${ fromjson }' },
      }
    case 'once':
      return {
        if: '${ length > 0 }',
        ...guarded(name, record(deep(converted.task, bound)), fields),
        output: { as: converted.result === undefined ? '${ $input }' : `\${ ${converted.result} }` },
      }
    default: {
      const body = guarded(name, record(deep(converted.task, bound)), fields)
      const result =
        converted.result === undefined
          ? ''
          : `(if type == "object" and has("$failed") then {error: .["$failed"]} else (${converted.result}) end) | `
      return {
        for: { each: 'item', at: 'index', in: '${ . }' },
        do: [{ [`${name}-item`]: body }],
        metadata: { concurrency: 1 },
        output: {
          as: `\${ [.[] | ${result === '' ? '(if type == "object" and has("$failed") then {error: .["$failed"]} else . end) | ' : result}${asItems}]${converted.split === undefined ? '' : ` | ${converted.split}`} }`,
        },
      }
    }
  }
}

/** How many outputs a node has, besides that for errors. */
export function outputsOf(converted: Converted): number {
  return converted.as === 'jq' || converted.as === 'each' ? (converted.outputs ?? 1) : 1
}

/** Binds the names that translated expressions read. */
function bind(jq: string, values: string): string {
  const read = jq.includes('$values') ? `$steps[${JSON.stringify(values)}].values as $values | ` : ''
  const inputs = jq.includes('$inputs') ? '. as $inputs | ' : ''
  return `${read}${inputs}${jq.includes('$items') ? '. as $items | ' : ''}${jq}`
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

/** The items of a node with an output for errors, split by their outcome. */
function withErrors(_name: string, task: Task, converted: Converted, { node }: NodeFields): Task {
  if (node.onError !== 'output' || outputsOf(converted) > 1) return task
  const as = isRecord(task['output']) && typeof task['output']['as'] === 'string' ? task['output']['as'].slice(3, -2) : '.'
  return {
    ...task,
    output: { as: `\${ ${as} | [map(select(type != "object" or (has("error") | not))), map(select(type == "object" and has("error")))] }` },
  }
}
