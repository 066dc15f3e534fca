import type { JsonValue } from '@millrace/contract'

/** What stands in the place of a typed value or of a value of an earlier response. The recorder script writes the same form. */
export const inputMark = (field: string, type: 'string' | 'number' = 'string') =>
  type === 'string' ? `⟦input:${field}⟧` : `⟦input:${field}:number⟧`

/** A piece of a text: literal, the value of an input, or a value of an earlier response. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'input'; readonly field: string; readonly type: 'string' | 'number' }
  | { readonly kind: 'response'; readonly sequence: number; readonly pointer: string }

const mark = /⟦(input|response):([^⟦⟧:]{1,100})(?::([^⟦⟧]{0,500}))?⟧/gu

/** Splits a text at its placeholders. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const match of text.matchAll(mark)) {
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) })
    const [whole, kind, name = '', more = ''] = match
    if (kind === 'input') pieces.push({ kind: 'input', field: name, type: more === 'number' ? 'number' : 'string' })
    else pieces.push({ kind: 'response', sequence: Number(name), pointer: more })
    end = match.index + whole.length
  }
  if (end < text.length || pieces.length === 0) pieces.push({ kind: 'text', text: text.slice(end) })
  return pieces
}

/** The pieces of a text between its placeholders, and the placeholders: each is at an odd index. */
export function splitAtMarks(text: string): readonly string[] {
  return text.split(/(⟦[^⟦⟧]*⟧)/u)
}

/** Maps every text and number inside a value. */
export function mapLeaves(value: JsonValue, change: (leaf: string | number) => JsonValue): JsonValue {
  if (typeof value === 'string' || typeof value === 'number') return change(value)
  if (isList(value)) return value.map((item) => mapLeaves(item, change))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapLeaves(item, change)]))
  return value
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
