import { type Token, tokenize } from '@millrace/jq/syntax'

/** Where a jq source names a member: the span is that of the name, in UTF-16 units. */
export interface MemberSpan {
  readonly start: number
  readonly end: number
  /** As `.name`, between quotes, or as `{ name }`. */
  readonly form: 'plain' | 'quoted' | 'short'
}

/** Finds `.name`, `."name"`, `["name"]` and `{ name }` in a jq source, whatever they are read from; none in one that cannot be read. */
export function memberSpans(source: string, name: string): readonly MemberSpan[] {
  const tokens = tokensOf(source)
  const spans: MemberSpan[] = []
  const open: string[] = []
  for (const [index, token] of tokens.entries()) {
    const { kind, text, start, end } = token
    if (kind === 'operator' && '([{'.includes(text)) open.push(text)
    if (kind === 'operator' && ')]}'.includes(text)) open.pop()
    if (text !== name) continue
    if (kind === 'FIELD') spans.push({ start: start + 1, end, form: 'plain' })
    if (kind === 'QQSTRING_TEXT' && isQuotedMember(tokens, index)) spans.push({ start, end, form: 'quoted' })
    const isShort = ['{', ','].includes(tokens[index - 1]?.text ?? '') && [',', '}'].includes(tokens[index + 1]?.text ?? '')
    if (kind === 'IDENT' && open.at(-1) === '{' && isShort) spans.push({ start, end, form: 'short' })
  }
  return spans
}

/** Whether a source asks for a member in a way that is not a read: `has("name")`, or a pattern. */
export function mentionsMember(source: string, name: string): boolean {
  const tokens = tokensOf(source)
  const destructures = tokens.some(({ text }, index) => text === 'as' && '[{'.includes(tokens[index + 1]?.text ?? '.'))
  return tokens.some(({ kind, text }, index) => {
    if (text !== name) return false
    if (kind === 'QQSTRING_TEXT') return tokens[index - 2]?.text === '(' && tokens[index - 3]?.text === 'has'
    return destructures && (kind === 'BINDING' || (kind === 'IDENT' && tokens[index + 1]?.text === ':'))
  })
}

function tokensOf(source: string): readonly Token[] {
  try {
    return tokenize(source)
  } catch {
    return []
  }
}

function isQuotedMember(tokens: readonly Token[], index: number): boolean {
  const [bracket, opening, closing] = [tokens[index - 2], tokens[index - 1], tokens[index + 1]]
  if (opening?.kind !== 'QQSTRING_START' || closing?.kind !== 'QQSTRING_END' || bracket === undefined) return false
  if (bracket.text === '.') return true
  const before = tokens[index - 3]
  const isIndex =
    before !== undefined && (['FIELD', 'BINDING', 'IDENT', 'QQSTRING_END'].includes(before.kind) || '.])?'.includes(before.text))
  return bracket.text === '[' && isIndex
}
