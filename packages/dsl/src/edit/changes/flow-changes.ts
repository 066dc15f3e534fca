import { type SourceList, type SourceMap, endOf } from '#src/tree/source-node.ts'
import { isFirstInLine, lineStart, nextLine, skipBlanks } from '#src/tree/text-lines.ts'
import type { TextChange } from '#src/edit/edit.ts'
import type { Layout } from '#src/edit/print/layout.ts'

/** How the parts of a value in brackets are laid out: the indentation of their lines, undefined when they share a line. */
export function leadOfParts(layout: Layout, node: SourceList | SourceMap): string | undefined {
  const { text } = layout
  const first = (node.kind === 'map' ? node.members : node.items)[0]
  if (first !== undefined) return isFirstInLine(text, first.start) ? text.slice(lineStart(text, first.start), first.start) : undefined
  if (layout.syntax === 'yaml' || layout.jsonUnit === '') return undefined
  return leadOfLine(text, node.start) + layout.jsonUnit
}

export function leadOfLine(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? ''
}

interface FlowChange {
  readonly from: number
  readonly count: number
  readonly parts: readonly string[]
}

/** Replaces parts of a value in brackets, with the commas around them. */
export function flowChanges(layout: Layout, node: SourceList | SourceMap, { from, count, parts }: FlowChange): TextChange[] {
  const { text, eol } = layout
  const old = node.kind === 'map' ? node.members : node.items
  const lead = leadOfParts(layout, node)
  const separator = lead === undefined ? ', ' : `,${eol}${lead}`
  const written = parts.join(separator)
  if (count === old.length) {
    const inner =
      lead === undefined || written === '' ? padded(layout, node, written) : eol + lead + written + eol + leadOfLine(text, node.start)
    return [{ from: node.start + 1, to: node.end - 1, insert: inner }]
  }
  const first = old[from]
  const last = old[from + count - 1]
  if (count > 0 && first !== undefined && last !== undefined) {
    return parts.length > 0 ? [{ from: first.start, to: endOf(last), insert: written }] : removal(layout, node, from, count)
  }
  if (parts.length === 0) return []
  if (first !== undefined) return [{ from: first.start, to: first.start, insert: written + separator }]
  const end = ends(old.at(-1))
  return [{ from: end, to: end, insert: separator + written }]
}

/** Maps of YAML in one line have a space behind their bracket. */
function padded({ syntax }: Layout, node: SourceList | SourceMap, written: string): string {
  return syntax === 'yaml' && node.kind === 'map' && written !== '' ? ` ${written} ` : written
}

function ends(part: SourceMap['members'][number] | SourceList['items'][number] | undefined): number {
  if (part === undefined) return 0
  // Without brackets or indentation, an absent value ends with its key.
  return 'key' in part ? Math.max(part.value.end, part.keyEnd) : part.value.end
}

function removal({ text }: Layout, node: SourceList | SourceMap, from: number, count: number): TextChange[] {
  const old = node.kind === 'map' ? node.members : node.items
  const [first, last, next, before] = [old[from], old[from + count - 1], old[from + count], old[from - 1]]
  if (first === undefined || last === undefined) return []
  const comma = skipBlanks(text, ends(last))
  if (next !== undefined || text[comma] === ',') return [{ from: first.start, to: behindComma(text, first.start, comma + 1), insert: '' }]
  const end = ends(before)
  const previous = skipBlanks(text, end)
  if (!text.slice(end, first.start).includes('#')) return [{ from: end, to: ends(last), insert: '' }]
  return [
    { from: previous, to: previous + 1, insert: '' },
    { from: first.start, to: ends(last), insert: '' },
  ]
}

/** Behind the comma of what is removed, with its line when nothing else is in it. */
function behindComma(text: string, start: number, comma: number): number {
  const rest = text.slice(comma, nextLine(text, comma))
  if (rest.trim() === '' && isFirstInLine(text, start)) {
    const next = nextLine(text, comma)
    const lead = /^[ \t]*/.exec(text.slice(next, next + 200))?.[0].length ?? 0
    return next + lead
  }
  return comma + (/^[ \t]*/.exec(rest)?.[0].length ?? 0)
}
