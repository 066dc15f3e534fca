import { itemsOutput, type Plan } from './plan.ts'
import { start } from './graph.ts'
import type { N8nEdge } from './read-export.ts'
import type { Task, TaskList } from './task-of.ts'

const depthMax = 25

/** Writes the nodes that a node dominates as tasks: a chain stays in its list, ways of a branch become lanes, joins follow them. */
export function writeFlow(plan: Plan, list: TaskList): void {
  writeBelow(plan, start, list, 0)
}

function writeBelow(plan: Plan, from: number, list: TaskList, depth: number): void {
  const children = plan.graph.dominated.get(from) ?? []
  const loop = plan.loopOutput(from)
  const inLoop = loop === undefined ? new Set<number>() : bodyOf(plan, from, children, loop)
  const rest = children.filter((child) => !inLoop.has(child))
  if (loop !== undefined)
    writeLoop(
      plan,
      from,
      loop,
      children.filter((child) => inLoop.has(child)),
      list,
      depth,
    )
  const inline = rest.length === 1 || depth >= depthMax
  for (const child of rest) {
    const edges = plan.graph.incoming.get(child) ?? []
    if (inline || edges.length !== 1) writeNode(plan, child, list, depth)
    else writeLane(plan, child, edges, list, depth)
  }
}

function writeNode(plan: Plan, node: number, list: TaskList, depth: number): void {
  const input = plan.inputOf(node)
  for (const [index, [name, task]] of plan.tasksOf(node).entries())
    list.push({ [name]: index === 0 ? { ...task, ...guard(task, input, plan.isMerge(node)), input: { from: `\${ ${input} }` } } : task })
  plan.keep(node, list)
  writeBelow(plan, node, list, depth)
}

function guard(task: Task, input: string, merge: boolean): Task {
  return 'if' in task && !merge ? { if: `\${ ${input} | length > 0 }` } : {}
}

function writeLane(plan: Plan, node: number, edges: readonly N8nEdge[], list: TaskList, depth: number): void {
  const lane: TaskList = []
  writeNode(plan, node, lane, depth + 1)
  const [edge] = edges
  if (edge === undefined) return
  list.push({ [plan.laneName(edge)]: { if: `\${ ${plan.outputOf(edge)} | length > 0 }`, do: lane } })
}

/** The children that only run within the loop of a node. */
function bodyOf(plan: Plan, from: number, children: readonly number[], loop: number): Set<number> {
  const owner = new Map<number, number>()
  const body = new Set<number>()
  for (const child of children) {
    const edges = plan.graph.incoming.get(child) ?? []
    if (!edges.every((edge) => (edge.from === from ? edge.output === loop : owner.has(edge.from)))) continue
    body.add(child)
    const stack = [child]
    for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
      owner.set(one, child)
      stack.push(...(plan.graph.dominated.get(one) ?? []))
    }
  }
  return body
}

function writeLoop(plan: Plan, node: number, loop: number, body: readonly number[], list: TaskList, depth: number): void {
  const name = plan.nameOf(node)
  const task = list.at(-1)?.[name]
  if (task === undefined) return
  const inner: TaskList = [
    { [`${name}-batch`]: { set: '${ $batch }', export: { as: `\${ ${plan.contextWith(node, loop === 0 ? '[., []]' : '[[], .]')} }` } } },
  ]
  for (const child of body) {
    const edges = plan.graph.incoming.get(child) ?? []
    if (body.length === 1 || edges.length !== 1 || depth >= depthMax) writeNode(plan, child, inner, depth + 1)
    else writeLane(plan, child, edges, inner, depth + 1)
  }
  const back = plan.graph.backEdges.filter(({ to }) => to === node)
  inner.push({
    [`${name}-collect`]: { set: `\${ ${back.length === 0 ? '$batch' : itemsOutput(back.map((edge) => plan.outputOf(edge)))} }` },
  })
  task['do'] = inner
}
