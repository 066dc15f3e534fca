import { JqSyntaxError, type Span, type SyntaxCode } from '#src/errors.ts'
import type { Node } from './ast.ts'
import { tokenName, type Token } from './token.ts'

/**
 * How deep a program may nest; the parser, the compiler and the compiled program recurse along it. A bracket costs four, a
 * binding or a definition, of which a program may well have many in a row, one.
 */
export const nestingMax = 1200
export const bracketWeight = 4

export interface Cursor {
  readonly source: string
  readonly tokens: readonly Token[]
  at: number
  depth: number
}

/** The parts of the grammar that refer back to the whole, handed down so that no module imports in a circle. */
export interface Grammar {
  query(cursor: Cursor): Node
  expression(cursor: Cursor): Node
  term(cursor: Cursor): Node
}

export function peek(cursor: Cursor, ahead = 0): Token {
  const token = cursor.tokens[Math.min(cursor.at + ahead, cursor.tokens.length - 1)]
  if (token === undefined) throw new Error('A token list always ends with the end of the file')
  return token
}

export function next(cursor: Cursor): Token {
  const token = peek(cursor)
  cursor.at++
  return token
}

export function isOperator(token: Token, text: string): boolean {
  return token.kind === 'operator' && token.text === text
}

export function isKeyword(token: Token, text: string): boolean {
  return token.kind === 'keyword' && token.text === text
}

export function accept(cursor: Cursor, operator: string): boolean {
  if (!isOperator(peek(cursor), operator)) return false
  cursor.at++
  return true
}

export function acceptKeyword(cursor: Cursor, keyword: string): boolean {
  if (!isKeyword(peek(cursor), keyword)) return false
  cursor.at++
  return true
}

/** The end of the last token that was read. */
export function endOf(cursor: Cursor): number {
  return cursor.tokens[cursor.at - 1]?.end ?? 0
}

export function fail(cursor: Cursor, code: SyntaxCode, message: string, span: Span): never {
  throw new JqSyntaxError(cursor.source, { code, message, start: span.start, end: span.end })
}

/**
 * Refuses the current token in jq's words.
 * @param expected what could stand here; more than four are not listed, as in jq, but the error carries all of them
 */
export function unexpected(cursor: Cursor, expected: readonly string[] = []): never {
  const token = peek(cursor)
  const list = expected.length > 0 && expected.length <= 4 ? `, expecting ${expected.join(' or ')}` : ''
  throw new JqSyntaxError(cursor.source, {
    code: token.kind === 'end of file' && cursor.tokens.length === 1 ? 'empty-program' : 'unexpected-token',
    message: `syntax error, unexpected ${tokenName(token)}${list}`,
    start: token.start,
    end: token.end,
    expected,
  })
}

export function expectOperator(cursor: Cursor, operator: string, alternatives: readonly string[] = []): Token {
  if (!isOperator(peek(cursor), operator)) unexpected(cursor, [...alternatives, operator.length === 1 ? `'${operator}'` : operator])
  return next(cursor)
}

export function expectKeyword(cursor: Cursor, keyword: string, alternatives: readonly string[] = []): Token {
  if (!isKeyword(peek(cursor), keyword)) unexpected(cursor, [...alternatives, keyword])
  return next(cursor)
}

/** Runs one level deeper, so that a hostile program meets an error and not the end of the stack. */
export function nested<T>(cursor: Cursor, parse: (cursor: Cursor) => T, weight = bracketWeight): T {
  if (cursor.depth + weight > nestingMax) fail(cursor, 'too-deep', 'The program nests too deeply: split it into definitions', peek(cursor))
  cursor.depth += weight
  const result = parse(cursor)
  cursor.depth -= weight
  return result
}
