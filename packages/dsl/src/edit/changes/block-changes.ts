import { type SourceList, type SourceMap, endOf } from '#src/tree/source-node.ts'
import { columnOf, isFirstInLine, lineStart, skipBlanks } from '#src/tree/text-lines.ts'
import type { TextChange } from '#src/edit/edit.ts'
import { type Layout, type Part, blankEnd, regionEnd, regionStart, spaces } from '#src/edit/print/layout.ts'

/** The parts of a map or list in block style: its members or items. */
export function partsOf(node: SourceMap | SourceList): readonly Part[] {
  return node.kind === 'map' ? node.members : node.items
}

/** Inserts lines in front of part `at` of a block; `lines` has no indentation in its first line and no break at its end. */
export function insertLines(layout: Layout, node: SourceMap | SourceList, at: number, lines: string): TextChange[] {
  const { text, eol } = layout
  const parts = partsOf(node)
  const lead = spaces(columnOf(text, parts[0]?.start ?? 0))
  const gap = isSpaced(layout, parts) ? eol : ''
  const next = parts[at]
  if (next !== undefined) {
    if (!isFirstInLine(text, next.start)) return [inserted(next.start, `${lines}${eol}${lead}`)]
    return [inserted(regionStart(layout, parts, at), `${lead}${lines}${eol}${gap}`)]
  }
  const last = parts.length - 1
  const end = regionEnd(layout, parts, last)
  // A blank line behind a text that keeps its line breaks would belong to the text.
  const before = text[endOf(parts[last] ?? { start: 0, value: node }) - 1] === '\n' ? '' : gap
  if (end > 0 && text[end - 1] === '\n') return [inserted(end, `${before}${lead}${lines}${eol}`)]
  return [inserted(end, `${eol}${before}${lead}${lines}`)]
}

function inserted(from: number, insert: string): TextChange {
  return { from, to: from, insert }
}

/** Whether the author puts blank lines between the tasks of this list. */
function isSpaced(layout: Layout, parts: readonly Part[]): boolean {
  if (parts.length < 2) return false
  const end = regionEnd(layout, parts, 0)
  return (
    !('key' in (parts[0] ?? {})) &&
    end > 0 &&
    layout.text[endOf(parts[0] ?? { start: 0, value: layout.root }) - 1] !== '\n' &&
    blankEnd(layout.text, end) > end
  )
}

/** Replaces parts of a block by lines, or removes them; other parts must remain or `lines` must be given. */
export function replaceLines(
  layout: Layout,
  node: SourceMap | SourceList,
  from: number,
  count: number,
  lines: string | undefined,
  comments = true,
): TextChange[] {
  const { text, eol } = layout
  const parts = partsOf(node)
  const first = parts[from]
  if (first === undefined) return []
  const end = regionEnd(layout, parts, from + count - 1)
  const isWhole = isFirstInLine(text, first.start)
  const own = isWhole ? lineStart(text, first.start) : first.start
  const start = comments ? regionStart(layout, parts, from) : own
  if (lines !== undefined) {
    const lead = isWhole ? spaces(columnOf(text, first.start)) : ''
    const tail = text[end - 1] === '\n' ? eol : ''
    return [{ from: start, to: end, insert: lead + lines + tail }]
  }
  if (isWhole) return [{ from: start, to: withBlankLines(layout, parts, from, start, end), insert: '' }]
  // The next part takes the place of the first one in its line.
  const next = regionStart(layout, parts, from + count)
  return [{ from: start, to: next + (/^[ \t]*/.exec(text.slice(next))?.[0].length ?? 0), insert: '' }]
}

/** With the blank lines behind it when there are others in front of it, or when the next part becomes the first. */
function withBlankLines({ text }: Layout, parts: readonly Part[], from: number, start: number, end: number): number {
  const before = parts[from - 1]
  const keeps = before !== undefined && text[endOf(before) - 1] === '\n'
  const isBlankBefore = start > 0 && text.slice(lineStart(text, start - 1), start).trim() === ''
  return keeps || isBlankBefore || before === undefined ? blankEnd(text, end) : end
}

/** The offset behind the colon of a key. */
export function behindColon(text: string, keyEnd: number): number {
  return skipBlanks(text, keyEnd) + 1
}
