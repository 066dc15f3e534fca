/** The names of tokens in jq's messages, which are the kinds of this lexer. */
export type TokenKind =
  | 'IDENT'
  | 'FIELD'
  | 'BINDING'
  | 'LITERAL'
  | 'FORMAT'
  | 'QQSTRING_START'
  | 'QQSTRING_TEXT'
  | 'QQSTRING_INTERP_START'
  | 'QQSTRING_INTERP_END'
  | 'QQSTRING_END'
  | 'INVALID_CHARACTER'
  | 'end of file'
  | 'keyword'
  | 'operator'

export interface Token {
  readonly kind: TokenKind
  /** The name, the decoded text of a string part, the operator or the keyword; for others the source text. */
  readonly text: string
  readonly start: number
  readonly end: number
}

export const keywords: ReadonlySet<string> = new Set([
  'as',
  'def',
  'module',
  'import',
  'include',
  'if',
  'then',
  'else',
  'elif',
  'end',
  'reduce',
  'foreach',
  'and',
  'or',
  'try',
  'catch',
  'label',
  'break',
])

/** Longest first. */
export const operators: readonly string[] = [
  '?//',
  '//=',
  '|=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '==',
  '!=',
  '<=',
  '>=',
  '//',
  '..',
  '.',
  '?',
  '=',
  ';',
  ',',
  ':',
  '|',
  '+',
  '-',
  '*',
  '/',
  '%',
  '$',
  '<',
  '>',
]

/** The name that a message gives: single characters are quoted, everything else is not. */
export function tokenName(token: Token): string {
  if (token.kind !== 'operator' && token.kind !== 'keyword') return token.kind
  return token.kind === 'operator' && token.text.length === 1 ? `'${token.text}'` : token.text
}
