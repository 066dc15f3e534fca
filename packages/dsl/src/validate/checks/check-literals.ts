import { tokenize } from '@millrace/jq'
import type { ExpressionSite, Finding } from '#src/validate/facts.ts'

/** `${ .name }` as people write it in a text, unlike `${HOME}` of a shell. The bounds limit what a hostile text costs. */
const inText = /\$\{(?:\s{1,20}|(?=[.$(]))([^\s{}\\][^{}\\]{0,200})\}/g

/** Warns of `${ … }` in a text inside of an expression, where only `\( … )` is evaluated. */
export function literalFindings({ source, path, value, offset }: ExpressionSite): Finding[] {
  if (!source.includes('${')) return []
  return tokenize(source)
    .filter(({ kind }) => kind === 'QQSTRING_TEXT')
    .flatMap(({ text, start: from }) => [...text.matchAll(inText)].map((match) => ({ match, from })))
    .slice(0, findingsMax)
    .map(({ match: [written, inner = ''], match, from }) => {
      const start = from + match.index
      const message = `${written} is taken as it is written: a text inside of an expression evaluates only \\( … ).`
      const hint = `Write \\(${inner.trim()}) in place of it.`
      const piece = { value, offset, start, end: start + written.length }
      return { code: 'embedded_expression', severity: 'warning', path, at: 'value', message, hint, piece }
    })
}

/** Findings of one expression. */
const findingsMax = 10
