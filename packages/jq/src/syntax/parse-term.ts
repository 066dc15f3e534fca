import { parseNumber } from '#src/values/number.ts'
import type { Node } from './ast.ts'
import {
  accept,
  acceptKeyword,
  endOf,
  expectKeyword,
  expectOperator,
  fail,
  isKeyword,
  isOperator,
  nested,
  next,
  peek,
  unexpected,
  type Cursor,
  type Grammar,
} from './cursor.ts'
import { parseObject } from './parse-object.ts'
import { parsePatterns } from './parse-pattern.ts'
import { parseString } from './parse-string.ts'

const joiners = ["'|'", "','"]

/** A term with everything that may follow it: fields, indexes, slices, `?`. */
export function parseTerm(cursor: Cursor, grammar: Grammar): Node {
  let term = parsePrimary(cursor, grammar)
  for (;;) {
    const following = parsePostfix(cursor, grammar, term)
    if (following === undefined) return term
    term = following
  }
}

function parsePostfix(cursor: Cursor, grammar: Grammar, target: Node): Node | undefined {
  const token = peek(cursor)
  const { start } = target
  if (token.kind === 'FIELD') {
    next(cursor)
    const key: Node = { kind: 'literal', value: token.text, start: token.start, end: token.end }
    return { kind: 'index', target, key, optional: accept(cursor, '?'), start, end: endOf(cursor) }
  }
  if (isOperator(token, '?')) {
    next(cursor)
    return { kind: 'try', body: target, handler: undefined, start, end: endOf(cursor) }
  }
  if (isOperator(token, '[')) return nested(cursor, () => parseBracket(cursor, grammar, target))
  if (!isOperator(token, '.')) return undefined
  next(cursor)
  if (isOperator(peek(cursor), '[')) return nested(cursor, () => parseKey(cursor, grammar, target))
  return parseStringField(cursor, grammar, target)
}

function parseStringField(cursor: Cursor, grammar: Grammar, target: Node): Node {
  const token = peek(cursor)
  if (!isStringStart(cursor)) unexpected(cursor, ['FORMAT', 'QQSTRING_START', "'['"])
  const key = parseString(cursor, grammar)
  if (key.kind === 'format') fail(cursor, 'unexpected-token', 'syntax error, a format after a dot needs a string', token)
  return { kind: 'index', target, key, optional: accept(cursor, '?'), start: target.start, end: endOf(cursor) }
}

function isStringStart(cursor: Cursor): boolean {
  const { kind } = peek(cursor)
  return kind === 'QQSTRING_START' || kind === 'FORMAT'
}

/** `[]` and `[key]` after a target and a dot, where jq takes no slice. */
function parseKey(cursor: Cursor, grammar: Grammar, target: Node): Node {
  next(cursor)
  const { start } = target
  if (accept(cursor, ']')) return { kind: 'iterate', target, optional: accept(cursor, '?'), start, end: endOf(cursor) }
  const key = grammar.query(cursor)
  expectOperator(cursor, ']', joiners)
  return { kind: 'index', target, key, optional: accept(cursor, '?'), start, end: endOf(cursor) }
}

/** `[]`, `[key]` and the slices, after their target. */
function parseBracket(cursor: Cursor, grammar: Grammar, target: Node): Node {
  next(cursor)
  const { start } = target
  if (accept(cursor, ']')) return { kind: 'iterate', target, optional: accept(cursor, '?'), start, end: endOf(cursor) }
  const missing: Node = { kind: 'literal', value: null, start: endOf(cursor), end: endOf(cursor) }
  if (accept(cursor, ':')) {
    const to = grammar.query(cursor)
    expectOperator(cursor, ']', joiners)
    return { kind: 'slice', target, from: missing, to, optional: accept(cursor, '?'), start, end: endOf(cursor) }
  }
  const key = grammar.query(cursor)
  if (!accept(cursor, ':')) {
    expectOperator(cursor, ']', [...joiners, "':'"])
    return { kind: 'index', target, key, optional: accept(cursor, '?'), start, end: endOf(cursor) }
  }
  const to = isOperator(peek(cursor), ']') ? missing : grammar.query(cursor)
  expectOperator(cursor, ']', joiners)
  return { kind: 'slice', target, from: key, to, optional: accept(cursor, '?'), start, end: endOf(cursor) }
}

function parsePrimary(cursor: Cursor, grammar: Grammar): Node {
  const token = peek(cursor)
  const { start, end } = token
  switch (token.kind) {
    case 'LITERAL':
      next(cursor)
      return { kind: 'literal', value: parseNumber(token.text), start, end }
    case 'QQSTRING_START':
    case 'FORMAT':
      return parseString(cursor, grammar)
    case 'FIELD': {
      next(cursor)
      const key: Node = { kind: 'literal', value: token.text, start, end }
      const target: Node = { kind: 'identity', start, end: start }
      return { kind: 'index', target, key, optional: accept(cursor, '?'), start, end: endOf(cursor) }
    }
    case 'BINDING':
      next(cursor)
      return { kind: 'variable', name: token.text, start, end }
    case 'IDENT':
      return parseCall(cursor, grammar)
    case 'keyword':
      return nested(cursor, () => parseKeyword(cursor, grammar))
    case 'operator':
      return nested(cursor, () => parseOperator(cursor, grammar))
    default:
      // After nothing at all jq can only wait for the end of the program.
      return unexpected(cursor, cursor.at === 0 && token.kind !== 'end of file' ? ['end of file'] : [])
  }
}

function parseCall(cursor: Cursor, grammar: Grammar): Node {
  const { text, start, end } = next(cursor)
  if (accept(cursor, '(')) {
    const args: Node[] = []
    do args.push(nested(cursor, grammar.query))
    while (accept(cursor, ';'))
    expectOperator(cursor, ')', ["';'", ...joiners])
    // The span of a call is its name: that is what an error about it points at.
    return { kind: 'call', name: text, args, start, end }
  }
  if (text === 'null') return { kind: 'literal', value: null, start, end }
  if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true', start, end }
  return { kind: 'call', name: text, args: [], start, end }
}

function parseOperator(cursor: Cursor, grammar: Grammar): Node {
  const { text, start, end } = peek(cursor)
  switch (text) {
    case '.':
      next(cursor)
      return parseDot(cursor, grammar, start, end)
    case '..':
      next(cursor)
      return { kind: 'call', name: 'recurse', args: [], start, end }
    case '-': {
      next(cursor)
      const operand = parseTerm(cursor, grammar)
      return { kind: 'negate', operand, start, end: operand.end }
    }
    case '(': {
      next(cursor)
      const inner = grammar.query(cursor)
      expectOperator(cursor, ')', joiners)
      return inner
    }
    case '[': {
      next(cursor)
      const body = accept(cursor, ']') ? undefined : grammar.query(cursor)
      if (body !== undefined) expectOperator(cursor, ']', joiners)
      return { kind: 'array', body, start, end: endOf(cursor) }
    }
    case '{':
      return parseObject(cursor, grammar)
    default:
      return unexpected(cursor, cursor.at === 0 ? ['end of file'] : [])
  }
}

function parseDot(cursor: Cursor, grammar: Grammar, start: number, end: number): Node {
  const identity: Node = { kind: 'identity', start, end }
  const token = peek(cursor)
  if (isStringStart(cursor)) return parseStringField(cursor, grammar, identity)
  if (token.kind === 'IDENT' || token.kind === 'keyword' || token.kind === 'LITERAL' || token.kind === 'BINDING') {
    if (isKeyword(token, 'as') || isKeyword(token, 'and') || isKeyword(token, 'or') || token.kind === 'keyword') return identity
    fail(cursor, 'unexpected-token', 'try .["field"] instead of .field for unusually named fields', { start, end: token.end })
  }
  return identity
}

function parseKeyword(cursor: Cursor, grammar: Grammar): Node {
  const { text, start } = peek(cursor)
  switch (text) {
    case 'if':
      next(cursor)
      return parseIf(cursor, grammar, start)
    case 'try': {
      next(cursor)
      const body = grammar.term(cursor)
      const handler = acceptKeyword(cursor, 'catch') ? grammar.term(cursor) : undefined
      return { kind: 'try', body, handler, start, end: endOf(cursor) }
    }
    case 'reduce':
    case 'foreach':
      next(cursor)
      return parseLoop(cursor, grammar, text, start)
    case 'break': {
      next(cursor)
      const name = peek(cursor)
      if (name.kind !== 'BINDING') fail(cursor, 'undefined-label', 'break requires a label to break to', { start, end: name.end })
      next(cursor)
      return { kind: 'break', name: name.text, start, end: name.end }
    }
    default:
      return unexpected(cursor, cursor.at === 0 ? ['end of file'] : [])
  }
}

function parseIf(cursor: Cursor, grammar: Grammar, start: number): Node {
  const condition = grammar.query(cursor)
  expectKeyword(cursor, 'then', joiners)
  const yes = grammar.query(cursor)
  const token = peek(cursor)
  if (acceptKeyword(cursor, 'elif')) {
    const no = nested(cursor, () => parseIf(cursor, grammar, token.start))
    return { kind: 'if', condition, yes, no, start, end: endOf(cursor) }
  }
  const no: Node = acceptKeyword(cursor, 'else') ? grammar.query(cursor) : { kind: 'identity', start: token.start, end: token.start }
  expectKeyword(cursor, 'end', joiners)
  return { kind: 'if', condition, yes, no, start, end: endOf(cursor) }
}

function parseLoop(cursor: Cursor, grammar: Grammar, kind: 'reduce' | 'foreach', start: number): Node {
  const source = grammar.expression(cursor)
  expectKeyword(cursor, 'as')
  const patterns = parsePatterns(cursor, grammar)
  expectOperator(cursor, '(')
  const initial = grammar.query(cursor)
  expectOperator(cursor, ';', joiners)
  const update = grammar.query(cursor)
  if (kind === 'reduce') {
    expectOperator(cursor, ')', joiners)
    return { kind, source, patterns, initial, update, start, end: endOf(cursor) }
  }
  const extract = accept(cursor, ';') ? grammar.query(cursor) : undefined
  expectOperator(cursor, ')', [...joiners, "';'"])
  return { kind, source, patterns, initial, update, extract, start, end: endOf(cursor) }
}
