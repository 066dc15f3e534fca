import type { FlowGraph } from './graph.ts'
import type { N8nEdge } from './read-export.ts'
import type { Step, Task } from './task-of.ts'

/** What writing the flow needs to know of the nodes. */
export interface Plan {
  readonly graph: FlowGraph
  nameOf(node: number): string
  /** A name that no other task has. */
  unused(name: string): string
  isMerge(node: number): boolean
  /** Whether the input of a node is one item and not a list. */
  isOne(node: number): boolean
  /** Whether what a node gives is one item and not a list, or lists by its outputs. */
  givesOne(node: number): boolean
  /** The outputs of a node as its value has them: undefined for a node with one. */
  outputKeys(node: number): readonly (string | number)[] | undefined
  stepOf(node: number): Step
  /** The task of a loop, without its steps. */
  loopTask(node: number): Task
  /** The output through which a node runs its loop, if it is one. */
  loopOutput(node: number): number | undefined
  /** The triggers by which the start branches, for one item. */
  readonly starts: readonly { readonly name: string; readonly when: string }[] | undefined
}

/** jq of the items that leave a node by an output, as a list. */
export function itemsOf(plan: Plan, { from, output }: N8nEdge): string {
  const key = JSON.stringify(plan.nameOf(from))
  if (plan.loopOutput(from) !== undefined) return `$list[${key}]`
  const keys = plan.outputKeys(from)
  if (keys === undefined) return output === 0 ? `$list[${key}]` : '[]'
  const name = keys[output]
  if (name === undefined) return '[]'
  return `($out[${key}]${typeof name === 'number' ? `[${name}]` : member(name)} // [])`
}

function member(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}

/** jq of all items of several lists. */
export function joinedItems(lists: readonly string[]): string {
  const [only] = lists
  if (only === undefined) return '[]'
  return lists.length === 1 ? only : `[${lists.map((list) => `${list}[]`).join(', ')}]`
}

/** What a task gives, for the pass that writes how others read it. */
export interface Kept {
  readonly key: string
  readonly isOne: boolean
}

/** The member of a task that has it. */
export const keptAs = '$kept'
