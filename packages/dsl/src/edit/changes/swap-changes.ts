import { isFirstInLine } from '#src/tree/text-lines.ts'
import { endOf, nodeAt } from '#src/tree/source-node.ts'
import type { TextChange } from '#src/edit/edit.ts'
import { type Layout, regionEnd, regionStart } from '#src/edit/print/layout.ts'
import type { Operation } from '#src/edit/plan/operation.ts'

/** Lets two members that follow each other change places: in lines with their comments, in brackets between their commas. */
export function swapChanges(layout: Layout, { pointer, first, second }: Extract<Operation, { kind: 'swap' }>): TextChange[] | undefined {
  const { text, eol } = layout
  const map = nodeAt(layout.root, pointer)
  if (map?.kind !== 'map') return undefined
  const index = map.members.findIndex(({ key }) => key === first)
  const [one, other] = map.members.slice(index, index + 2)
  if (one === undefined || other?.key !== second) return undefined
  if (map.style === 'flow') {
    return [
      { from: one.start, to: endOf(one), insert: text.slice(other.start, endOf(other)) },
      { from: other.start, to: endOf(other), insert: text.slice(one.start, endOf(one)) },
    ]
  }
  const [at, between, end] = [
    regionStart(layout, map.members, index),
    regionStart(layout, map.members, index + 1),
    regionEnd(layout, map.members, index + 1),
  ]
  if (!isFirstInLine(text, one.start)) {
    // The line of the first member begins with something else, such as the dash of an item: both values change places with their keys.
    return [
      { from: one.start, to: endOf(one), insert: text.slice(other.start, endOf(other)) },
      { from: other.start, to: endOf(other), insert: text.slice(one.start, endOf(one)) },
    ]
  }
  const [head, tail] = [text.slice(at, between), text.slice(between, end)]
  const isLast = !tail.endsWith('\n')
  return [{ from: at, to: end, insert: isLast ? `${tail}${eol}${head.replace(/\r?\n$/, '')}` : `${tail}${head}` }]
}
