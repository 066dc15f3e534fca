import type { SourceMap } from '#src/tree/source-node.ts'
import { insertLines, replaceLines } from './block-changes.ts'
import type { TextChange } from '#src/edit/edit.ts'
import { flowChanges, leadOfParts } from './flow-changes.ts'
import { columnOfParts, isInFlow } from './item-changes.ts'
import type { Layout } from '#src/edit/print/layout.ts'
import { type Piece, json } from '#src/edit/plan/operation.ts'
import { memberLine } from '#src/edit/print/print-block.ts'
import { flowMember } from '#src/edit/print/print-flow.ts'
import { replaceNode } from './replace-node.ts'

/** Adds a member to a map. */
export function addMember(layout: Layout, owner: string, map: SourceMap, key: string, value: Piece): TextChange[] {
  if (map.members.length === 0 && !isInFlow(layout, owner)) return replaceNode(layout, owner, { kind: 'map', members: [[key, value]] })
  if (map.style === 'flow') {
    const lead = leadOfParts(layout, map)
    return flowChanges(layout, map, { from: map.members.length, count: 0, parts: [flowMember(layout, key, value, lead)] })
  }
  return insertLines(layout, map, placeOf(map, key), memberLine(layout, key, value, columnOfParts(layout, map)))
}

const leading: ReadonlySet<string> = new Set(['if', 'input'])

/** The condition and the input of a task are written first, everything else last. */
function placeOf(map: SourceMap, key: string): number {
  if (!leading.has(key) || map.members.some((member) => member.key === 'document')) return map.members.length
  const first = map.members[0]?.key
  return key === 'input' && first === 'if' ? 1 : 0
}

/** Removes members of a map. */
export function removeMembers(layout: Layout, pointer: string, map: SourceMap, from: number, count: number): TextChange[] {
  if (map.style === 'flow') return flowChanges(layout, map, { from, count, parts: [] })
  return count === map.members.length ? replaceNode(layout, pointer, json({})) : replaceLines(layout, map, from, count, undefined)
}
