import { fnv1a } from '#core/fnv1a.ts'

/** The values that outside services return. They follow from the request, so a test can predict them. */

/** The result of the effect with this label. */
export function effectResult(label: string): number {
  return fnv1a(label) % 97
}

/** The reply to a question about `n`. */
export function replyTo(n: number): number {
  return (n * 7 + 1) % 1_000
}
