import { type SourceList, type SourceNode, endOf, nodeAt } from '#src/tree/source-node.ts'
import { columnOf, isFirstInLine, lineStart } from '#src/tree/text-lines.ts'
import { type Layout, regionEnd, regionStart, spaces } from './layout.ts'
import type { Piece } from '#src/edit/plan/operation.ts'
import { printKey } from './print-key.ts'

type Taken = Extract<Piece, { kind: 'taken' }>

/** The lines of an item of a block with its comments, moved to a column; the first without its indentation, the last without its break. */
export function takenLines(layout: Layout, list: SourceList, taken: Taken, column: number): string {
  const { text } = layout
  const item = list.items[taken.index]
  if (item === undefined) return ''
  const start = regionStart(layout, list.items, taken.index)
  const end = regionEnd(layout, list.items, taken.index)
  const own = columnOf(text, item.start)
  const lines = renamed(layout, item.value, taken, start, end)
    .replace(/\r?\n$/, '')
    .split('\n')
  const isWhole = isFirstInLine(text, item.start)
  const moved = lines.map((line, index) => (index === 0 && !isWhole ? line : shifted(line, column - own)))
  return moved.join('\n').trimStart()
}

/** An item in flow style, moved to the line whose indentation is `lead`. */
export function takenText(layout: Layout, taken: Taken, lead: string): string {
  const list = nodeAt(layout.root, taken.list)
  const item = list?.kind === 'list' ? list.items[taken.index] : undefined
  if (item === undefined) return 'null'
  const own = /^[ \t]*/.exec(layout.text.slice(lineStart(layout.text, item.start)))?.[0] ?? ''
  const lines = renamed(layout, item.value, taken, item.start, endOf(item)).split('\n')
  return lines.map((line, index) => (index === 0 ? line : withLead(line, own, lead))).join('\n')
}

function withLead(line: string, own: string, lead: string): string {
  return line.startsWith(own) ? lead + line.slice(own.length) : lead + line.trimStart()
}

/** The text from `start` to `end`, with the key of the task replaced. */
function renamed(layout: Layout, value: SourceNode, { name }: Taken, start: number, end: number): string {
  const { text } = layout
  const member = value.kind === 'map' ? value.members[0] : undefined
  if (name === undefined || member === undefined) return text.slice(start, end)
  const key = printKey(layout, text.slice(member.keyStart, member.keyEnd), name, value.kind === 'map' && value.style === 'flow')
  return text.slice(start, member.keyStart) + key + text.slice(member.keyEnd, end)
}

/** A line of a block in another column; lines without content stay as they are. */
function shifted(line: string, by: number): string {
  if (line === '' || line === '\r') return line
  if (by >= 0) return spaces(by) + line
  const lead = /^ */.exec(line)?.[0].length ?? 0
  return line.slice(Math.min(lead, -by))
}
