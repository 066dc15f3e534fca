import { numberOf } from '#src/import/value.ts'
import { type Converted, outputNames } from './converted.ts'
import { errorItems } from './error-start.ts'
import type { NodeFields } from './fields.ts'
import { writeFlow } from './flow-writer.ts'
import { type FlowGraph, start } from './graph.ts'
import { shortType } from './nodes/apps.ts'
import { unused } from './nodes/flow.ts'
import { givesOf, type Gives, oneItemNodes } from './one-item.ts'
import { keptAs, type Plan } from './plan.ts'
import type { N8nNode } from './read-export.ts'
import { settleReferences } from './references.ts'
import { hasErrorOutput, needsList, outputsOf, type Step, type Task, type TaskList } from './task-of.ts'
import { givesOneItem, isErrorTrigger, isTrigger } from './triggers.ts'

/** A node with what it becomes. */
export interface FlowStep {
  readonly node: N8nNode
  readonly converted: Converted
  readonly fields: NodeFields
}

export interface FlowDeps {
  readonly graph: FlowGraph
  readonly steps: Map<number, FlowStep>
  /** The names of the tasks of the nodes. */
  readonly names: ReadonlyMap<number, string>
  readonly starts: readonly N8nNode[]
  readonly triggers: readonly N8nNode[]
  /** Whether single items are handed on as such. */
  readonly hasSingles: boolean
  scriptInput(source: string, items: string): string
}

/** The tasks of the nodes of an export. Where one item flows they hand on that item, elsewhere lists of items. */
export function tasksOfFlow(deps: FlowDeps): TaskList {
  return new Flow(deps).tasks()
}

/** Whether a node repeats the steps behind one of its outputs. */
export function isLoop({ type, disabled }: N8nNode): boolean {
  return shortType(type) === 'splitInBatches' && !disabled
}

const given =
  'if type == "object" and (.items | type) == "array" then .items elif type == "array" then . elif . == null then [{}] elif type == "object" then [.] else [{data: .}] end'

class Flow {
  private readonly deps: FlowDeps
  private readonly startsWithOne: boolean
  /** Whether the only start is a trigger, which then is the first task. */
  private readonly isAlone: boolean

  constructor(deps: FlowDeps) {
    this.deps = deps
    const { starts, triggers, hasSingles } = deps
    this.startsWithOne = hasSingles && triggers.length > 0 && starts.every((node) => !isTrigger(node) || givesOneItem(node))
    this.isAlone = starts.length === 1 && starts.every(isTrigger)
  }

  tasks(): TaskList {
    const { starts, names } = this.deps
    const isBegun = this.isAlone || this.startsWithOne
    if (isBegun) for (const node of starts.filter(isTrigger)) this.begin(node)
    const list: TaskList = isBegun ? [] : [this.startTask()]
    const plan = this.plan()
    writeFlow(plan, list)
    const byName = new Map([...names].map(([index, name]) => [name, index]))
    settleReferences(list, (key) => {
      const node = byName.get(key)
      return node !== undefined && plan.outputKeys(node) !== undefined
    })
    return list
  }

  /** Makes a trigger node the task that begins with the input of the workflow. */
  private begin(node: N8nNode): void {
    const { startsWithOne: isOne } = this
    const step = this.deps.steps.get(node.index)
    if (step === undefined || (shortType(node.type) === 'webhook' && isOne)) return
    const converted: Converted = isErrorTrigger(node)
      ? { as: 'jq', jq: `${given} | ${errorItems}`, gives: 'one' }
      : isOne
        ? { as: 'map', jq: '$item // {}', gives: 'one' }
        : { as: 'jq', jq: given }
    this.deps.steps.set(node.index, { ...step, converted })
  }

  /** The items with which each start begins: the first trigger unless the input names another in `trigger`. */
  private startTask(): Record<string, Task> {
    const { starts, triggers } = this.deps
    const items = triggers.some(isErrorTrigger) ? `${given} | ${errorItems}` : given
    const kept = { key: 'start', isOne: false }
    if (starts.length <= 1) return { start: { set: `\${ ${items} }`, [keptAs]: kept } }
    const names = JSON.stringify(triggers.map(({ name }) => name))
    const chosen = `(. as $in | ${names} | index([($in | if type == "object" then .trigger else null end)]) // 0)`
    return {
      start: {
        set: `\${ ${chosen} as $chosen | (${items}) as $items | [range(${starts.length}) | if . == $chosen then $items else [] end] }`,
        [keptAs]: kept,
      },
    }
  }

  private plan(): Plan {
    const { graph, names, starts } = this.deps
    const nameOf = (node: number) => (node === start ? 'start' : (names.get(node) ?? 'start'))
    const used = new Set(names.values())
    const leading = new Set([...graph.incoming.values()].flat().map(({ from }) => from))
    const ones = this.ones()
    const isOne = (node: number) => ones.has(node)
    const hasWays = this.startsWithOne && !this.isAlone
    return {
      graph,
      nameOf,
      isOne,
      isMerge: (node) => this.isMerge(node),
      loopOutput: (node) => this.loopOutput(node),
      unused: (name) => unused(name, used),
      givesOne: (node) =>
        node === start ? this.startsWithOne : this.gives(node) === 'always-one' || (isOne(node) && this.gives(node) === 'one'),
      outputKeys: (node) => this.outputKeys(node),
      // A task that always fails would leave the tasks behind it out of reach.
      stepOf: (node) => this.stepOf(node, nameOf(node), isOne(node) && !(this.gives(node) === 'fails' && leading.has(node))),
      loopTask: (node) => loopTask(batchSize(this.step(node).node)),
      starts: hasWays ? starts.map((node) => ({ name: `by-${nameOf(node.index)}`, when: wayOf(node) })) : undefined,
    }
  }

  private ones(): ReadonlySet<number> {
    const { graph, starts, hasSingles } = this.deps
    if (!hasSingles) return new Set()
    return oneItemNodes({
      graph,
      givesOf: (node) => this.gives(node),
      outputsOf: (node) => {
        const branch = node === start ? undefined : this.step(node).converted
        if (branch?.as !== 'branch') return { count: starts.length, mayEnd: false }
        return { count: outputNames(branch).length, mayEnd: branch.otherwise === undefined }
      },
      startsWithOne: this.startsWithOne,
      isMerge: (node) => this.isMerge(node),
      loopOutput: (node) => (node !== start && batchSize(this.step(node).node) === 1 ? this.loopOutput(node) : undefined),
    })
  }

  private step(node: number): FlowStep {
    const step = this.deps.steps.get(node)
    if (step === undefined) throw new Error(`no step ${node}`)
    return step
  }

  private isMerge(node: number): boolean {
    return ['merge', 'compareDatasets'].includes(shortType(this.step(node).node.type))
  }

  private loopOutput(node: number): number | undefined {
    if (node === start || !isLoop(this.step(node).node)) return undefined
    return this.step(node).node.version >= 3 ? 1 : 0
  }

  private gives(node: number): Gives {
    const { converted, fields } = this.step(node)
    return hasErrorOutput(converted, fields) ? 'list' : givesOf(converted)
  }

  /** The outputs of a node as its list form has them: undefined for a node with one. */
  private outputKeys(node: number): readonly (string | number)[] | undefined {
    const { starts } = this.deps
    if (node === start) return starts.length > 1 && !this.startsWithOne ? starts.map((_, index) => index) : undefined
    const { converted, fields } = this.step(node)
    if (this.loopOutput(node) !== undefined) return undefined
    if (converted.as === 'branch') {
      const names = outputNames(converted)
      return names.length === 0 || (names.length === 1 && converted.otherwise === undefined) ? undefined : names
    }
    const count = outputsOf(converted) + (hasErrorOutput(converted, fields) ? 1 : 0)
    return count === 1 ? undefined : Array.from({ length: count }, (_, index) => index)
  }

  private stepOf(node: number, name: string, isOne: boolean): Step {
    const { converted, fields } = this.step(node)
    const { scriptInput } = this.deps
    return { name, converted, fields, isOne: isOne && !needsList(converted, fields), scriptInput }
  }
}

/** The condition by which an execution begins at a trigger. A step that no trigger leads to never runs. */
function wayOf(node: N8nNode): string {
  return isTrigger(node) ? `.trigger == ${JSON.stringify(node.name)}` : 'false'
}

function batchSize({ parameters, version }: N8nNode): number {
  const size = numberOf(parameters['batchSize'] ?? (version >= 3 ? 1 : 10))
  return Number.isInteger(size) && size > 0 ? size : 1
}

function loopTask(count: number): Task {
  const batches = count === 1 ? 'map([.])' : `. as $all | [range(0; length; ${count}) as $n | $all[$n:$n + ${count}]]`
  return {
    for: { each: 'batch', in: `\${ ${batches} }` },
    do: [],
    metadata: { concurrency: 1 },
    output: { as: '${ add // [] }' },
  }
}
