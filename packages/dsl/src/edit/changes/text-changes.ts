import { type ScalarStyle, alignScalar } from '#src/parse/scalar-offset.ts'
import { childPointer, pointerKeys } from '#src/parse/pointer.ts'
import type { Json } from '#src/json.ts'
import { memberOf, nodeAt, valueOf } from '#src/tree/source-node.ts'
import type { TextChange } from '#src/edit/edit.ts'
import { itemChanges } from './item-changes.ts'
import type { Layout } from '#src/edit/print/layout.ts'
import { addMember, removeMembers } from './member-changes.ts'
import { replacePieces } from '#src/expression/replace-pieces.ts'
import { type Operation, type Piece, type StringPiece, json } from '#src/edit/plan/operation.ts'
import { printKey } from '#src/edit/print/print-key.ts'
import { reconcile } from './reconcile.ts'
import { replaceNode } from './replace-node.ts'
import { swapChanges } from './swap-changes.ts'

/** The changes of the text that make an operation; undefined when the place is behind an alias or does not exist. */
export function textChanges(layout: Layout, operation: Operation): TextChange[] | undefined {
  switch (operation.kind) {
    case 'items':
      return itemChanges(layout, operation)
    case 'set':
      return setChanges(layout, operation.pointer, operation.value)
    case 'unset':
      return unsetChanges(layout, operation.pointer)
    case 'key':
      return keyChanges(layout, operation.pointer, operation.name)
    case 'swap':
      return swapChanges(layout, operation)
    case 'within':
      return withinChanges(layout, operation.pointer, operation.pieces)
  }
}

function setChanges(layout: Layout, pointer: string, value: Piece): TextChange[] | undefined {
  if (nodeAt(layout.root, pointer) !== undefined) {
    return value.kind === 'json' ? reconcile(layout, pointer, value.value) : replaceNode(layout, pointer, value)
  }
  const keys = pointerKeys(pointer)
  const key = keys.at(-1) ?? ''
  const owner = keys.slice(0, -1).reduce(childPointer, '')
  const map = nodeAt(layout.root, owner)
  if (map?.kind === 'scalar' && map.value === null) return replaceNode(layout, owner, { kind: 'map', members: [[key, value]] })
  return map?.kind === 'map' ? addMember(layout, owner, map, key, value) : undefined
}

function unsetChanges(layout: Layout, pointer: string): TextChange[] | undefined {
  const keys = pointerKeys(pointer)
  const owner = keys.slice(0, -1).reduce(childPointer, '')
  const map = nodeAt(layout.root, owner)
  if (map?.kind !== 'map') return undefined
  const index = map.members.findIndex(({ key }) => key === keys.at(-1))
  return index === -1 ? undefined : removeMembers(layout, owner, map, index, 1)
}

function keyChanges(layout: Layout, pointer: string, name: string): TextChange[] | undefined {
  const keys = pointerKeys(pointer)
  const map = nodeAt(layout.root, keys.slice(0, -1).reduce(childPointer, ''))
  const member = map?.kind === 'map' ? memberOf(map, keys.at(-1) ?? '') : undefined
  if (member === undefined || map?.kind !== 'map') return undefined
  const insert = printKey(layout, layout.text.slice(member.keyStart, member.keyEnd), name, map.style === 'flow')
  return [{ from: member.keyStart, to: member.keyEnd, insert }]
}

function withinChanges(layout: Layout, pointer: string, pieces: readonly StringPiece[]): TextChange[] | undefined {
  const node = nodeAt(layout.root, pointer)
  const value: Json = valueOf(node)
  if (node?.kind !== 'scalar' || typeof value !== 'string') return undefined
  const written = layout.text.slice(node.start, node.end)
  const style = styleOf(written)
  // Such a character can end text without quotes, so the text gets quotes if it needs them.
  if (style === 'plain' && pieces.some(({ insert }) => /[:#,[\]{}]/.test(insert)))
    return replaceNode(layout, pointer, json(replacePieces(value, pieces)))
  return pieces.map(({ start, end, insert }) => {
    const [from = 0, to = 0] = alignScalar(written, style, value, [start, end])
    return { from: node.start + from, to: node.start + to, insert: escapedFor(style, insert) }
  })
}

function styleOf(written: string): ScalarStyle {
  if (written.startsWith('"')) return 'double'
  if (written.startsWith("'")) return 'single'
  return /^[|>]/.test(written) ? 'block' : 'plain'
}

function escapedFor(style: ScalarStyle, insert: string): string {
  if (style === 'double') return JSON.stringify(insert).slice(1, -1)
  return style === 'single' ? insert.replaceAll("'", "''") : insert
}
