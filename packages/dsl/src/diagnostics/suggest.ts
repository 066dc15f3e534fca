/**
 * The candidate that a misspelled word most likely meant, or undefined when none is close.
 *
 * Close is an edit distance (Levenshtein, transpositions of neighbours counted once: Damerau's optimal string alignment)
 * of at most a third of the word, and at least one from two letters on, ignoring case; ties go to the first candidate.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const lower = word.toLowerCase()
  if (lower.length > wordLengthMax) return undefined
  let best: string | undefined
  // Every word is one edit away from one letter.
  let bestDistance = (word.length < 2 ? 0 : Math.max(1, Math.floor(word.length / 3))) + 1
  for (const candidate of candidates) {
    if (candidate === word || Math.abs(candidate.length - word.length) >= bestDistance) continue
    const distance = editDistance(lower, candidate.toLowerCase(), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Longer words are misplaced data, for which a suggestion would be useless. */
const wordLengthMax = 64

/** The distance, or any number that is at least `enough` if the distance is. */
export function editDistance(a: string, b: string, enough = Number.POSITIVE_INFINITY): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  let leastBefore = 0
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const substitution = at(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let distance = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, substitution)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) distance = Math.min(distance, at(beforePrevious, j - 2) + 1)
      current.push(distance)
      least = Math.min(least, distance)
    }
    // Every later cell depends on this row, or by a transposition on the row before.
    if (least >= enough && leastBefore >= enough) return enough
    leastBefore = least
    beforePrevious = previous
    previous = current
  }
  return at(previous, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0
}
