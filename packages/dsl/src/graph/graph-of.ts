import { childPointer } from '#src/parse/pointer.ts'
import { flowOf } from '#src/tasks/directives.ts'
import { taskEntries } from '#src/tasks/task-entries.ts'
import { classifyTask } from '#src/tasks/task-kind.ts'
import type { Definition } from '#src/shape/definition-shape.ts'
import type { Task, TaskKind, TaskList } from '#src/shape/task-shapes.ts'
import { subscriptionTasks } from './subscription-tasks.ts'

/** A task; `reference` is its JSON Pointer, `parent` that of the task that contains it. */
export interface GraphNode {
  readonly reference: string
  readonly name: string
  readonly kind: TaskKind
  readonly parent?: string
  /** The list of the parent that the task is in, as a pointer: `/do`, `/do/0/fork/fork/branches`, … */
  readonly list: string
  readonly index: number
}

/** A transition of the flow: `next` by order, `then`, `case` and `catch` by directive, `enter` into a list of a task. */
export interface GraphEdge {
  readonly from: string
  /** A task, or `exit:<list>` for the end of a list, or `end` for the end of the workflow. */
  readonly to: string
  readonly kind: 'next' | 'then' | 'case' | 'catch' | 'enter'
  /** The name of the case, or of the branch. */
  readonly label?: string
}

export interface Graph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}

/** The tasks of a valid definition and the transitions between them, to draw them or to decide reachability. */
export function graphOf(definition: Definition): Graph {
  const graph: Building = { nodes: [], edges: [] }
  addList(graph, definition.do, '/do', undefined)
  return graph
}

interface Building {
  readonly nodes: GraphNode[]
  readonly edges: GraphEdge[]
}

function addList(
  graph: Building,
  list: TaskList,
  pointer: string,
  parent: string | undefined,
  flow: 'sequence' | 'branches' = 'sequence',
): void {
  const entries = taskEntries(list).map((entry) => ({ ...entry, reference: childPointer(childPointer(pointer, entry.index), entry.name) }))
  const references = new Map(entries.map((entry): [string, string] => [entry.name, entry.reference]))
  const exit = `exit:${pointer}`
  for (const [position, { name, task, index, reference }] of entries.entries()) {
    graph.nodes.push({ reference, name, kind: classifyTask(task).kind, list: pointer, index, ...(parent === undefined ? {} : { parent }) })
    const next = flow === 'branches' ? exit : (entries[position + 1]?.reference ?? exit)
    addFlow(graph, task, reference, { references, exit, next })
    addChildren(graph, task, reference)
  }
}

interface Surroundings {
  readonly references: ReadonlyMap<string, string>
  readonly exit: string
  readonly next: string
}

function addFlow(graph: Building, task: Task, from: string, around: Surroundings): void {
  const flow = flowOf(task)
  for (const { target, kind, label, effective } of flow.directives) {
    if (effective) graph.edges.push({ from, to: targetOf(target, around), kind, ...(label === undefined ? {} : { label }) })
  }
  if (flow.fallsThrough) graph.edges.push({ from, to: around.next, kind: 'next' })
}

function targetOf(target: string, around: Surroundings): string {
  if (target === 'end') return 'end'
  if (target === 'exit') return around.exit
  return target === 'continue' ? around.next : (around.references.get(target) ?? around.next)
}

/** Adds the lists of tasks inside a task, each entered from the task; the branches of a fork are entered one by one. */
function addChildren(graph: Building, task: Task, reference: string): void {
  const classified = classifyTask(task)
  switch (classified.kind) {
    case 'do':
    case 'for':
      enter(graph, classified.task.do, reference, ['do'])
      break
    case 'fork':
      enterBranches(graph, classified.task.fork.branches, reference)
      break
    case 'try':
      enter(graph, classified.task.try, reference, ['try'])
      enter(graph, classified.task.catch.do, reference, ['catch', 'do'])
      break
    default: {
      const inner = subscriptionTasks(task)
      if (inner !== undefined) enter(graph, inner.tasks, reference, inner.at)
    }
  }
}

function enter(graph: Building, list: TaskList | undefined, from: string, at: readonly string[]): void {
  if (list === undefined) return
  const pointer = at.reduce(childPointer, from)
  const [first] = taskEntries(list)
  if (first !== undefined) {
    graph.edges.push({ from, to: childPointer(childPointer(pointer, first.index), first.name), kind: 'enter', label: at.join('.') })
  }
  addList(graph, list, pointer, from)
}

function enterBranches(graph: Building, list: TaskList, from: string): void {
  const pointer = ['fork', 'branches'].reduce(childPointer, from)
  for (const { name, index } of taskEntries(list)) {
    graph.edges.push({ from, to: childPointer(childPointer(pointer, index), name), kind: 'enter', label: name })
  }
  addList(graph, list, pointer, from, 'branches')
}
