import type { Diagnostic } from '#src/diagnostics/diagnostic.ts'

const habits: readonly (readonly [RegExp, string])[] = [
  [/===/g, '=='],
  [/!==/g, '!='],
  [/=>/g, '>='],
  [/\s*&&\s*/g, ' and '],
  [/\s*\|\|\s*/g, ' or '],
  [/!(\$?[.\w]+(?:\([^()]*\))?)(?!\s*=)/g, '($1 | not)'],
]
/** A jq string, and what is outside of strings. */
const parts = /("(?:\\.|[^"\\])*")|([^"]+)/g
const singleQuoted = /'([^'"\\]*)'/g

/** A jq source with the operators of jq in place of those of other languages; undefined if it has none. */
export function withoutHabits(source: string, { hint }: Pick<Diagnostic, 'hint'>): string | undefined {
  const compared = hint === 'Write == to compare.'
  const text = source.replaceAll(singleQuoted, '"$1"')
  const next = text.replaceAll(parts, (whole: string, string: string | undefined) => {
    if (string !== undefined) return whole
    const replaced = habits.reduce((before, [pattern, by]) => before.replaceAll(pattern, by), whole)
    return compared ? replaced.replaceAll(/(?<![=!<>|+*/%-])=(?!=)/g, '==') : replaced
  })
  return next === source ? undefined : next
}
