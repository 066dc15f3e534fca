import type { Json } from '#src/json.ts'

/** A value to write: JSON, or a structure that contains tasks as they are written in the text. */
export type Piece =
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'map'; readonly members: readonly (readonly [key: string, piece: Piece])[] }
  | { readonly kind: 'list'; readonly items: readonly Piece[] }
  /** An item of a list of the document before, with its comments; `name` replaces its key. */
  | { readonly kind: 'taken'; readonly list: string; readonly index: number; readonly name?: string }

/** A change of one place of the document; the operations of an edit touch different places. */
export type Operation =
  | { readonly kind: 'items'; readonly list: string; readonly from: number; readonly count: number; readonly items: readonly Piece[] }
  | { readonly kind: 'set'; readonly pointer: string; readonly value: Piece }
  | { readonly kind: 'unset'; readonly pointer: string }
  | { readonly kind: 'key'; readonly pointer: string; readonly name: string }
  /** Lets two members of an object that follow each other change places. */
  | { readonly kind: 'swap'; readonly pointer: string; readonly first: string; readonly second: string }
  /** Replaces stretches of a string. */
  | { readonly kind: 'within'; readonly pointer: string; readonly pieces: readonly StringPiece[] }

export interface StringPiece {
  readonly start: number
  readonly end: number
  readonly insert: string
}

export function json(value: Json): Piece {
  return { kind: 'json', value }
}
