import type { Node, ObjectEntry } from './ast.ts'
import { accept, endOf, expectOperator, fail, isOperator, next, peek, unexpected, type Cursor, type Grammar } from './cursor.ts'
import { constantKeyFault } from './object-key.ts'
import { parseString } from './parse-string.ts'
import type { Token } from './token.ts'

const parenthesesHint = 'May need parentheses around object key expression'

/** `{…}` with every short form of a key; the opening brace is the current token. */
export function parseObject(cursor: Cursor, grammar: Grammar): Node {
  const { start } = next(cursor)
  const entries: ObjectEntry[] = []
  while (!isOperator(peek(cursor), '}')) {
    entries.push(parseEntry(cursor, grammar))
    if (!accept(cursor, ',')) break
  }
  expectOperator(cursor, '}')
  return { kind: 'object', entries, start, end: endOf(cursor) }
}

function parseEntry(cursor: Cursor, grammar: Grammar): ObjectEntry {
  const token = peek(cursor)
  switch (token.kind) {
    case 'IDENT':
    case 'keyword':
      next(cursor)
      return parseNamed(cursor, grammar, token)
    case 'BINDING':
      next(cursor)
      return parseVariable(cursor, grammar, token)
    case 'QQSTRING_START':
    case 'FORMAT': {
      const key = parseString(cursor, grammar)
      return { key, value: accept(cursor, ':') ? parseValue(cursor, grammar) : undefined }
    }
    case 'LITERAL':
    case 'FIELD':
      return refuseKey(cursor, grammar)
    default:
      return isOperator(token, '(') ? parseComputed(cursor, grammar) : unexpected(cursor)
  }
}

function parseNamed(cursor: Cursor, grammar: Grammar, token: Token): ObjectEntry {
  const key = literal(token)
  if (accept(cursor, ':')) return { key, value: parseValue(cursor, grammar) }
  return beforeColon(cursor, token) ? fail(cursor, 'object-key', parenthesesHint, spanToColon(cursor, token)) : { key, value: undefined }
}

function parseVariable(cursor: Cursor, grammar: Grammar, token: Token): ObjectEntry {
  const variable: Node = { kind: 'variable', name: token.text, start: token.start, end: token.end }
  // `{$name: value}` takes the value of the variable as the key, `{$name}` its name.
  if (token.text !== '__loc__' && accept(cursor, ':')) return { key: variable, value: parseValue(cursor, grammar) }
  return { key: literal(token), value: variable }
}

function parseComputed(cursor: Cursor, grammar: Grammar): ObjectEntry {
  next(cursor)
  const key = grammar.query(cursor)
  expectOperator(cursor, ')', ["'|'", "','"])
  expectOperator(cursor, ':')
  const fault = constantKeyFault(key)
  if (fault !== undefined) fail(cursor, 'constant-key', fault, key)
  return { key, value: parseValue(cursor, grammar) }
}

/** `1: …` and `1+2: …`: an expression in place of a key. */
function refuseKey(cursor: Cursor, grammar: Grammar): never {
  const first = peek(cursor)
  const at = cursor.at
  grammar.expression(cursor)
  if (isOperator(peek(cursor), ':')) fail(cursor, 'object-key', parenthesesHint, { start: first.start, end: endOf(cursor) })
  cursor.at = at
  return unexpected(cursor)
}

/** Whether the key continues as an expression up to a colon, as in `{a.b: 1}`. */
function beforeColon(cursor: Cursor, first: Token): boolean {
  return spanToColon(cursor, first).end > first.end
}

function spanToColon(cursor: Cursor, first: Token): { start: number; end: number } {
  for (let ahead = 0; ; ahead++) {
    const token = peek(cursor, ahead)
    if (isOperator(token, ':')) return { start: first.start, end: peek(cursor, ahead - 1).end }
    if (token.kind === 'end of file' || isOperator(token, ',') || isOperator(token, '}')) return first
  }
}

/** A value: pipes are allowed, commas end the entry. */
function parseValue(cursor: Cursor, grammar: Grammar): Node {
  const left = grammar.expression(cursor)
  if (!accept(cursor, '|')) return left
  const right = parseValue(cursor, grammar)
  return { kind: 'pipe', left, right, start: left.start, end: right.end }
}

function literal(token: Token): Node {
  return { kind: 'literal', value: token.text, start: token.start, end: token.end }
}
