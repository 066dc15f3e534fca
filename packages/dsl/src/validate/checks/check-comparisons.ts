import { type Token, tokenize } from '@millrace/jq'
import type { ExpressionSite, Finding } from '#src/validate/facts.ts'

const orders: ReadonlySet<string> = new Set(['<', '<=', '>', '>='])
/** Texts of digits that begin with 0, such as `"09"` of a month, are meant as text. */
const number = /^(?:0|[1-9]\d*)(?:\.\d+)?$/
/** Functions that give a number. */
const counting: ReadonlySet<string> = new Set(['length', 'tonumber', 'floor', 'ceil', 'round', 'now'])

/** Warns of `.amount > "100"`: jq orders every number before every text, and texts by their characters. */
export function comparisonFindings({ source, path, value, offset }: ExpressionSite): Finding[] {
  if (!/[<>]/.test(source) || !/"\d/.test(source)) return []
  const tokens = tokenize(source)
  const findings: Finding[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'operator' || !orders.has(token.text)) continue
    const text = literalAt(tokens, index + 1)
    const before = text === undefined ? literalAt(tokens, index - 3) : undefined
    const [literal, other] = text === undefined ? [before, readAfter(tokens, index)] : [text, readBefore(source, tokens, index)]
    if (literal === undefined || other === undefined) continue
    const message = `"${literal.text}" is a text: every number is less than it, and a text is compared by its characters, so that "9" is more than "10".`
    const reading = /^[.$]/.test(other) ? `; if ${other} is a text, write (${other} | tonumber) for it` : ''
    const hint = `Write ${literal.text} without quotes${reading}.`
    const piece = { value, offset, start: literal.start - 1, end: literal.end + 1 }
    if (findings.length === findingsMax) break
    findings.push({ code: 'doubtful_comparison', severity: 'warning', path, at: 'value', message, hint, piece })
  }
  return findings
}

/** Findings of one expression. */
const findingsMax = 10

/** The text of a literal that begins at a token and is a number. */
function literalAt(tokens: readonly Token[], index: number): Token | undefined {
  const [start, text, end] = [tokens[index], tokens[index + 1], tokens[index + 2]]
  const isLiteral = start?.kind === 'QQSTRING_START' && text?.kind === 'QQSTRING_TEXT' && end?.kind === 'QQSTRING_END'
  return isLiteral && number.test(text.text) && text.end - text.start === text.text.length ? text : undefined
}

/** The plain path, or the count, that ends before a token; undefined for what may well be a text. */
function readBefore(source: string, tokens: readonly Token[], index: number): string | undefined {
  const last = tokens[index - 1]
  if (last === undefined) return undefined
  if (last.kind === 'IDENT') return counting.has(last.text) ? last.text : undefined
  let at = index - 1
  while (at >= 0 && at > index - pathTokensMax) {
    const before = at - partLength(tokens, at)
    if (before === at) break
    at = before
    if (tokens[at + 1]?.kind === 'BINDING') break
  }
  const path = source.slice(tokens[at + 1]?.start, last.end)
  return at < index - 1 && /^[.$]/.test(path) ? path : undefined
}

const pathTokensMax = 40

/** How many tokens of a path end with this one as its last part: `.a`, `$a`, `.`, `[]`, `[0]` or `["a"]`. */
function partLength(tokens: readonly Token[], at: number): number {
  const token = tokens[at]
  if (token?.kind === 'FIELD' || token?.kind === 'BINDING' || token?.text === '.') return 1
  if (token?.text !== ']') return 0
  if (tokens[at - 1]?.text === '[') return 2
  if (tokens[at - 2]?.text === '[' && tokens[at - 1]?.kind === 'LITERAL') return 3
  return tokens[at - 4]?.text === '[' && tokens[at - 3]?.kind === 'QQSTRING_START' && tokens[at - 1]?.kind === 'QQSTRING_END' ? 5 : 0
}

/** The plain path that begins behind a token and is compared as a whole. */
function readAfter(tokens: readonly Token[], index: number): string | undefined {
  let path = ''
  for (const token of tokens.slice(index + 1)) {
    if (token.kind !== 'FIELD' && token.kind !== 'BINDING') return /^[.$]/.test(path) && endsRead(token) ? path : undefined
    path += token.kind === 'BINDING' ? `$${token.text.replace(/^\$/, '')}` : `.${token.text.replace(/^\./, '')}`
  }
  return undefined
}

function endsRead({ kind, text }: Token): boolean {
  return kind === 'end of file' || [')', ']', '}', ',', '|', 'and', 'or', 'then', ';'].includes(text)
}
