import { printable } from './printable.ts'
import type { Paint } from './paint.ts'

/** A piece of a text: lines and columns 1-based, columns in UTF-16 units, the end exclusive. */
export interface Piece {
  readonly line: number
  readonly column: number
  readonly endLine?: number | undefined
  readonly endColumn?: number | undefined
}

/** Lines that are longer show the part around the piece. */
const columnsShown = 100
const columnsBefore = 40

/** The line of a piece and the one before it, with line numbers and a caret under the piece. */
export function excerpt(source: string, piece: Piece, paint: Paint): readonly string[] {
  const lines = source.split(/\r?\n/)
  const text = lines[piece.line - 1]
  if (text === undefined) return []
  const gutter = String(piece.line).length
  const cut = text.length > columnsShown ? Math.max(0, piece.column - 1 - columnsBefore) : 0
  const show = (line: string): string => untabbed(printable(line.slice(cut, cut + columnsShown)))
  const row = (number: number | undefined, line: string): string =>
    `${paint.dim(`${String(number ?? '').padStart(gutter)} |`)} ${line}`.trimEnd()
  const previous = piece.line > 1 ? lines[piece.line - 2] : undefined
  const start = show(text.slice(0, piece.column - 1)).length
  const width = Math.max(1, show(text.slice(0, endOf(piece, text) - 1)).length - start)
  return [
    ...(previous === undefined || previous.trim() === '' ? [] : [row(piece.line - 1, show(previous))]),
    row(piece.line, show(text)),
    row(undefined, `${' '.repeat(start)}${paint.red('^'.repeat(width))}`),
  ]
}

/** The exclusive end column of the piece on its first line. */
function endOf(piece: Piece, text: string): number {
  if (piece.endColumn === undefined) return piece.column + 1
  if (piece.endLine !== undefined && piece.endLine > piece.line) return text.trimEnd().length + 1
  return piece.endColumn
}

function untabbed(line: string): string {
  return line.replaceAll('\t', '  ')
}
