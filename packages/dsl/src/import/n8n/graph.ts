import type { N8nEdge, N8nNode } from './read-export.ts'

/** Edges between the nodes that run, with the dominator of each node. -1 is the start. */
export interface FlowGraph {
  readonly order: readonly number[]
  readonly incoming: ReadonlyMap<number, readonly N8nEdge[]>
  /** Nodes that run only after this one, in the order of execution. */
  readonly dominated: ReadonlyMap<number, readonly number[]>
  readonly backEdges: readonly N8nEdge[]
  readonly unreachable: readonly number[]
}

export const start = -1

/** The structure of a graph of nodes from its starts. Cycles are cut at the edges that lead back. */
export function flowGraph(nodes: readonly N8nNode[], edges: readonly N8nEdge[], starts: readonly number[]): FlowGraph {
  const all = [...starts.map((to, output) => ({ from: start, output, to, input: 0, kind: 'main' })), ...edges]
  const outgoing = grouped(all, ({ from }) => from)
  for (const list of outgoing.values()) list.sort((a, b) => a.output - b.output || heightOf(nodes, a.to) - heightOf(nodes, b.to))
  const { order, backEdges } = walk(outgoing)
  const back = new Set(backEdges)
  const reached = new Set(order)
  const forward = all.filter((edge) => reached.has(edge.from) && !back.has(edge))
  const incoming = grouped(forward, ({ to }) => to)
  return {
    order,
    incoming,
    dominated: dominatedBy(order, incoming),
    backEdges,
    unreachable: nodes.map(({ index }) => index).filter((index) => !reached.has(index)),
  }
}

function heightOf(nodes: readonly N8nNode[], index: number): number {
  return nodes[index]?.position[1] ?? 0
}

function grouped(edges: readonly N8nEdge[], keyOf: (edge: N8nEdge) => number): Map<number, N8nEdge[]> {
  const groups = new Map<number, N8nEdge[]>()
  for (const edge of edges) {
    const group = groups.get(keyOf(edge))
    if (group === undefined) groups.set(keyOf(edge), [edge])
    else group.push(edge)
  }
  return groups
}

/** Depth first without recursion: the reverse of the order in which nodes are left is topological. */
function walk(outgoing: ReadonlyMap<number, readonly N8nEdge[]>) {
  const state = new Map<number, 'open' | 'done'>([[start, 'open']])
  const left: number[] = []
  const backEdges: N8nEdge[] = []
  const stack = [{ node: start, next: (outgoing.get(start)?.length ?? 0) - 1 }]
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const edge = outgoing.get(top.node)?.[top.next--]
    if (edge === undefined) {
      state.set(top.node, 'done')
      left.push(top.node)
      stack.pop()
    } else if (state.get(edge.to) === 'open') backEdges.push(edge)
    else if (state.get(edge.to) === undefined) {
      state.set(edge.to, 'open')
      stack.push({ node: edge.to, next: (outgoing.get(edge.to)?.length ?? 0) - 1 })
    }
  }
  return { order: left.toReversed(), backEdges }
}

/** Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm. One pass suffices without cycles. */
function dominatedBy(order: readonly number[], incoming: ReadonlyMap<number, readonly N8nEdge[]>): Map<number, number[]> {
  const rank = new Map(order.map((node, index) => [node, index]))
  const dominator = new Map<number, number>([[start, start]])
  const rankOf = (node: number) => rank.get(node) ?? 0
  const common = (a: number, b: number) => {
    let [one, other] = [a, b]
    while (one !== other) {
      if (rankOf(one) > rankOf(other)) one = dominator.get(one) ?? start
      else other = dominator.get(other) ?? start
    }
    return one
  }
  const dominated = new Map<number, number[]>()
  for (const node of order.slice(1)) {
    const sources = (incoming.get(node) ?? []).map(({ from }) => from)
    const by = sources.reduce((left, right) => common(left, right))
    dominator.set(node, by)
    dominated.set(by, [...(dominated.get(by) ?? []), node])
  }
  return dominated
}
