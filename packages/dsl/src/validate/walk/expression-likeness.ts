import type { Path } from '#src/parse/pointer.ts'
import type { Finding } from '#src/validate/facts.ts'
import { type Likeness, meantExpression } from '#src/validate/other-languages.ts'

/** Longer text is prose, and needs no check. */
const lengthMax = 200

/** A warning for text that other tools would evaluate, with the expression that was probably meant. */
export function expressionLikeness(text: string, path: Path | undefined, likeness: Likeness): Finding | undefined {
  const hint = likenessHint(text, likeness)
  if (hint === undefined) return undefined
  const message = `This text looks like an expression, but is taken as it is written: only a string that is wholly \${ … } is evaluated.`
  return { code: 'looks_like_expression', severity: 'warning', path, at: 'value', message, hint }
}

/** What to write for text that other tools would evaluate. */
export function likenessHint(text: string, likeness?: Likeness): string | undefined {
  const meant = text.length > lengthMax ? undefined : meantExpression(text, likeness)
  return meant === undefined ? undefined : `Write ${meant} to have it evaluated.`
}

/** A warning for a key that is written as an expression. */
export function keyLikeness(path: Path): Finding {
  const message = 'A key is not evaluated: this one is taken as it is written.'
  const hint = 'Make the whole object one expression, with the key in parentheses: ${ { (.name): .value } }.'
  return { code: 'looks_like_expression', severity: 'warning', path, at: 'key', message, hint }
}
