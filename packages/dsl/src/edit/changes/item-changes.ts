import { childPointer, pointerKeys } from '#src/parse/pointer.ts'
import { type SourceList, type SourceMap, nodeAt } from '#src/tree/source-node.ts'
import { columnOf } from '#src/tree/text-lines.ts'
import { insertLines, partsOf, replaceLines } from './block-changes.ts'
import type { TextChange } from '#src/edit/edit.ts'
import { flowChanges, leadOfParts } from './flow-changes.ts'
import type { Layout } from '#src/edit/print/layout.ts'
import type { Operation, Piece } from '#src/edit/plan/operation.ts'
import { blockLines } from '#src/edit/print/print-block.ts'
import { flowText } from '#src/edit/print/print-flow.ts'
import { replaceNode } from './replace-node.ts'

/** Replaces items of a list. */
export function itemChanges(layout: Layout, operation: Extract<Operation, { kind: 'items' }>): TextChange[] | undefined {
  const { list: pointer, from, count, items } = operation
  const node = nodeAt(layout.root, pointer)
  if (node?.kind !== 'list') return undefined
  if (node.style === 'flow' && (node.items.length > 0 || isInFlow(layout, pointer))) {
    const lead = leadOfParts(layout, node)
    return flowChanges(layout, node, { from, count, parts: items.map((item) => flowText(layout, item, lead)) })
  }
  if (count === node.items.length) return replaceNode(layout, pointer, { kind: 'list', items })
  const column = columnOfParts(layout, node)
  const lines = items.length === 0 ? undefined : blockLines(layout, { kind: 'list', items }, column)
  if (count === 0) return lines === undefined ? [] : insertLines(layout, node, from, lines)
  // The comments above a task stay where they are unless they are taken with it.
  const comments = lines === undefined || takes(items, pointer, from)
  return replaceLines(layout, node, from, count, lines, comments)
}

function takes(items: readonly Piece[], list: string, from: number): boolean {
  return items.some((piece) => {
    if (piece.kind === 'taken') return piece.list === list && piece.index === from
    if (piece.kind === 'map')
      return takes(
        piece.members.map(([, value]) => value),
        list,
        from,
      )
    return piece.kind === 'list' && takes(piece.items, list, from)
  })
}

export function columnOfParts(layout: Layout, node: SourceMap | SourceList): number {
  const first = partsOf(node)[0]
  return first === undefined ? 0 : columnOf(layout.text, first.start)
}

/** Whether a value stands in brackets of another one. */
export function isInFlow(layout: Layout, pointer: string): boolean {
  const keys = pointerKeys(pointer)
  for (let length = 0; length < keys.length; length++) {
    const outer = nodeAt(layout.root, keys.slice(0, length).reduce(childPointer, ''))
    if ((outer?.kind === 'map' || outer?.kind === 'list') && outer.style === 'flow') return true
  }
  return layout.syntax === 'json'
}
