import { severalResults } from '@millrace/jq'
import type { ExpressionSite, Finding } from '#src/validate/facts.ts'
import { shortened } from '#src/validate/wording.ts'

/** Warns of an expression such as `.items[]`, which has a result for each item: the first one counts. */
export function resultFindings({ source, path, value, offset, condition }: ExpressionSite): Finding[] {
  const part = severalResults(source)
  if (part === undefined) return []
  const written = shortened(source.slice(part.start, part.end).trim())
  const message = `${written} gives one result after the other, and only the first one counts here.`
  const hint =
    condition === true
      ? 'Write any(LIST[]; CONDITION) or all(LIST[]; CONDITION).'
      : `Put the expression into brackets for a list of all: [ … ]. For the first one, write first( … ).`
  return [{ code: 'several_results', severity: 'warning', path, at: 'value', message, hint, piece: { value, offset, ...part } }]
}
