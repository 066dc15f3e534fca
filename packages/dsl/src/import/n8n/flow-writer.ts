import { type Branch, outputNames } from './converted.ts'
import { start } from './graph.ts'
import { itemsOf, joinedItems, keptAs, type Plan } from './plan.ts'
import type { N8nEdge } from './read-export.ts'
import { computeTask, conditionsOf, type Task, type TaskList, tasksOf } from './task-of.ts'

const depthMax = 25

/** Branches nest too deeply for ways within ways. */
export class TooDeep extends Error {}

/** The nodes of which one has given what a task gets as its data. */
type Here = readonly number[] | undefined

/** Writes the nodes that a node dominates as tasks: a chain stays in its list, ways of a branch become lanes, joins follow them. */
export function writeFlow(plan: Plan, list: TaskList): void {
  const writer = new Writer(plan)
  if (plan.starts === undefined) writer.below(start, list, 0, [start])
  else writer.startBranch(plan.starts, list)
}

class Writer {
  private readonly plan: Plan
  private readonly outgoing = new Map<number, N8nEdge[]>()
  /** The nodes that gave the item that branches without a value of their own passed on. */
  private readonly sources = new Map<number, readonly number[]>()
  /** The names of the tasks that stand for a connection of a branch. */
  private readonly recorded = new Map<N8nEdge, string>()

  constructor(plan: Plan) {
    this.plan = plan
    for (const edge of [...plan.graph.incoming.values()].flat())
      this.outgoing.set(edge.from, [...(this.outgoing.get(edge.from) ?? []), edge])
  }

  below(from: number, list: TaskList, depth: number, before: Here): Here {
    const { plan } = this
    const children = plan.graph.dominated.get(from) ?? []
    const loop = plan.loopOutput(from)
    const inLoop = loop === undefined ? new Set<number>() : this.bodyOf(from, children, loop)
    if (loop !== undefined)
      this.loop(
        from,
        children.filter((child) => inLoop.has(child)),
        list,
        depth,
      )
    const rest = children.filter((child) => !inLoop.has(child))
    const isInline = depth >= depthMax || (rest.length === 1 && plan.outputKeys(from) === undefined)
    let here = before
    for (const child of rest) {
      const edges = this.incoming(child)
      if (isInline || edges.length !== 1 || plan.isOne(child)) here = this.node(child, list, depth, here)
      else {
        this.lane(child, edges, list, depth)
        here = undefined
      }
    }
    return here
  }

  private incoming(node: number): readonly N8nEdge[] {
    return this.plan.graph.incoming.get(node) ?? []
  }

  private node(node: number, list: TaskList, depth: number, here: Here): Here {
    const { plan } = this
    const step = plan.stepOf(node)
    const given = this.inputOf(node, here)
    const input = plan.isOne(node) && !step.isOne ? `[${given ?? '.'}]` : given
    if (plan.loopOutput(node) !== undefined) {
      list.push({ [plan.nameOf(node)]: withInput(plan.loopTask(node), input) })
      keep(plan, node, list)
      return this.below(node, list, depth, undefined)
    }
    if (step.isOne && step.converted.as === 'branch' && step.converted.all !== true) {
      const compute = computeTask(step)
      if (compute !== undefined) list.push({ [compute[0]]: withInput(compute[1], input) })
      this.sources.set(node, this.sourcesOf(node))
      return this.branch(node, step.converted, {
        list,
        depth,
        input: compute === undefined ? input : '.items',
        conditions: conditionsOf(step, step.converted),
      })
    }
    for (const [index, [name, task]] of tasksOf(step).entries())
      list.push({
        [name]:
          index > 0
            ? task
            : withInput(
                'if' in task && !plan.isMerge(node) ? { ...task, if: `\${ ${input === undefined ? '' : `${input} | `}length > 0 }` } : task,
                input,
              ),
      })
    keep(plan, node, list)
    return this.below(node, list, depth, [node])
  }

  /** jq of the input of a node: one item, a list of items, or a list of inputs for a merge. Undefined if its data is that already. */
  private inputOf(node: number, here: Here): string | undefined {
    const { plan } = this
    const incoming = this.incoming(node)
    if (plan.isOne(node)) {
      const sources = this.sourcesOf(node)
      return isSame(sources, here) ? undefined : sources.map((one) => `$only[${JSON.stringify(plan.nameOf(one))}]`).join(' // ')
    }
    if (plan.isMerge(node)) {
      const count = Math.max(2, ...incoming.map(({ input }) => input + 1))
      const inputs = Array.from({ length: Math.min(count, 10) }, (_, input) =>
        joinedItems(incoming.filter((edge) => edge.input === input).map((edge) => this.listOf(edge))),
      )
      return `[${inputs.join(', ')}]`
    }
    const [edge] = incoming
    const isPlain = incoming.length === 1 && edge !== undefined && !plan.givesOne(edge.from) && plan.outputKeys(edge.from) === undefined
    return isPlain && isSame([edge.from], here) && edge.output === 0 ? undefined : joinedItems(incoming.map((one) => this.listOf(one)))
  }

  private listOf(edge: N8nEdge): string {
    const recorded = this.recorded.get(edge)
    if (recorded !== undefined) return `$list[${JSON.stringify(recorded)}]`
    const sources = this.sources.get(edge.from)
    if (sources === undefined) return itemsOf(this.plan, edge)
    return joinedItems(sources.map((one) => `$list[${JSON.stringify(this.plan.nameOf(one))}]`))
  }

  /** The nodes of which one has given the item of a node. Those that always ran are last. */
  private sourcesOf(node: number): readonly number[] {
    const edges = this.incoming(node)
    const own = edges.flatMap(({ from }) => (this.sources.has(from) ? [] : [from]))
    const passed = edges.flatMap(({ from }) => this.sources.get(from) ?? [])
    return [...new Set([...own.filter((one) => !passed.includes(one)), ...passed])]
  }

  private lane(node: number, edges: readonly N8nEdge[], list: TaskList, depth: number): void {
    const [edge] = edges
    if (edge === undefined) return
    const lane: TaskList = []
    this.node(node, lane, depth + 1, undefined)
    const key = this.plan.outputKeys(edge.from)?.[edge.output]
    const name = typeof key === 'string' ? `${this.plan.nameOf(edge.from)}-${key}` : `${this.plan.nameOf(node)}-lane`
    list.push({ [this.plan.unused(name)]: { if: `\${ ${itemsOf(this.plan, edge)} | length > 0 }`, do: lane } })
  }

  /** A branch of one item: a group of a switch and one group for each way, as the editor writes it. */
  private branch(
    node: number,
    branch: Branch,
    {
      list,
      depth,
      input,
      conditions,
    }: { list: TaskList; depth: number; input: string | undefined; conditions: readonly (string | undefined)[] },
  ): Here {
    if (depth >= depthMax) throw new TooDeep()
    const { plan } = this
    const name = plan.nameOf(node)
    const before = this.sources.get(node)
    const names = outputNames(branch)
    const lanes = names.map((way, output) => this.laneOf(node, { way: `${name}-${way}`, output, depth, before }))
    const [only] = lanes
    const [condition = 'true'] = conditions
    if (branch.otherwise === undefined && names.length === 1) {
      const task =
        only === undefined
          ? { set: `\${ [select(${condition})] }` }
          : { if: `\${ ${input === undefined ? condition : `${input} | ${condition}`} }`, do: only.tasks }
      list.push({ [name]: withInput(task, input) })
      return this.joins(node, list, depth, undefined)
    }
    const to = (output: number) =>
      lanes[output] === undefined ? (lanes.some((lane) => lane !== undefined) ? 'exit' : 'continue') : (names[output] ?? 'exit')
    const cases = [
      ...conditions.flatMap((when, output) =>
        when === undefined ? [] : [{ [names[output] ?? '']: { when: `\${ ${when} }`, then: to(output) } }],
      ),
      {
        [branch.otherwise?.name ?? 'otherwise']: { then: branch.otherwise === undefined ? to(names.length) : to(branch.otherwise.output) },
      },
    ]
    const ways = lanes.flatMap((lane, output) => (lane === undefined ? [] : [{ way: names[output] ?? '', ...lane }]))
    if (ways.length === 0) list.push({ [name]: withInput({ switch: cases }, input) })
    else
      list.push({
        [name]: withInput(
          {
            do: [
              { [plan.unused(`${name}-choose`)]: { switch: cases } },
              ...ways.map(({ way, tasks }, index) => ({ [way]: { do: tasks, ...(index < ways.length - 1 ? { then: 'exit' } : {}) } })),
            ],
          },
          input,
        ),
      })
    const isOpen = lanes.some((lane) => lane === undefined) || branch.otherwise === undefined
    const ends = [...ways.map(({ here }) => here), ...(isOpen ? [before] : [])]
    const here = ends.some((end) => end === undefined) ? undefined : [...new Set(ends.flatMap((end) => end ?? []))]
    return this.joins(node, list, depth, here)
  }

  /** The tasks of one way of a branch, and what they end with. */
  private laneOf(
    node: number,
    { way, output, depth, before }: { way: string; output: number; depth: number; before: Here },
  ): { readonly tasks: TaskList; readonly here: Here } | undefined {
    const { plan } = this
    const edges = (this.outgoing.get(node) ?? []).filter((edge) => edge.output === output)
    const tasks: TaskList = []
    let here = before
    for (const edge of edges.filter(({ to }) => this.incoming(to).length > 1 && !plan.isOne(to))) {
      const name = [...this.recorded].find(([one]) => one.from === node && one.output === output)?.[1] ?? plan.unused(way)
      if (!tasks.some((task) => name in task)) tasks.push({ [name]: { set: '${ . }', [keptAs]: { key: name, isOne: true } } })
      this.recorded.set(edge, name)
    }
    for (const { to } of edges.filter(({ to: target }) => this.incoming(target).length === 1)) here = this.node(to, tasks, depth + 2, here)
    return tasks.length === 0 ? undefined : { tasks, here }
  }

  /** What follows the ways of a branch. */
  private joins(node: number, list: TaskList, depth: number, before: Here): Here {
    let here = before
    for (const child of this.plan.graph.dominated.get(node) ?? [])
      if (this.incoming(child).length > 1) here = this.node(child, list, depth, here)
    return here
  }

  /** The start as a branch: each trigger is a way. */
  startBranch(starts: readonly { readonly name: string; readonly when: string }[], list: TaskList): void {
    const [first] = starts
    this.sources.set(start, [start])
    const branch: Branch = { as: 'branch', ways: starts, otherwise: { output: 0, name: first?.name ?? 'start' } }
    this.branch(start, branch, {
      list,
      depth: 0,
      input: undefined,
      conditions: starts.map(({ when }, index) => (index === 0 ? undefined : when)),
    })
  }

  /** The children that only run within the loop of a node. */
  private bodyOf(from: number, children: readonly number[], loop: number): Set<number> {
    const owner = new Map<number, number>()
    const body = new Set<number>()
    for (const child of children) {
      if (!this.incoming(child).every((edge) => (edge.from === from ? edge.output === loop : owner.has(edge.from)))) continue
      body.add(child)
      const stack = [child]
      for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
        owner.set(one, child)
        stack.push(...(this.plan.graph.dominated.get(one) ?? []))
      }
    }
    return body
  }

  private loop(node: number, body: readonly number[], list: TaskList, depth: number): void {
    const { plan } = this
    const name = plan.nameOf(node)
    const task = list.at(-1)?.[name]
    if (task === undefined) return
    const isOne = body.some((child) => plan.isOne(child))
    const first = plan.unused(`${name}-batch`)
    const inner: TaskList = [{ [first]: { set: isOne ? '${ $batch[0] }' : '${ $batch }', [keptAs]: { key: name, isOne } } }]
    let here: Here = [node]
    for (const child of body) {
      const edges = this.incoming(child)
      if (body.length === 1 || edges.length !== 1 || depth >= depthMax || plan.isOne(child)) here = this.node(child, inner, depth + 1, here)
      else {
        this.lane(child, edges, inner, depth + 1)
        here = undefined
      }
    }
    const back = plan.graph.backEdges.filter(({ to }) => to === node)
    const [edge] = back
    const isEnd =
      back.length === 1 &&
      edge !== undefined &&
      isSame([edge.from], here) &&
      !plan.givesOne(edge.from) &&
      plan.outputKeys(edge.from) === undefined
    if (!isEnd)
      inner.push({
        [plan.unused(`${name}-collect`)]: {
          set: `\${ ${back.length === 0 ? '$batch' : joinedItems(back.map((one) => this.listOf(one)))} }`,
        },
      })
    task['do'] = inner
  }
}

function withInput(task: Task, input: string | undefined): Task {
  return input === undefined ? task : { ...task, input: { from: `\${ ${input} }` } }
}

/** Records the last task of a list as that which gives the items of a node. */
function keep(plan: Plan, node: number, list: TaskList): void {
  const task = list.at(-1)?.[plan.nameOf(node)]
  if (task !== undefined) task[keptAs] = { key: plan.nameOf(node), isOne: plan.loopOutput(node) === undefined && plan.givesOne(node) }
}

function isSame(nodes: readonly number[], here: Here): boolean {
  return here !== undefined && here.length === nodes.length && nodes.every((one) => here.includes(one))
}
