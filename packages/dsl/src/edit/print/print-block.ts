import type { Json } from '#src/json.ts'
import { isObject } from '#src/shape/variables.ts'
import { nodeAt } from '#src/tree/source-node.ts'
import { type Layout, spaces } from './layout.ts'
import type { Piece } from '#src/edit/plan/operation.ts'
import { isLiteral, doubleQuoted, printScalar } from './print-scalar.ts'
import { takenLines, takenText } from './taken.ts'

/** Whether a piece is written over several lines below its key. */
export function isNested(piece: Piece): boolean {
  if (piece.kind === 'json')
    return Array.isArray(piece.value) ? piece.value.length > 0 : isObject(piece.value) && Object.keys(piece.value).length > 0
  return piece.kind === 'map' ? piece.members.length > 0 : piece.kind === 'list' && piece.items.length > 0
}

/** The lines of a map or list whose keys or dashes stand in a column; the first line without its indentation. */
export function blockLines(layout: Layout, piece: Piece, column: number): string {
  const separator = layout.eol + spaces(column)
  const members = membersOf(piece)
  if (members !== undefined) return members.map(([key, value]) => memberLine(layout, key, value, column)).join(separator)
  return itemsOf(piece)
    .map((item) => itemLines(layout, item, column))
    .join(separator)
}

/** A key with its value. */
export function memberLine(layout: Layout, key: string, value: Piece, column: number): string {
  return `${printScalar(key, false)}:${behindKey(layout, value, column)}`
}

/** What follows the colon of a key in a column. */
export function behindKey(layout: Layout, piece: Piece, column: number): string {
  if (!isNested(piece)) return ` ${scalarText(layout, piece, column + layout.unit)}`
  const below = column + (membersOf(piece) === undefined ? layout.dash : layout.unit)
  return layout.eol + spaces(below) + blockLines(layout, piece, below)
}

/** A dash with its item. */
export function itemLines(layout: Layout, item: Piece, column: number): string {
  if (item.kind === 'taken') return takenItem(layout, item, column)
  return `- ${isNested(item) ? blockLines(layout, item, column + 2) : scalarText(layout, item, column + 2)}`
}

function takenItem(layout: Layout, item: Extract<Piece, { kind: 'taken' }>, column: number): string {
  const list = nodeAt(layout.root, item.list)
  if (list?.kind === 'list' && list.style === 'block') return takenLines(layout, list, item, column)
  return `- ${takenText(layout, item, spaces(column))}`
}

/** A value without lines below it, or a text over several lines whose lines stand in a column. */
export function scalarText(layout: Layout, piece: Piece, column: number, literal = true): string {
  if (piece.kind === 'map') return '{}'
  if (piece.kind === 'list') return '[]'
  const value = piece.kind === 'json' ? piece.value : null
  if (Array.isArray(value)) return '[]'
  if (isObject(value)) return '{}'
  if (typeof value !== 'string' || !value.includes('\n')) return printScalar(value, false)
  return literal && layout.literal && isLiteral(value) ? literalText(layout, value, column) : doubleQuoted(value)
}

function literalText({ eol }: Layout, value: string, column: number): string {
  const body = value.endsWith('\n') ? value.slice(0, -1) : value
  const lines = body.split('\n').map((line) => (line === '' ? '' : spaces(column) + line))
  return [value.endsWith('\n') ? '|' : '|-', ...lines].join(eol)
}

function membersOf(piece: Piece): readonly (readonly [string, Piece])[] | undefined {
  if (piece.kind === 'map') return piece.members
  if (piece.kind !== 'json' || !isObject(piece.value)) return undefined
  return Object.entries(piece.value).map(([key, value]): readonly [string, Piece] => [key, { kind: 'json', value }])
}

function itemsOf(piece: Piece): readonly Piece[] {
  if (piece.kind === 'list') return piece.items
  const value = piece.kind === 'json' ? piece.value : null
  return Array.isArray(value) ? value.map((item: Json) => ({ kind: 'json', value: item })) : []
}
