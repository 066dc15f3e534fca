import type { Converted } from './converted.ts'
import { type FlowGraph, start } from './graph.ts'
import type { N8nEdge } from './read-export.ts'

/** What a node gives for one item: one item (always: for a list as well), one item by one of its outputs, nothing as it fails, or a list. */
export type Gives = 'one' | 'always-one' | 'branch' | 'fails' | 'list'

export function givesOf(converted: Converted): Gives {
  switch (converted.as) {
    case 'pass':
      return 'one'
    case 'branch':
      return converted.all === true ? 'list' : 'branch'
    case 'once':
      return converted.result === undefined ? 'one' : 'list'
    case 'each':
      return 'raise' in converted.task ? 'fails' : (converted.gives ?? 'list')
    case 'jq':
      return converted.gives === 'one' ? 'always-one' : 'list'
    default:
      return converted.gives === 'one' ? 'one' : 'list'
  }
}

export interface OneItemDeps {
  readonly graph: FlowGraph
  givesOf(node: number): Gives
  /** The number of outputs of a branch or of the start, and whether an item may leave by none of them. */
  outputsOf(node: number): { readonly count: number; readonly mayEnd: boolean }
  /** Whether the start gives one item to one of its triggers. */
  readonly startsWithOne: boolean
  isMerge(node: number): boolean
  /** The output of a node by which each round of its loop gets one item. */
  loopOutput(node: number): number | undefined
}

/** The nodes whose input always is one item, whichever way led there. */
export function oneItemNodes(deps: OneItemDeps): ReadonlySet<number> {
  const { graph } = deps
  const rank = new Map(graph.order.map((node, index) => [node, index]))
  const dominator = new Map([...graph.dominated].flatMap(([by, nodes]) => nodes.map((node) => [node, by] as const)))
  const outgoing = new Map<number, N8nEdge[]>()
  for (const edge of [...graph.incoming.values()].flat()) outgoing.set(edge.from, [...(outgoing.get(edge.from) ?? []), edge])
  const found = new Set<number>()
  const isOne = (node: number): boolean => {
    const edges = graph.incoming.get(node) ?? []
    const by = dominator.get(node)
    const [edge] = edges
    if (edge === undefined || by === undefined || deps.isMerge(node)) return false
    const isOneThere =
      by === start ? deps.startsWithOne : found.has(by) || deps.loopOutput(by) !== undefined || deps.givesOf(by) === 'always-one'
    if (!isOneThere) return false
    // The way of a branch, or the round of a loop, in which the node stands has one item.
    if (edges.length === 1) {
      const gives = by === start ? 'branch' : deps.givesOf(by)
      const loop = deps.loopOutput(by)
      return loop === undefined
        ? gives === 'one' || gives === 'always-one' || (gives === 'branch' && edge.output < deps.outputsOf(by).count)
        : edge.output === loop
    }
    return arrivals(deps, { outgoing, rank, to: node }, by) === 1
  }
  for (const node of graph.order) if (node !== start && isOne(node)) found.add(node)
  return found
}

interface Ways {
  readonly outgoing: ReadonlyMap<number, readonly N8nEdge[]>
  readonly rank: ReadonlyMap<number, number>
  readonly to: number
}

/** How many items reach a node for one item that another gives; undefined if it differs. */
function arrivals(deps: OneItemDeps, { outgoing, rank, to }: Ways, from: number): Arrivals {
  const known = new Map<number, Arrivals>([[to, 1]])
  const last = rank.get(to) ?? 0
  const among = deps.graph.order.slice(rank.get(from) ?? 0, last).toReversed()
  for (const node of among) {
    const edges = outgoing.get(node) ?? []
    known.set(
      node,
      node === from && deps.loopOutput(node) !== undefined ? roundOf(deps, node, edges, known) : arrivalsBy(deps, node, edges, known),
    )
  }
  return known.get(from)
}

type Arrivals = number | 'fails' | undefined
type Known = ReadonlyMap<number, Arrivals>

/** For the item of one round of a loop. */
function roundOf({ loopOutput }: OneItemDeps, node: number, edges: readonly N8nEdge[], known: Known): Arrivals {
  return reached(
    edges.filter(({ output }) => output === loopOutput(node)),
    known,
  )
}

function arrivalsBy(deps: OneItemDeps, node: number, edges: readonly N8nEdge[], known: Known): Arrivals {
  const gives = node === start ? 'branch' : deps.loopOutput(node) === undefined ? deps.givesOf(node) : 'list'
  if (gives === 'fails') return 'fails'
  if (gives === 'list') return reached(edges, known) === 0 ? 0 : undefined
  if (gives !== 'branch') return reached(edges, known)
  const { count, mayEnd } = deps.outputsOf(node)
  const byOutput = Array.from({ length: count }, (_, output) =>
    reached(
      edges.filter((edge) => edge.output === output),
      known,
    ),
  )
  const different = new Set([...byOutput, ...(mayEnd ? [0] : [])].filter((one) => one !== 'fails'))
  if (different.size === 0) return 'fails'
  return different.size === 1 ? [...different][0] : undefined
}

function reached(edges: readonly N8nEdge[], known: Known): Arrivals {
  return edges.reduce<Arrivals>((sum, { to }) => {
    const one = known.has(to) ? known.get(to) : 0
    if (one === 'fails' || sum === 'fails') return 'fails'
    return sum === undefined || one === undefined ? undefined : sum + one
  }, 0)
}
