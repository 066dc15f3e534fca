import type { DefinitionFormat } from '#src/parse/parse-definition.ts'
import { type SourceItem, type SourceMember, type SourceNode, endOf, memberOf } from '#src/tree/source-node.ts'
import { columnOf, isFirstInLine, lineStart, nextLine } from '#src/tree/text-lines.ts'

/** A text with the habits of its author. */
export interface Layout {
  readonly text: string
  readonly syntax: DefinitionFormat
  readonly root: SourceNode
  readonly eol: '\n' | '\r\n'
  /** The columns of one level of indentation, and those of a dash below its key. */
  readonly unit: number
  readonly dash: number
  /** One level of indentation of JSON; empty when it is written in one line. */
  readonly jsonUnit: string
  /** Whether texts over several lines are written as literal blocks, which would swallow a line of white space behind them. */
  readonly literal: boolean
}

export type Part = SourceMember | SourceItem

export function layoutOf(text: string, syntax: DefinitionFormat, root: SourceNode, literal: boolean): Layout {
  const first = root.kind === 'map' ? root.members[0] : undefined
  const tasks = root.kind === 'map' ? memberOf(root, 'do')?.value : undefined
  const info = root.kind === 'map' ? memberOf(root, 'document')?.value : undefined
  const item = tasks?.kind === 'list' && tasks.style === 'block' ? tasks.items[0] : undefined
  const property = info?.kind === 'map' && info.style === 'block' ? info.members[0] : undefined
  const column = property === undefined ? 2 : columnOf(text, property.start)
  const lead =
    first === undefined || !text.slice(0, first.start).includes('\n') ? '' : text.slice(lineStart(text, first.start), first.start)
  return {
    text,
    syntax,
    root,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    unit: column > 0 && column <= 8 ? column : 2,
    dash: item === undefined ? 2 : Math.min(columnOf(text, item.start), 8),
    literal,
    jsonUnit: lead === '' && text.includes('\n') && syntax === 'yaml' ? '  ' : lead,
  }
}

/** The offset at which the lines of a part of a block begin: with the comment lines above it, or at its dash or key inside a line. */
export function regionStart({ text }: Layout, parts: readonly Part[], index: number): number {
  const part = parts[index]
  if (part === undefined) return text.length
  if (!isFirstInLine(text, part.start)) return part.start
  const before = parts[index - 1]
  const floor = before === undefined ? 0 : lineAfter(text, endOf(before))
  const column = columnOf(text, part.start)
  let start = lineStart(text, part.start)
  while (start > floor) {
    const above = lineStart(text, start - 1)
    const comment = /^([ \t]*)#/.exec(text.slice(above, start))
    if (comment === null || (comment[1] ?? '').length > column) break
    start = above
  }
  return start
}

/** The offset at which the lines of a part of a block end: behind its own comments. */
export function regionEnd({ text }: Layout, parts: readonly Part[], index: number): number {
  const part = parts[index]
  if (part === undefined) return text.length
  const column = columnOf(text, part.start)
  let end = lineAfter(text, endOf(part))
  while (end < text.length) {
    const comment = /^([ \t]*)#/.exec(text.slice(end, nextLine(text, end)))
    if (comment === null || (comment[1] ?? '').length <= column) break
    end = nextLine(text, end)
  }
  return end
}

/** The line behind a value; a text that keeps its line breaks ends at one. */
export function lineAfter(text: string, end: number): number {
  return text[end - 1] === '\n' ? end : nextLine(text, end)
}

/** The end of the blank lines that begin at an offset. */
export function blankEnd(text: string, offset: number): number {
  let end = offset
  while (end < text.length && text.slice(end, nextLine(text, end)).trim() === '') end = nextLine(text, end)
  return end
}

export function spaces(count: number): string {
  return ' '.repeat(Math.max(count, 0))
}
