import type { PersonalDataKind } from '@millrace/contract'

/** A piece of text that is probably personal data. Positions count UTF-16 code units, as JavaScript and JSON do. */
export interface Finding {
  readonly kind: PersonalDataKind
  readonly start: number
  readonly end: number
  /** From 0 to 1. */
  readonly score: number
  /** The recogniser, such as `iban` or `national_id.FR.nir`. */
  readonly rule: string
}

export type Recognizer = (text: string) => readonly Finding[]

/** True when one of the words stands in the text shortly before or behind the position. */
export function hasContext(text: string, { start, end }: Pick<Finding, 'start' | 'end'>, words: RegExp, before = 60, behind = 25): boolean {
  return words.test(text.slice(Math.max(0, start - before), start)) || words.test(text.slice(end, end + behind))
}

/** Every match of a pattern as a finding, if `scoreOf` returns a score for it. */
export function findAll(
  text: string,
  pattern: RegExp,
  { kind, rule }: Pick<Finding, 'kind' | 'rule'>,
  scoreOf: (match: string, start: number) => number,
): Finding[] {
  const found: Finding[] = []
  for (const match of text.matchAll(pattern)) {
    const score = scoreOf(match[0], match.index)
    if (score > 0) found.push({ kind, rule, start: match.index, end: match.index + match[0].length, score })
  }
  return found
}
