import { JqSyntaxError } from '#src/errors.ts'
import { decodeEscapes } from './escape.ts'
import { keywords, operators, type Token, type TokenKind } from './token.ts'

const space = /[ \t\r\n]+/y
// A backslash at the end of a comment line continues it, unless it is itself escaped.
const comment = /#(?:\\(?:\\|\r?\n)|[^\r\n])*/y
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y
const name = /(?:[a-zA-Z_][a-zA-Z_0-9]*::)*[a-zA-Z_][a-zA-Z_0-9]*/y
const field = /\.[a-zA-Z_][a-zA-Z_0-9]*/y
const binding = /\$(?:[a-zA-Z_][a-zA-Z_0-9]*::)*[a-zA-Z_][a-zA-Z_0-9]*/y
const format = /@[a-zA-Z0-9_]+/y
const stringText = /[^\\"]+/y
const escapeRun = /(?:\\[^u(]|\\u[a-zA-Z0-9]{0,4})+/y

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '\\(': ')' }

interface LexerState {
  readonly source: string
  readonly tokens: Token[]
  /** The open brackets, interpolations as `\(`, and strings as `"`. */
  readonly open: string[]
  at: number
}

/**
 * Splits a program into tokens with UTF-16 spans; the last one is `end of file`.
 * @throws JqSyntaxError for an invalid escape
 */
export function tokenize(source: string): Token[] {
  const state: LexerState = { source, tokens: [], open: [], at: 0 }
  while (state.at < source.length) {
    if (state.open.at(-1) === '"') lexString(state)
    else lexCode(state)
  }
  const last = state.tokens.at(-1)
  state.tokens.push({ kind: 'end of file', text: '', start: last?.start ?? 0, end: last?.end ?? 0 })
  return state.tokens
}

function push(state: LexerState, kind: TokenKind, text: string, end: number): void {
  state.tokens.push({ kind, text, start: state.at, end })
  state.at = end
}

function match(state: LexerState, pattern: RegExp): string | undefined {
  pattern.lastIndex = state.at
  return pattern.exec(state.source)?.[0]
}

function lexCode(state: LexerState): void {
  const skipped = match(state, space) ?? match(state, comment)
  if (skipped !== undefined) {
    state.at += skipped.length
    return
  }
  if (lexWord(state) || lexBracket(state)) return
  const operator = operators.find((candidate) => state.source.startsWith(candidate, state.at))
  if (operator !== undefined) push(state, 'operator', operator, state.at + operator.length)
  else push(state, 'INVALID_CHARACTER', state.source.charAt(state.at), state.at + 1)
}

function lexWord(state: LexerState): boolean {
  const literal = match(state, number)
  if (literal !== undefined) push(state, 'LITERAL', literal, state.at + literal.length)
  else if (match(state, field) !== undefined) lexPrefixed(state, field, 'FIELD')
  else if (match(state, binding) !== undefined) lexPrefixed(state, binding, 'BINDING')
  else if (match(state, format) !== undefined) lexPrefixed(state, format, 'FORMAT')
  else {
    const word = match(state, name)
    if (word === undefined) return false
    push(state, keywords.has(word) ? 'keyword' : 'IDENT', word, state.at + word.length)
  }
  return true
}

function lexPrefixed(state: LexerState, pattern: RegExp, kind: TokenKind): void {
  const text = match(state, pattern) ?? ''
  push(state, kind, text.slice(1), state.at + text.length)
}

function lexBracket(state: LexerState): boolean {
  const character = state.source.charAt(state.at)
  if (character === '"') {
    push(state, 'QQSTRING_START', character, state.at + 1)
    state.open.push('"')
    return true
  }
  if (character === '(' || character === '[' || character === '{') {
    push(state, 'operator', character, state.at + 1)
    state.open.push(character)
    return true
  }
  if (character !== ')' && character !== ']' && character !== '}') return false
  const opener = state.open.at(-1)
  if (opener === undefined || closers[opener] !== character) {
    push(state, 'INVALID_CHARACTER', character, state.at + 1)
    return true
  }
  state.open.pop()
  if (opener === '\\(') push(state, 'QQSTRING_INTERP_END', character, state.at + 1)
  else push(state, 'operator', character, state.at + 1)
  return true
}

function lexString(state: LexerState): void {
  const { source, at } = state
  if (source.startsWith('"', at)) {
    push(state, 'QQSTRING_END', '"', at + 1)
    state.open.pop()
    return
  }
  if (source.startsWith('\\(', at)) {
    push(state, 'QQSTRING_INTERP_START', '\\(', at + 2)
    state.open.push('\\(')
    return
  }
  const text = match(state, stringText)
  if (text !== undefined) {
    push(state, 'QQSTRING_TEXT', text, at + text.length)
    return
  }
  const run = match(state, escapeRun)
  if (run === undefined) {
    push(state, 'INVALID_CHARACTER', '\\', at + 1)
    return
  }
  const decoded = decodeEscapes(run)
  if (typeof decoded !== 'string') {
    throw new JqSyntaxError(source, { code: 'invalid-escape', message: decoded.message, start: at, end: at + run.length })
  }
  push(state, 'QQSTRING_TEXT', decoded, at + run.length)
}
