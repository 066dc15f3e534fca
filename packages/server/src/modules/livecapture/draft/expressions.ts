import type { JsonValue } from '@millrace/contract'
import { mapLeaves, type Piece, piecesOf } from '#modules/livecapture/read/placeholders.ts'
import type { Inputs } from './inputs.ts'
import { unescapePointer } from '#platform/json-pointer.ts'

/** The name in `$context` under which the response of a call is kept. */
export const keptName = (sequence: number) => `call_${sequence}`

/** A value of a call: texts with placeholders become expressions. */
export function valueOf(value: JsonValue, inputs: Inputs): JsonValue {
  return mapLeaves(value, (leaf) => (typeof leaf === 'number' ? leaf : textOf(leaf, inputs, false)))
}

/** A URL, whose placeholders are encoded. A brace would begin a template. */
export function urlOf(url: string, inputs: Inputs): string {
  return textOf(url.replaceAll('{', '%7B').replaceAll('}', '%7D'), inputs, true)
}

function textOf(text: string, inputs: Inputs, encodes: boolean): string {
  const pieces = piecesOf(text)
  const [only] = pieces
  if (pieces.length === 1 && only?.kind === 'text') return text.trim().startsWith('${') ? `\${ ${JSON.stringify(text)} }` : text
  if (pieces.length === 1 && only !== undefined && only.kind !== 'text' && !encodes) return `\${ ${expressionOf(only, inputs)} }`
  const parts = pieces.map((piece) => {
    if (piece.kind === 'text') return JSON.stringify(piece.text)
    return `(${expressionOf(piece, inputs)} | tostring${encodes ? ' | @uri' : ''})`
  })
  return `\${ ${parts.join(' + ')} }`
}

function expressionOf(piece: Exclude<Piece, { kind: 'text' }>, inputs: Inputs): string {
  if (piece.kind === 'input') return inputs.expressionOf(piece.field, piece.type)
  const path = piece.pointer
    .split('/')
    .slice(1)
    .map(unescapePointer)
    .map((token) => (/^\d{1,6}$/.test(token) ? `[${token}]` : `[${JSON.stringify(token)}]`))
  return `$context.${keptName(piece.sequence)}${path.join('')}`
}

/** The calls whose responses a value uses. */
export function responsesIn(value: JsonValue): ReadonlySet<number> {
  const found = new Set<number>()
  mapLeaves(value, (leaf) => {
    for (const piece of typeof leaf === 'string' ? piecesOf(leaf) : []) if (piece.kind === 'response') found.add(piece.sequence)
    return leaf
  })
  return found
}
