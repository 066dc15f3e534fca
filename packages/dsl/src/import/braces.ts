/**
 * Splits a text at what stands between double braces: texts and what is between them take turns. Reads each character once, however many braces
 * have no counterpart.
 *
 * @param closesLate whether of more than two closing braces the last two count.
 */
export function splitBraces(text: string, closesLate = false): readonly string[] {
  const pieces: string[] = []
  let from = 0
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', from)) {
    let close = text.indexOf('}}', open + 2)
    if (close === -1) break
    while (closesLate && text[close + 2] === '}') close++
    pieces.push(text.slice(from, open), text.slice(open + 2, close))
    from = close + 2
  }
  return [...pieces, text.slice(from)]
}
