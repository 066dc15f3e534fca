import type { FieldPattern, Node, Pattern } from './ast.ts'
import { accept, endOf, expectOperator, fail, isOperator, nested, next, peek, unexpected, type Cursor, type Grammar } from './cursor.ts'
import { constantKeyFault } from './object-key.ts'
import { parseString } from './parse-string.ts'

const patternStart = ['BINDING', "'['", "'{'"]

/** `Pattern ?// Pattern …`, the left side of a binding. */
export function parsePatterns(cursor: Cursor, grammar: Grammar): Pattern[] {
  const patterns = [parsePattern(cursor, grammar)]
  while (accept(cursor, '?//')) patterns.push(parsePattern(cursor, grammar))
  return patterns
}

function parsePattern(cursor: Cursor, grammar: Grammar): Pattern {
  const token = peek(cursor)
  if (token.kind === 'BINDING') {
    next(cursor)
    return { kind: 'variable', name: token.text, start: token.start, end: token.end }
  }
  if (isOperator(token, '[')) return nested(cursor, () => parseArrayPattern(cursor, grammar))
  if (isOperator(token, '{')) return nested(cursor, () => parseObjectPattern(cursor, grammar))
  return unexpected(cursor, patternStart)
}

function parseArrayPattern(cursor: Cursor, grammar: Grammar): Pattern {
  const { start } = next(cursor)
  const items = [parsePattern(cursor, grammar)]
  while (accept(cursor, ',')) items.push(parsePattern(cursor, grammar))
  expectOperator(cursor, ']', ["','"])
  return { kind: 'array', items, start, end: endOf(cursor) }
}

function parseObjectPattern(cursor: Cursor, grammar: Grammar): Pattern {
  const { start } = next(cursor)
  const fields = [parseFieldPattern(cursor, grammar)]
  while (accept(cursor, ',')) fields.push(parseFieldPattern(cursor, grammar))
  expectOperator(cursor, '}', ["','"])
  return { kind: 'object', fields, start, end: endOf(cursor) }
}

function parseFieldPattern(cursor: Cursor, grammar: Grammar): FieldPattern {
  const token = peek(cursor)
  if (token.kind === 'BINDING') {
    next(cursor)
    const key: Node = { kind: 'literal', value: token.text, start: token.start, end: token.end }
    return { key, variable: token.text, value: accept(cursor, ':') ? parsePattern(cursor, grammar) : undefined }
  }
  const key = parseKey(cursor, grammar)
  expectOperator(cursor, ':')
  return { key, variable: undefined, value: parsePattern(cursor, grammar) }
}

function parseKey(cursor: Cursor, grammar: Grammar): Node {
  const token = peek(cursor)
  if (token.kind === 'IDENT' || token.kind === 'keyword') {
    next(cursor)
    return { kind: 'literal', value: token.text, start: token.start, end: token.end }
  }
  if (token.kind === 'QQSTRING_START' || token.kind === 'FORMAT') return parseString(cursor, grammar)
  if (!isOperator(token, '(')) unexpected(cursor)
  next(cursor)
  const key = grammar.query(cursor)
  expectOperator(cursor, ')', ["'|'", "','"])
  const fault = constantKeyFault(key)
  if (fault !== undefined) fail(cursor, 'constant-key', fault, key)
  return key
}
