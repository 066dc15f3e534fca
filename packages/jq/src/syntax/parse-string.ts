import type { Node } from './ast.ts'
import { endOf, fail, nested, next, peek, unexpected, type Cursor, type Grammar } from './cursor.ts'

/** A string with its interpolations, or a format followed by one; a format alone is a term of its own. */
export function parseString(cursor: Cursor, grammar: Grammar): Node {
  const first = next(cursor)
  const { start } = first
  if (first.kind === 'FORMAT') {
    if (peek(cursor).kind !== 'QQSTRING_START') return { kind: 'format', name: first.text, start, end: first.end }
    next(cursor)
  }
  const parts: (string | Node)[] = []
  for (;;) {
    const token = peek(cursor)
    if (token.kind === 'QQSTRING_TEXT') {
      next(cursor)
      parts.push(token.text)
    } else if (token.kind === 'QQSTRING_INTERP_START') {
      next(cursor)
      parts.push(nested(cursor, grammar.query))
      if (peek(cursor).kind !== 'QQSTRING_INTERP_END') unexpected(cursor, ['QQSTRING_INTERP_END', "'|'", "','"])
      next(cursor)
    } else if (token.kind === 'QQSTRING_END') {
      next(cursor)
      break
    } else if (token.kind === 'end of file') {
      const expected = ['QQSTRING_TEXT', 'QQSTRING_INTERP_START', 'QQSTRING_END']
      fail(cursor, 'unterminated-string', `syntax error, unexpected end of file, expecting ${expected.join(' or ')}`, token)
    } else unexpected(cursor, ['QQSTRING_TEXT', 'QQSTRING_INTERP_START', 'QQSTRING_END'])
  }
  return stringNode(parts, first.kind === 'FORMAT' ? first.text : undefined, { start, end: endOf(cursor) })
}

function stringNode(parts: readonly (string | Node)[], format: string | undefined, span: { start: number; end: number }): Node {
  const text = parts.every((part) => typeof part === 'string') ? parts.join('') : undefined
  return text === undefined ? { kind: 'string', format, parts, ...span } : { kind: 'literal', value: text, ...span }
}
