import type { JsonObject } from '@millrace/dsl'
import type { Badge, FlowEntry, Lane, Outline, OutlineEntry, OutlineList, Region } from '@millrace/dsl/outline'
import { regionsOf } from '@millrace/dsl/outline'
import { readable } from '#src/flow/readable.ts'
import { nodeOf, summaryOf } from '#src/flow/step-summary.ts'

/** Where a task stands: the pointer of its list and its index there. */
export interface Place {
  readonly list: string
  readonly index: number
}

/** A task as the flow shows it. */
export interface DrawnEntry extends Place {
  /** The names of the tasks around it, which do not change with the order. */
  readonly path: string
  /** JSON Pointer of the task. */
  readonly reference: string
  readonly name: string
  /** Glyph of the sprite. */
  readonly kind: string
  readonly summary: string
  /** The condition without which it is skipped. */
  readonly condition: string | undefined
  readonly badges: readonly Badge[]
  readonly comment: string | undefined
  /** Where it leads when not to the next: `end`, `exit` or a name. */
  readonly leads: string | undefined
  readonly blocks: readonly DrawnBlock[]
  /** Pointer of the task that chooses among its ways, which is not drawn: its name is that of the whole. */
  readonly chooses?: string
}

/** A list of tasks inside a task, or the part of a list that is a lane of a switch. */
export interface DrawnBlock {
  readonly kind: 'body' | 'loop' | 'lane' | 'catch'
  readonly key: string
  readonly label: string
  /** The condition of a lane, or the errors of a catch. */
  readonly detail: string
  /** Pointer of the list that steps are added to, and the range of it that is drawn here. */
  readonly list: string
  readonly from: number
  readonly to: number
  /** True where nothing can be added: a branch that is one task. */
  readonly fixed: boolean
  /** The task that contains the list of a lane. */
  readonly owner: DrawnEntry | undefined
  /** Where the lane leaves to; shown where none of its steps does. */
  readonly leaves: 'join' | 'exit' | 'end'
  readonly entries: readonly DrawnEntry[]
}

/** The main list of a definition, drawn. */
export interface Drawing {
  readonly list: string
  readonly entries: readonly DrawnEntry[]
}

/** Lays the tasks of an outline out: lists as lists, switches with their ways side by side where the order of the tasks allows it. */
export function drawingOf(outline: Outline): Drawing {
  return { list: '/do', entries: entriesOf(outline, outline.main, '/do') }
}

function entriesOf(outline: Outline, list: OutlineList, pointer: string): readonly DrawnEntry[] {
  return regionsDrawn({ outline, list, pointer }, regionsOf(list.entries.map(flowEntry)))
}

function flowEntry({ name, data }: OutlineEntry): FlowEntry {
  return { name, data }
}

interface Listing {
  readonly outline: Outline
  readonly list: OutlineList
  readonly pointer: string
}

function regionsDrawn(at: Listing, regions: readonly Region[]): readonly DrawnEntry[] {
  return regions.flatMap((region) => {
    const entry = at.list.entries[region.index]
    if (entry === undefined) return []
    const drawn = drawnOf(at, entry, region.index)
    if (region.kind === 'entry') return [drawn]
    return [{ ...drawn, summary: '', blocks: region.lanes.map((lane, index) => openLane(at, entry, lane, index)) }]
  })
}

/** A lane of a switch that jumps within its list. */
function openLane(at: Listing, entry: OutlineEntry, lane: Lane, index: number): DrawnBlock {
  return {
    kind: 'lane',
    key: `${entry.path}.${index}`,
    label: lane.cases.join(', '),
    detail: lane.cases.length === 1 ? conditionOf(entry, lane.cases[0] ?? '') : '',
    list: at.pointer,
    from: lane.from,
    to: lane.to,
    fixed: lane.from === lane.to,
    owner: undefined,
    leaves: lane.leaves,
    entries: regionsDrawn(at, lane.regions),
  }
}

/** The condition of a case of a switch. */
function conditionOf({ data }: OutlineEntry, name: string): string {
  const cases = nodeOf(data)['switch']
  const found: unknown = Array.isArray(cases) ? cases.find((item) => name in nodeOf(item)) : undefined
  const { when } = nodeOf(nodeOf(found)[name])
  return typeof when === 'string' ? readable(when) : ''
}

/** Drawn entries by what they were drawn of: an entry that did not change and did not move is the same object in the next drawing. */
const drawnBefore = new WeakMap<OutlineEntry, DrawnEntry>()

function drawnOf(at: Listing, entry: OutlineEntry, index: number): DrawnEntry {
  const reference = at.outline.places.get(entry.path)?.pointer ?? at.pointer
  const before = drawnBefore.get(entry)
  if (before?.reference === reference && before.index === index && before.list === at.pointer) return before
  const drawn = drawnAnew(at, entry, index, reference)
  drawnBefore.set(entry, drawn)
  return drawn
}

function drawnAnew({ outline, pointer }: Listing, entry: OutlineEntry, index: number, reference: string): DrawnEntry {
  const data = nodeOf(entry.data)
  const condition = entry.badges.includes('disabled') ? undefined : data['if']
  const then = data['then']
  const drawn: DrawnEntry = {
    path: entry.path,
    reference,
    list: pointer,
    index,
    name: entry.name,
    ...summaryOf(entry.kind, entry.data),
    condition: typeof condition === 'string' ? readable(condition) : undefined,
    badges: entry.badges,
    comment: entry.comment,
    leads: typeof then === 'string' && then !== 'continue' ? then : undefined,
    blocks: [],
  }
  const closed = closedSwitch(entry)
  if (closed !== undefined) {
    const chooses = outline.places.get(closed.choose.path)?.pointer
    const blocks = closedLanes(outline, closed, reference)
    return { ...drawn, kind: 'switch', blocks, ...(chooses === undefined ? {} : { chooses }) }
  }
  return { ...drawn, blocks: entry.slots.flatMap((slot) => blocksOf(outline, entry, slot, reference)) }
}

interface ClosedSwitch {
  readonly choose: OutlineEntry
  readonly lanes: readonly OutlineEntry[]
}

/** A `do` task of a switch and one `do` task for each way, which leaves by `exit` or ends the workflow: the form that the editor writes. */
export function closedSwitch(entry: OutlineEntry): ClosedSwitch | undefined {
  const [choose, ...lanes] = entry.slots.length === 1 ? (entry.slots[0]?.entries ?? []) : []
  if (entry.kind !== 'do' || choose?.kind !== 'switch' || lanes.length === 0) return undefined
  const isLane = (lane: OutlineEntry, index: number): boolean =>
    lane.kind === 'do' && (leavesBlock(lane) || (index === lanes.length - 1 && !('then' in nodeOf(lane.data))))
  // A lane to which no case leads any more, such as one whose case ends the workflow itself, stays a lane: its steps must not be lost from sight.
  const isLedTo = (lane: OutlineEntry): boolean => choose.directives.some(({ target }) => target === lane.name)
  return lanes.every(isLane) && lanes.some(isLedTo) ? { choose, lanes } : undefined
}

function leavesBlock({ data }: OutlineEntry): boolean {
  const { then } = nodeOf(data)
  return then === 'exit' || then === 'end'
}

function closedLanes(outline: Outline, { choose, lanes }: ClosedSwitch, reference: string): readonly DrawnBlock[] {
  return lanes.flatMap((lane, at) => {
    const [slot] = lane.slots
    if (slot === undefined) return []
    const names = choose.directives.flatMap(({ target, label }) => (target === lane.name && label !== undefined ? [label] : []))
    const owner = bareEntry(outline, lane, `${reference}/do`, at + 1)
    const detail = names.length === 1 ? conditionOf(choose, names[0] ?? '') : ''
    const leaves = nodeOf(lane.data)['then'] === 'end' ? 'end' : 'join'
    return [{ ...laneOf(outline, slot, owner, { label: lane.name, detail }), leaves }]
  })
}

/** A task without the lists in it. */
function bareEntry(outline: Outline, entry: OutlineEntry, pointer: string, index: number): DrawnEntry {
  const list: OutlineList = { path: '', slot: '', branches: false, entries: [] }
  return drawnOf({ outline, list, pointer }, { ...entry, slots: [] }, index)
}

function laneOf(
  outline: Outline,
  slot: OutlineList,
  owner: DrawnEntry,
  { label, detail }: Pick<DrawnBlock, 'label' | 'detail'>,
): DrawnBlock {
  return { ...blockOf(outline, slot, `${owner.reference}/${slot.slot}`, 'lane'), label, detail, owner }
}

function blockOf(outline: Outline, slot: OutlineList, pointer: string, kind: DrawnBlock['kind']): DrawnBlock {
  return {
    kind,
    key: slot.path,
    label: '',
    detail: '',
    list: pointer,
    from: 0,
    to: slot.entries.length,
    fixed: false,
    owner: undefined,
    leaves: 'join',
    entries: entriesOf(outline, slot, pointer),
  }
}

function blocksOf(outline: Outline, entry: OutlineEntry, slot: OutlineList, reference: string): readonly DrawnBlock[] {
  const pointer = `${reference}/${slot.slot}`
  if (slot.branches) return slot.entries.map((branch, index) => branchOf(outline, branch, pointer, index))
  if (slot.slot === 'catch/do') return [{ ...blockOf(outline, slot, pointer, 'catch'), detail: caughtStatus(entry) }]
  return [blockOf(outline, slot, pointer, entry.kind === 'for' || slot.slot === 'foreach/do' ? 'loop' : 'body')]
}

function branchOf(outline: Outline, branch: OutlineEntry, pointer: string, index: number): DrawnBlock {
  const [slot] = branch.slots
  if (branch.kind === 'do' && slot !== undefined && closedSwitch(branch) === undefined)
    return laneOf(outline, slot, bareEntry(outline, branch, pointer, index), { label: branch.name, detail: '' })
  const list: OutlineList = { path: branch.path, slot: '', branches: false, entries: [branch] }
  const drawn = drawnOf({ outline, list, pointer }, branch, index)
  return { ...blockOf(outline, list, pointer, 'lane'), from: index, to: index + 1, fixed: true, entries: [drawn] }
}

function caughtStatus({ data }: OutlineEntry): string {
  const { with: filter }: JsonObject | Readonly<Record<string, unknown>> = nodeOf(nodeOf(nodeOf(data)['catch'])['errors'])
  const { status, title } = nodeOf(filter)
  return [status, title]
    .filter((part) => part !== undefined)
    .map(String)
    .join(' ')
}

/** The entry at a path, found along the way to it. */
export function entryAt(entries: readonly DrawnEntry[], path: string | undefined): DrawnEntry | undefined {
  if (path === undefined) return undefined
  for (const entry of flatEntries(entries)) if (entry.path === path) return entry
  return undefined
}

/** The drawn entries of the tasks that are not drawn themselves, by the pointers of these. */
export function drawnInstead(entries: readonly DrawnEntry[]): ReadonlyMap<string, DrawnEntry> {
  return new Map([...flatEntries(entries)].flatMap((entry) => (entry.chooses === undefined ? [] : [[entry.chooses, entry] as const])))
}

/** The entries in the order of the drawing, with the owners of lanes before their steps. */
export function* flatEntries(entries: readonly DrawnEntry[]): Generator<DrawnEntry> {
  for (const entry of entries) {
    yield entry
    for (const block of entry.blocks) {
      if (block.owner !== undefined) yield block.owner
      yield* flatEntries(block.entries)
    }
  }
}
