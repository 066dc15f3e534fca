import type { FlowGraph } from './graph.ts'
import type { N8nEdge } from './read-export.ts'
import type { Task, TaskList } from './task-of.ts'

/** What writing the flow needs to know of the nodes. */
export interface Plan {
  readonly graph: FlowGraph
  nameOf(node: number): string
  laneName(edge: N8nEdge): string
  /** jq of the items that leave by an edge. */
  outputOf(edge: N8nEdge): string
  /** jq of the input of a node: a list of items, or a list of inputs for a merge. */
  inputOf(node: number): string
  isMerge(node: number): boolean
  tasksOf(node: number): readonly [string, Task][]
  /** The output through which a node runs its loop, if it is one. */
  loopOutput(node: number): number | undefined
  /** jq of the context with the output of a node. */
  contextWith(node: number, output: string): string
  /** Records the last task of a list as that which gives the items of a node. */
  keep(node: number, list: TaskList): void
}

/** jq of all items of several lists. */
export function itemsOutput(lists: readonly string[]): string {
  const [only] = lists
  if (only === undefined) return '[]'
  return lists.length === 1 ? only : `[${lists.map((list) => `(${list})[]`).join(', ')}]`
}
