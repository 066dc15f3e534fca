import { isRecord } from '#src/import/value.ts'
import { withReads } from './jq-text.ts'
import { type Kept, keptAs } from './plan.ts'
import type { Task, TaskList } from './task-of.ts'

/**
 * Writes how tasks read what others gave. What is in sight becomes `$steps`, the rest is kept in `$context`.
 *
 * Before, `$only["a"]` stands for the one item of a, `$one["a"]` for the item of a that belongs to the current one, `$list["a"]` for all items, and
 * `$out["a"]` for what its task gives.
 */
export function settleReferences(list: TaskList, outputs: (key: string) => boolean): void {
  const settler = new Settler(list, outputs)
  settler.read(list, new Map())
  settler.write(list)
}

interface InSight extends Kept {
  readonly task: string
  readonly isCertain: boolean
}

type Sight = ReadonlyMap<string, InSight>

class Settler {
  private readonly known = new Map<string, Kept>()
  private readonly needed = new Set<string>()
  private readonly hasOutputs: (key: string) => boolean

  constructor(list: TaskList, hasOutputs: (key: string) => boolean) {
    this.hasOutputs = hasOutputs
    for (const kept of allKept(list)) this.known.set(kept.key, kept)
  }

  read(list: TaskList, around: Sight): void {
    const sight = new Map(around)
    for (const entry of list)
      for (const [name, task] of Object.entries(entry)) {
        const kept = keptOf(task)
        for (const [key, value] of Object.entries(task)) if (key !== keptAs) task[key] = this.settled(value, sight)
        if (kept !== undefined) sight.set(kept.key, { ...kept, task: name, isCertain: !('if' in task) })
      }
  }

  private settled(value: unknown, sight: Sight): unknown {
    if (typeof value === 'string') {
      const inner = /^\$\{ ([\s\S]*) \}$/.exec(value)?.[1]
      return inner === undefined ? value : `\${ ${this.settledJq(inner, sight)} }`
    }
    if (isTaskList(value)) {
      this.read(value, sight)
      return value
    }
    if (Array.isArray(value)) return value.map((one) => this.settled(one, sight))
    return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.settled(one, sight)])) : value
  }

  private settledJq(jq: string, sight: Sight): string {
    if (!/\$(?:only|one|list|out)\b/.test(jq)) return jq
    return withReads(jq, ({ name, key }) => {
      if (key === undefined || !['only', 'one', 'list', 'out'].includes(name)) return undefined
      return this.reference(name, key, sight)
    })
      .replaceAll(/\[(\$steps(?:\.\w+|\["[^"]+"\]))\]\[(?:0|-1)\]/g, '$1')
      .replaceAll(/\(\[(\$steps(?:\.\w+|\["[^"]+"\]))\] \| \.\[(?:0|-1)\]\)/g, '$1')
  }

  private reference(name: string, key: string, sight: Sight): string {
    const seen = sight.get(key)
    const { isOne } = seen ?? this.known.get(key) ?? { isOne: false }
    if (seen === undefined) this.needed.add(key)
    const read = seen === undefined ? `$context${member(key)}` : `$steps${member(seen.task)}`
    const isCertain = seen?.isCertain === true
    if (name === 'out') return read
    const list = isOne
      ? isCertain
        ? `[${read}]`
        : `[${read} // empty]`
      : this.hasOutputs(key)
        ? `[${read} // [] | .[][]]`
        : isCertain
          ? read
          : `(${read} // [])`
    if (name === 'list') return list
    if (isOne) return read
    return name === 'only' ? `(${list} | .[0])` : `(${list} | .[$index] // .[0])`
  }

  /** Exports what is read from `$context`, which begins empty. */
  write(list: TaskList): void {
    const first = this.needed.size === 0 ? undefined : firstOf(list)
    const visit = (tasks: TaskList) => {
      for (const task of tasks.flatMap((entry) => Object.values(entry))) {
        const kept = keptOf(task)
        delete task[keptAs]
        const isNeeded = kept !== undefined && this.needed.has(kept.key)
        const before = task === first ? '' : '$context + '
        if (isNeeded) task['export'] = { as: `\${ ${before}{${JSON.stringify(kept.key)}: .} }` }
        else if (task === first) task['export'] = { as: '${ {} }' }
        const stale = 'for' in task ? [...allKeptIn(task)].filter((key) => this.needed.has(key)) : []
        for (const inner of listsIn(task)) visit(inner)
        forget(task, stale)
      }
    }
    visit(list)
  }
}

/** The task that always runs first. */
function firstOf(list: TaskList): Task | undefined {
  const [task] = Object.values(list[0] ?? {})
  const inner: unknown = task?.['do']
  return task !== undefined && !('for' in task) && !('if' in task) && isTaskList(inner) ? firstOf(inner) : task
}

/** At the begin of each round of a loop, what the last round kept. */
function forget(task: Task, stale: readonly string[]): void {
  const [first] =
    stale.length === 0
      ? []
      : listsIn(task)
          .flat()
          .slice(0, 1)
          .flatMap((entry) => Object.values(entry))
  if (first === undefined) return
  const others = stale.filter((key) => !String(Object(first['export']).as).includes(JSON.stringify(key)))
  if (others.length === 0) return
  const without = `($context | del(${others.map((key) => `.[${JSON.stringify(key)}]`).join(', ')}))`
  first['export'] = {
    as:
      first['export'] === undefined
        ? `\${ ${without.slice(1, -1)} }`
        : String(Object(first['export']).as).replace('$context', () => without),
  }
}

function member(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}

function keptOf(task: Task): Kept | undefined {
  const kept: unknown = task[keptAs]
  return isRecord(kept) && typeof kept['key'] === 'string' ? { key: kept['key'], isOne: kept['isOne'] === true } : undefined
}

function isTaskList(value: unknown): value is TaskList {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => isRecord(one) && Object.keys(one).length === 1 && isTask(Object.values(one)[0]))
  )
}

function isTask(value: unknown): boolean {
  return (
    isRecord(value) && ['set', 'call', 'for', 'do', 'try', 'run', 'raise', 'wait', 'listen', 'switch', 'emit'].some((kind) => kind in value)
  )
}

function listsIn(value: unknown): TaskList[] {
  if (isTaskList(value)) return [value]
  if (Array.isArray(value)) return value.flatMap(listsIn)
  return isRecord(value) ? Object.values(value).flatMap(listsIn) : []
}

function* allKept(list: TaskList): Generator<Kept> {
  for (const task of list.flatMap((entry) => Object.values(entry))) {
    for (const inner of listsIn(task)) yield* allKept(inner)
    const kept = keptOf(task)
    if (kept !== undefined) yield kept
  }
}

function* allKeptIn(task: Task): Generator<string> {
  for (const inner of listsIn(task)) for (const { key } of allKept(inner)) yield key
}
