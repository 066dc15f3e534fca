import type { Json } from '#src/json.ts'
import { isObject } from '#src/shape/variables.ts'
import { nodeAt } from '#src/tree/source-node.ts'
import type { Layout } from './layout.ts'
import { valueInTree } from './value-in-tree.ts'
import type { Piece } from '#src/edit/plan/operation.ts'
import { doubleQuoted, printScalar } from './print-scalar.ts'
import { takenText } from './taken.ts'

/** A value in brackets; `lead` is the indentation of its line when it is written over several lines. */
export function flowText(layout: Layout, piece: Piece, lead: string | undefined): string {
  if (piece.kind === 'taken') return takenFlow(layout, piece, lead)
  const inner = lead === undefined ? undefined : lead + layout.jsonUnit
  if (piece.kind === 'list')
    return bracketed(
      layout,
      '[',
      piece.items.map((item) => flowText(layout, item, inner)),
      lead,
    )
  if (piece.kind === 'map')
    return bracketed(
      layout,
      '{',
      piece.members.map(([key, value]) => flowMember(layout, key, value, inner)),
      lead,
    )
  const { value } = piece
  if (Array.isArray(value))
    return bracketed(
      layout,
      '[',
      value.map((item: Json) => flowText(layout, { kind: 'json', value: item }, inner)),
      lead,
    )
  if (isObject(value)) {
    const members = Object.entries(value).map(([key, item]) => flowMember(layout, key, { kind: 'json', value: item }, inner))
    return bracketed(layout, '{', members, lead)
  }
  if (typeof value === 'string') return layout.syntax === 'json' ? JSON.stringify(value) : printScalar(value, true)
  return JSON.stringify(value)
}

export function flowMember(layout: Layout, key: string, value: Piece, lead: string | undefined): string {
  const name = layout.syntax === 'json' ? JSON.stringify(key) : printFlowKey(key)
  return `${name}: ${flowText(layout, value, lead)}`
}

function printFlowKey(key: string): string {
  const printed = printScalar(key, true)
  return printed.startsWith("'") ? doubleQuoted(key) : printed
}

function takenFlow(layout: Layout, piece: Extract<Piece, { kind: 'taken' }>, lead: string | undefined): string {
  const list = nodeAt(layout.root, piece.list)
  if (list?.kind === 'list' && list.style === 'flow') return takenText(layout, piece, lead ?? '')
  // The lines of a block cannot stand in brackets.
  return flowText(layout, { kind: 'json', value: valueInTree(layout.root, piece) }, lead)
}

function bracketed({ eol, jsonUnit, syntax }: Layout, open: '[' | '{', parts: readonly string[], lead: string | undefined): string {
  const close = open === '[' ? ']' : '}'
  if (parts.length === 0) return open + close
  if (lead === undefined) return syntax === 'yaml' && open === '{' ? `{ ${parts.join(', ')} }` : open + parts.join(', ') + close
  const inner = eol + lead + jsonUnit
  return open + inner + parts.join(`,${inner}`) + eol + lead + close
}
