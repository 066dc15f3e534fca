import type { Json, JsonObject } from '#src/json.ts'
import type { DefinitionFormat } from '#src/parse/parse-definition.ts'
import { childPointer } from '#src/parse/pointer.ts'
import { kindsOf } from '#src/shape/choose.ts'
import { flowOf } from '#src/tasks/directives.ts'
import { endOf, type SourceMember, type SourceNode, memberOf, nodeAt, valueOf } from '#src/tree/source-node.ts'
import { badgesOf } from './badges-of.ts'
import { commentAbove } from './comment-above.ts'
import type { OutlineEntry, OutlineList, OutlinePlace } from './outline.ts'

export interface Building {
  readonly text: string
  readonly syntax: DefinitionFormat
  readonly places: Map<string, OutlinePlace>
}

/** A list that is being read. */
interface ListPlace {
  readonly path: string
  readonly pointer: string
  readonly slot: string
  readonly branches: boolean
}

/** The keys of the lists of tasks in a task of each kind; the name of the kind is the first key. */
const slots: readonly (readonly [kind: string, slot: string])[] = [
  ['do', 'do'],
  ['for', 'do'],
  ['try', 'try'],
  ['try', 'catch/do'],
  ['fork', 'fork/branches'],
  ['listen', 'foreach/do'],
]

export function listOf(building: Building, node: SourceNode | undefined, place: ListPlace): OutlineList {
  const { path, slot, branches, pointer } = place
  const entries: OutlineEntry[] = []
  const seen = new Map<string, number>()
  for (const [index, item] of (node?.kind === 'list' ? node.items : []).entries()) {
    const member = item.value.kind === 'map' ? item.value.members[0] : undefined
    const name = member?.key ?? ''
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    const site: EntrySite = { path, pointer: `${pointer}/${index}`, name: count === 1 ? name : `${name}#${count}`, list: pointer, index }
    entries.push(member === undefined ? strayOf(building, item, site) : entryOf(building, { member, start: item.start }, site))
  }
  return { path, slot, branches, entries }
}

interface EntrySite {
  readonly path: string
  readonly pointer: string
  /** The last part of the path. */
  readonly name: string
  readonly list?: string
  readonly index?: number
}

/** An item of a list that is no named task, such as one that is being typed. */
function strayOf(building: Building, item: { readonly start: number; readonly value: SourceNode }, site: EntrySite): OutlineEntry {
  const path = childPointer(site.path, site.name)
  const { start } = item
  building.places.set(path, {
    pointer: site.pointer,
    ...(site.list === undefined ? {} : { list: site.list }),
    ...(site.index === undefined ? {} : { index: site.index }),
    start,
    end: endOf(item),
    nameStart: item.value.start,
    nameEnd: item.value.end,
  })
  return { path, name: '', kind: 'unknown', data: valueOf(item.value), slots: [], directives: [], badges: [] }
}

export function entryOf(
  building: Building,
  { member, start }: { readonly member: SourceMember; readonly start: number },
  site: EntrySite,
): OutlineEntry {
  const path = childPointer(site.path, site.name)
  const pointer = childPointer(site.pointer, member.key)
  building.places.set(path, {
    pointer,
    ...(site.list === undefined ? {} : { list: site.list }),
    ...(site.index === undefined ? {} : { index: site.index }),
    start,
    end: endOf(member),
    nameStart: member.keyStart,
    nameEnd: member.keyEnd,
  })
  const { data, kind } = taskOf(member.value)
  const comment = building.syntax === 'yaml' ? commentAbove(building.text, start) : undefined
  return {
    path,
    name: member.key,
    kind,
    data,
    slots: slotsOf(building, member.value, kind, { path, pointer }),
    directives: flowOf(data).directives,
    badges: badgesOf(data),
    ...(comment === undefined ? {} : { comment }),
  }
}

function taskOf(node: SourceNode): Pick<OutlineEntry, 'data' | 'kind'> {
  if (node.kind !== 'map') return { data: valueOf(node), kind: 'unknown' }
  const keys = Object.fromEntries(node.members.map(({ key }) => [key, null]))
  const kind = kindsOf(keys)[0] ?? 'unknown'
  return { data: dataOf(node, listsIn(kind)), kind }
}

/** The value of a task without its lists of tasks. */
function dataOf(node: SourceNode, without: readonly string[]): Json {
  if (node.kind !== 'map' || without.length === 0) return valueOf(node)
  const object: Record<string, Json> = {}
  for (const { key, value } of node.members) {
    if (key === '__proto__' || Object.hasOwn(object, key) || without.includes(key)) continue
    const below = without.filter((path) => path.startsWith(`${key}/`)).map((path) => path.slice(key.length + 1))
    object[key] = dataOf(value, below)
  }
  const data: JsonObject = object
  return data
}

function listsIn(kind: string): readonly string[] {
  return slots.flatMap(([owner, slot]) => (owner === kind ? [slot] : []))
}

function slotsOf(
  building: Building,
  node: SourceNode,
  kind: string,
  { path, pointer }: { readonly path: string; readonly pointer: string },
): OutlineList[] {
  if (node.kind !== 'map') return []
  return listsIn(kind).flatMap((slot) => {
    const list = nodeAt(node, `/${slot}`)
    if (list === undefined && memberOf(node, slot) === undefined) return []
    const branches = slot === 'fork/branches'
    return [listOf(building, list, { path: `${path}/${slot}`, pointer: `${pointer}/${slot}`, slot, branches })]
  })
}
