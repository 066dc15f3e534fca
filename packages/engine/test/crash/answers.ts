import { fnv1a } from '#core/fnv1a.ts'

/** What the world outside answers, known beforehand: a number that follows from what it was asked. */

/** The number that an effect of this label gives. */
export function numberOf(label: string): number {
  return fnv1a(label) % 97
}

/** What somebody who is asked about `n` says. */
export function saidOf(n: number): number {
  return (n * 7 + 1) % 1_000
}
