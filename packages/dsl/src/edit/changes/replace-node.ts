import { childPointer, pointerKeys } from '#src/parse/pointer.ts'
import { type SourceNode, nodeAt } from '#src/tree/source-node.ts'
import { columnOf, isFirstInLine, lineStart } from '#src/tree/text-lines.ts'
import { behindColon, partsOf } from './block-changes.ts'
import type { TextChange } from '#src/edit/edit.ts'
import { leadOfLine } from './flow-changes.ts'
import { type Layout, lineAfter, regionEnd, regionStart } from '#src/edit/print/layout.ts'
import type { Piece } from '#src/edit/plan/operation.ts'
import { behindKey, blockLines, isNested, scalarText } from '#src/edit/print/print-block.ts'
import { flowText } from '#src/edit/print/print-flow.ts'
import { doubleQuoted, singleQuoted } from '#src/edit/print/print-scalar.ts'

/** Replaces the whole value at a pointer. */
export function replaceNode(layout: Layout, pointer: string, piece: Piece): TextChange[] {
  const { text, root } = layout
  const node = nodeAt(root, pointer)
  const keys = pointerKeys(pointer)
  const owner = nodeAt(root, keys.slice(0, -1).reduce(childPointer, ''))
  if (node === undefined) return []
  if (keys.length === 0)
    return [
      { from: node.start, to: node.end, insert: layout.syntax === 'json' ? flowText(layout, piece, '') : blockLines(layout, piece, 0) },
    ]
  if (owner?.kind === 'map' && owner.style === 'block') {
    const member = owner.members.find(({ value }) => value === node)
    if (member !== undefined) return underKey(layout, node, piece, columnOf(text, member.start), behindColon(text, member.keyEnd))
  }
  if (owner?.kind === 'list' && owner.style === 'block') {
    const item = owner.items.find(({ value }) => value === node)
    if (item !== undefined) return underDash(layout, node, piece, columnOf(text, item.start), item.start + 1)
  }
  return inBrackets(layout, node, piece)
}

function inBrackets(layout: Layout, node: SourceNode, piece: Piece): TextChange[] {
  const { text, jsonUnit, syntax } = layout
  const isLaidOut =
    syntax === 'json' ? jsonUnit !== '' && leadOfLine(text, node.start) !== '' : text.slice(node.start, node.end).includes('\n')
  const space = node.start === node.end && !/\s/.test(text.charAt(node.start - 1)) ? ' ' : ''
  const quoted = sameQuotes(layout, node, piece)
  return [
    {
      from: node.start,
      to: node.end,
      insert: space + (quoted ?? flowText(layout, piece, isLaidOut ? leadOfLine(text, node.start) : undefined)),
    },
  ]
}

/** A string in the quotes of the one that it replaces. */
function sameQuotes(layout: Layout, node: SourceNode, piece: Piece): string | undefined {
  if (piece.kind !== 'json' || typeof piece.value !== 'string' || node.kind !== 'scalar' || typeof node.value !== 'string') return undefined
  const first = layout.text[node.start]
  if (first === '"') return doubleQuoted(piece.value)
  return first === "'" && !piece.value.includes('\n') ? singleQuoted(piece.value) : undefined
}

/** Whether the value begins in a line of its own below its key. */
function isBelow({ text }: Layout, node: SourceNode, after: number): boolean {
  return node.end > node.start && lineStart(text, node.start) > after
}

function underKey(layout: Layout, node: SourceNode, piece: Piece, column: number, after: number): TextChange[] {
  const { text, eol } = layout
  if (isBelow(layout, node, after) && isFirstInLine(text, node.start)) {
    const [start, end] = linesOf(layout, node)
    const tail = text[end - 1] === '\n' ? eol : ''
    if (isNested(piece)) return [{ from: start, to: end, insert: behindKey(layout, piece, column).slice(eol.length) + tail }]
    const inserted = { from: after, to: after, insert: ` ${scalarText(layout, piece, column + layout.unit, lineRest(text, after) === '')}` }
    return [inserted, { from: start, to: end, insert: '' }]
  }
  const rest = lineRest(text, node.end)
  if (!isNested(piece)) {
    const printed = sameQuotes(layout, node, piece) ?? scalarText(layout, piece, column + layout.unit, rest === '')
    const from = node.start === node.end ? after : node.start
    return [{ from, to: Math.max(node.end, from), insert: (from === after ? ' ' : '') + printed + brokenOff(layout, node) }]
  }
  const body = behindKey(layout, piece, column) + brokenOff(layout, node)
  const lineBreak = endOfLine(text, node.end)
  if (rest === '' || text[node.end - 1] === '\n') return [{ from: after, to: Math.max(node.end, after), insert: body }]
  return [
    { from: after, to: Math.max(node.end, after), insert: '' },
    { from: lineBreak, to: lineBreak, insert: body },
  ]
}

function underDash(layout: Layout, node: SourceNode, piece: Piece, column: number, after: number): TextChange[] {
  const { text } = layout
  const isLast = lineRest(text, node.end) === ''
  const printed = isNested(piece) ? blockLines(layout, piece, column + 2) : scalarText(layout, piece, column + 2, isLast)
  if (node.start === node.end) return [{ from: after, to: after, insert: ` ${printed}` }]
  if (isBelow(layout, node, after)) {
    const [start, end] = linesOf(layout, node)
    return [
      { from: after, to: after, insert: ` ${printed}` },
      { from: start, to: end, insert: '' },
    ]
  }
  const written = isNested(piece) ? printed : (sameQuotes(layout, node, piece) ?? printed)
  return [{ from: node.start, to: node.end, insert: written + brokenOff(layout, node) }]
}

/** The lines of a value that begins in a line of its own. */
function linesOf(layout: Layout, node: SourceNode): readonly [number, number] {
  if ((node.kind === 'map' || node.kind === 'list') && node.style === 'block') {
    const parts = partsOf(node)
    return [regionStart(layout, parts, 0), regionEnd(layout, parts, parts.length - 1)]
  }
  return [lineStart(layout.text, node.start), lineAfter(layout.text, node.end)]
}

/** The line break that ended a value which keeps its line breaks. */
function brokenOff({ text, eol }: Layout, node: SourceNode): string {
  return node.end > node.start && text[node.end - 1] === '\n' ? eol : ''
}

/** What follows a value in its line, without white space. */
function lineRest(text: string, end: number): string {
  return text.slice(end, endOfLine(text, end)).trim()
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  if (end === -1) return text.length
  return end > from && text[end - 1] === '\r' ? end - 1 : end
}
