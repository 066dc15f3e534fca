/** What the world outside answers, known beforehand: a number that follows from what it was asked. */

/** The number that an effect of this label gives. FNV-1a. */
export function numberOf(label: string): number {
  let hash = 0x811c9dc5
  for (const character of label) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash % 97
}

/** What somebody who is asked about `n` says. */
export function saidOf(n: number): number {
  return (n * 7 + 1) % 1_000
}
