/**
 * Where a piece occurs in a text, also overlapping; the first `most` places. Takes time in proportion to both lengths (Knuth, Morris and Pratt): with texts
 * that repeat themselves, `indexOf` takes the product of the lengths, and a model chooses both.
 */
export function placesOf(text: string, piece: string, most: number): readonly number[] {
  const borders = bordersOf(piece)
  const places: number[] = []
  let matched = 0
  for (let at = 0; at < text.length && places.length < most; at++) {
    matched = extended(piece, borders, matched, text.charCodeAt(at))
    if (matched === piece.length) {
      places.push(at + 1 - matched)
      matched = borders[matched - 1] ?? 0
    }
  }
  return places
}

/** For each beginning of a piece, the length of its longest proper beginning that it also ends with. */
function bordersOf(piece: string): Uint32Array {
  const borders = new Uint32Array(piece.length)
  for (let at = 1; at < piece.length; at++) borders[at] = extended(piece, borders, borders[at - 1] ?? 0, piece.charCodeAt(at))
  return borders
}

/** How many characters of the piece match after one more character. */
function extended(piece: string, borders: Uint32Array, matched: number, code: number): number {
  let length = matched
  while (length > 0 && piece.charCodeAt(length) !== code) length = borders[length - 1] ?? 0
  return piece.charCodeAt(length) === code ? length + 1 : length
}
