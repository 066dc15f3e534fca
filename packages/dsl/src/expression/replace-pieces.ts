interface Piece {
  readonly start: number
  readonly end: number
  /** What takes its place. */
  readonly insert: string
}

/** A text with pieces of it replaced, none of which overlap; in any order. */
export function replacePieces(text: string, pieces: readonly Piece[]): string {
  let result = text
  for (const { start, end, insert } of pieces.toSorted((one, other) => other.start - one.start))
    result = result.slice(0, start) + insert + result.slice(end)
  return result
}
