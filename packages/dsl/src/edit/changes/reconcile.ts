import type { Json, JsonObject } from '#src/json.ts'
import { childPointer } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import { type SourceMap, nodeAt, valueOf } from '#src/tree/source-node.ts'
import type { TextChange } from '#src/edit/edit.ts'
import { itemChanges } from './item-changes.ts'
import type { Layout } from '#src/edit/print/layout.ts'
import { addMember, removeMembers } from './member-changes.ts'
import { json } from '#src/edit/plan/operation.ts'
import { replaceNode } from './replace-node.ts'
import { sameJson } from '#src/edit/plan/same-json.ts'

/** The changes that make the value at a pointer equal to another one; what is equal keeps its text. */
export function reconcile(layout: Layout, pointer: string, value: Json): TextChange[] {
  const node = nodeAt(layout.root, pointer)
  const old = valueOf(node)
  if (node === undefined || (node.kind !== 'alias' && sameJson(old, value))) return []
  if (node.kind === 'map' && isObject(value) && isObject(old))
    return reconcileMap(layout, pointer, node, value) ?? replaceNode(layout, pointer, json(value))
  if (node.kind === 'list' && Array.isArray(value) && Array.isArray(old)) return reconcileList(layout, pointer, old, value)
  return replaceNode(layout, pointer, json(value))
}

/** Undefined when too little of the map remains to be worth its text. */
function reconcileMap(layout: Layout, pointer: string, map: SourceMap, value: JsonObject): TextChange[] | undefined {
  const keeps = map.members.map(({ key }) => Object.hasOwn(value, key))
  const added = Object.keys(value).filter((key) => !map.members.some((member) => member.key === key))
  const isDuplicated = new Set(map.members.map(({ key }) => key)).size < map.members.length
  if (isDuplicated || !keeps.includes(true)) return undefined
  // The commas of several changes in brackets would meet.
  const structural = added.length + keeps.filter((keep) => !keep).length
  if (map.style === 'flow' && structural > 1) return undefined
  const changes = map.members.flatMap(({ key }, index) =>
    keeps[index] === true ? reconcile(layout, childPointer(pointer, key), value[key] ?? null) : [],
  )
  for (let index = 0; index < keeps.length; index++) {
    if (keeps[index] === true) continue
    let count = 1
    while (keeps[index + count] === false) count++
    changes.push(...removeMembers(layout, pointer, map, index, count))
    index += count
  }
  if (added.length === 0) return changes
  const inserted = added.flatMap((key) => addMember(layout, pointer, map, key, json(value[key] ?? null)))
  return [...changes, ...inserted]
}

function reconcileList(layout: Layout, pointer: string, old: readonly Json[], value: readonly Json[]): TextChange[] {
  if (old.length === value.length) return value.flatMap((item, index) => reconcile(layout, childPointer(pointer, index), item))
  const most = Math.min(old.length, value.length)
  let from = 0
  while (from < most && sameJson(old[from] ?? null, value[from] ?? null)) from++
  let common = 0
  while (common < most - from && sameJson(old[old.length - 1 - common] ?? null, value[value.length - 1 - common] ?? null)) common++
  const items = value.slice(from, value.length - common).map(json)
  return itemChanges(layout, { kind: 'items', list: pointer, from, count: old.length - common - from, items }) ?? []
}
