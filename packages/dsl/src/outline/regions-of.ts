import { type Exit, type FlowEntry, flowOfList, type ListFlow, type Target } from '#src/tasks/list-flow.ts'

/** A stretch of a list as a drawing shows it: one task, or a switch with its lanes side by side. */
export type Region = { readonly kind: 'entry'; readonly index: number } | LanesRegion

export interface LanesRegion {
  readonly kind: 'lanes'
  /** The index of the switch. */
  readonly index: number
  readonly lanes: readonly Lane[]
  /** The index at which all lanes meet; the length of the list when that is its end. */
  readonly join: number
}

/** The tasks of one way out of a switch. */
export interface Lane {
  /** The cases that lead into it. */
  readonly cases: readonly string[]
  /** Whether it is taken when no case is. */
  readonly otherwise: boolean
  /** The indexes of its tasks, the end exclusive; equal when the way leads directly to `leaves`. */
  readonly from: number
  readonly to: number
  readonly leaves: 'join' | 'exit' | 'end'
  readonly regions: readonly Region[]
}

/**
 * The lanes that the switches of a list form by jumping forward.
 *
 * A switch has lanes when all its ways lead forward, each lane is entered only from it, and all lanes leave to one task. Other switches are entries
 * like any task. The regions in order, lanes included, have every index of the list once.
 */
export function regionsOf(entries: readonly FlowEntry[]): readonly Region[] {
  return regionsIn(flowOfList(entries), 0, entries.length)
}

function regionsIn(flow: ListFlow, from: number, to: number): readonly Region[] {
  const regions: Region[] = []
  for (let index = from; index < to; ) {
    const lanes = flow.isSwitch[index] === true ? lanesAt(flow, index, to) : undefined
    regions.push(lanes ?? { kind: 'entry', index })
    index = lanes?.join ?? index + 1
  }
  return regions
}

function lanesAt(flow: ListFlow, index: number, end: number): LanesRegion | undefined {
  const ways = flow.exits[index] ?? []
  const starts = [...new Set(ways.flatMap(({ target }) => (typeof target === 'number' ? [target] : [])))].toSorted(
    (one, other) => one - other,
  )
  // A switch whose ways all lead to one place needs no lanes.
  if (ways.length < 2 || starts.length === 0 || starts.some((start) => start <= index || start > end) || starts[0] !== index + 1)
    return undefined
  const join = joinOf(flow, starts, end)
  if (join === undefined) return undefined
  const inner = starts.filter((start) => start < join)
  const bounds = inner.map((from, at) => ({ from, to: inner[at + 1] ?? join }))
  if (!bounds.every(({ from, to }) => isClosed(flow, { from, to, switchAt: index, join }))) return undefined
  const lanes = bounds.map(({ from, to }) => laneOf(flow, ways, { from, to, leaves: 'join' }))
  const direct = ([join, 'exit', 'end'] as const).flatMap((target) => {
    if (!ways.some((way) => way.target === target)) return []
    const leaves = target === 'exit' || target === 'end' ? target : 'join'
    const { cases, otherwise } = waysTo(ways, target)
    const lane: Lane = { cases, otherwise, from: join, to: join, leaves, regions: [] }
    return [lane]
  })
  return { kind: 'lanes', index, lanes: [...lanes, ...direct], join }
}

/**
 * Where all lanes but the last lead: the join. If they all end the workflow or leave the list, the main flow continues with the last: so a list of checks,
 * each of which may end the workflow, stays a list.
 */
function joinOf(flow: ListFlow, starts: readonly number[], end: number): number | undefined {
  const left = new Set<number>()
  for (const [at, from] of starts.slice(0, -1).entries()) {
    const to = starts[at + 1] ?? end
    for (const target of leaving(flow, from, to)) left.add(target)
  }
  if (left.size > 1) return undefined
  const last = starts.at(-1) ?? end
  const [join = last] = left
  return join >= last && join <= end ? join : undefined
}

function leaving(flow: ListFlow, from: number, to: number): number[] {
  const targets: number[] = []
  for (let index = from; index < to; index++) {
    for (const { target } of flow.exits[index] ?? []) {
      if (typeof target === 'number' && (target < from || target >= to)) targets.push(target)
    }
  }
  return targets
}

/** Whether a lane is entered only at its start by the switch, and left only to the join. */
function isClosed(
  flow: ListFlow,
  { from, to, switchAt, join }: { readonly from: number; readonly to: number; readonly switchAt: number; readonly join: number },
) {
  for (let index = from; index < to; index++) {
    const inside = (source: number): boolean => source >= from && source < to
    if (!(flow.sources[index] ?? []).every((source) => inside(source) || (source === switchAt && index === from))) return false
  }
  return leaving(flow, from, to).every((target) => target === join)
}

function laneOf(flow: ListFlow, ways: readonly Exit[], lane: Pick<Lane, 'from' | 'to' | 'leaves'>): Lane {
  return { ...waysTo(ways, lane.from), ...lane, regions: regionsIn(flow, lane.from, lane.to) }
}

function waysTo(ways: readonly Exit[], target: Target): Pick<Lane, 'cases' | 'otherwise'> {
  const here = ways.filter((way) => way.target === target)
  return {
    cases: here.flatMap(({ label }) => (label === undefined ? [] : [label])),
    otherwise: here.some(({ label }) => label === undefined),
  }
}
