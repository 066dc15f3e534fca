import { JqSyntaxError } from '#src/errors.ts'
import type { BinaryOperator, Definition, Node, Parameter, UpdateOperator } from './ast.ts'
import {
  accept,
  acceptKeyword,
  endOf,
  expectKeyword,
  expectOperator,
  fail,
  isKeyword,
  nested,
  next,
  nestingMax,
  peek,
  unexpected,
  type Cursor,
  type Grammar,
} from './cursor.ts'
import { tokenize } from './lexer.ts'
import { parsePatterns } from './parse-pattern.ts'
import { parseTerm } from './parse-term.ts'
import type { Token } from './token.ts'

const grammar: Grammar = { query: parseQuery, expression: parseExpression, term: (cursor) => parseTerm(cursor, grammar) }

/**
 * Reads a whole jq 1.8 program into its syntax.
 * @throws JqSyntaxError with the place and what was expected there
 */
export function parse(source: string): Node {
  const cursor: Cursor = { source, tokens: tokenize(source), at: 0, depth: 0 }
  refuseModules(cursor)
  if (peek(cursor).kind === 'end of file') emptyProgram(cursor)
  const program = parseQuery(cursor, true)
  if (peek(cursor).kind !== 'end of file') unexpected(cursor, ['end of file'])
  return program
}

function emptyProgram(cursor: Cursor): never {
  return fail(cursor, 'empty-program', 'Top-level program not given (try ".")', { start: 0, end: cursor.source.length })
}

function refuseModules(cursor: Cursor): void {
  const token = peek(cursor)
  if (token.kind === 'keyword' && ['module', 'import', 'include'].includes(token.text)) {
    fail(cursor, 'module', `${token.text} is not supported: a program here stands alone and has no files to read modules from`, token)
  }
}

/** `|` binds least and to the right, then `,`; a definition, a binding or a label takes everything after it. */
function parseQuery(cursor: Cursor, topLevel = false): Node {
  const stages: Node[] = []
  for (;;) {
    const items: Node[] = []
    let greedy: boolean
    do {
      const item = parseItem(cursor, topLevel)
      items.push(item.node)
      greedy = item.greedy
    } while (!greedy && accept(cursor, ','))
    stages.push(comma(items))
    if (greedy || !accept(cursor, '|')) return pipe(stages)
  }
}

function comma(items: readonly Node[]): Node {
  const [first] = items
  if (first !== undefined && items.length === 1) return first
  return { kind: 'comma', items, start: first?.start ?? 0, end: items.at(-1)?.end ?? 0 }
}

/** Pipes associate, so a long pipeline becomes a shallow tree. */
function pipe(stages: readonly Node[]): Node {
  const [first] = stages
  if (first === undefined) throw new Error('A pipeline has at least one stage')
  if (stages.length === 1) return first
  const middle = stages.length >> 1
  const left = pipe(stages.slice(0, middle))
  const right = pipe(stages.slice(middle))
  return { kind: 'pipe', left, right, start: left.start, end: right.end }
}

/** One operand of `,`; `greedy` says that it has taken everything up to the end of the query. */
function parseItem(cursor: Cursor, topLevel: boolean): { readonly node: Node; readonly greedy: boolean } {
  const token = peek(cursor)
  if (isKeyword(token, 'def')) return { node: nested(cursor, () => parseDefine(cursor, topLevel), 1), greedy: true }
  if (isKeyword(token, 'label')) return { node: nested(cursor, () => parseLabel(cursor), 1), greedy: true }
  const source = parseExpression(cursor)
  if (!acceptKeyword(cursor, 'as')) return { node: source, greedy: false }
  const patterns = parsePatterns(cursor, grammar)
  expectOperator(cursor, '|')
  const body = nested(cursor, () => parseQuery(cursor), 1)
  return { node: { kind: 'bind', source, patterns, body, start: source.start, end: body.end }, greedy: true }
}

function parseDefine(cursor: Cursor, topLevel: boolean): Node {
  const definition = parseDefinition(cursor)
  if (topLevel && peek(cursor).kind === 'end of file') emptyProgram(cursor)
  const body = parseQuery(cursor, topLevel)
  return { kind: 'define', definition, body, start: definition.start, end: body.end }
}

function parseDefinition(cursor: Cursor): Definition {
  const { start } = next(cursor)
  const name = peek(cursor)
  if (name.kind !== 'IDENT') unexpected(cursor, ['IDENT'])
  next(cursor)
  const parameters: Parameter[] = []
  if (accept(cursor, '(')) {
    do parameters.push(parseParameter(cursor))
    while (accept(cursor, ';'))
    expectOperator(cursor, ')', ["';'"])
  }
  expectOperator(cursor, ':', parameters.length === 0 ? ["'('"] : [])
  const body = nested(cursor, () => parseQuery(cursor))
  expectOperator(cursor, ';', ["'|'", "','"])
  return { name: name.text, parameters, body, start, end: endOf(cursor) }
}

function parseParameter(cursor: Cursor): Parameter {
  const token = peek(cursor)
  if (token.kind !== 'IDENT' && token.kind !== 'BINDING') unexpected(cursor, ['IDENT', 'BINDING'])
  next(cursor)
  return { name: token.text, byValue: token.kind === 'BINDING', start: token.start, end: token.end }
}

function parseLabel(cursor: Cursor): Node {
  const { start } = expectKeyword(cursor, 'label')
  const name = peek(cursor)
  if (name.kind !== 'BINDING') unexpected(cursor, ['BINDING'])
  next(cursor)
  expectOperator(cursor, '|')
  const body = parseQuery(cursor)
  return { kind: 'label', name: name.text, body, start, end: body.end }
}

type Associativity = 'left' | 'right' | 'none'

function levelOf(token: Token): { level: number; associativity: Associativity } | undefined {
  if (token.kind === 'keyword') {
    if (token.text === 'or') return { level: 3, associativity: 'left' }
    return token.text === 'and' ? { level: 4, associativity: 'left' } : undefined
  }
  if (token.kind !== 'operator') return undefined
  switch (token.text) {
    case '//':
      return { level: 1, associativity: 'right' }
    case '=':
    case '|=':
    case '+=':
    case '-=':
    case '*=':
    case '/=':
    case '%=':
    case '//=':
      return { level: 2, associativity: 'none' }
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return { level: 5, associativity: 'none' }
    case '+':
    case '-':
      return { level: 6, associativity: 'left' }
    case '*':
    case '/':
    case '%':
      return { level: 7, associativity: 'left' }
    default:
      return undefined
  }
}

function parseExpression(cursor: Cursor): Node {
  return parseOperators(cursor, 1)
}

function parseOperators(cursor: Cursor, levelMin: number): Node {
  let left = parseTerm(cursor, grammar)
  let levelMax = 7
  // Each operator of a chain deepens the tree on its left, which the compiler has to walk down again.
  const depth = cursor.depth
  for (;;) {
    const token = peek(cursor)
    const operator = levelOf(token)
    if (operator === undefined || operator.level < levelMin) break
    if (operator.level > levelMax) unexpected(cursor)
    next(cursor)
    if (++cursor.depth > nestingMax) fail(cursor, 'too-deep', 'The chain of operators is too long: split it into definitions', token)
    const right = parseOperators(cursor, operator.associativity === 'right' ? operator.level : operator.level + 1)
    left = combine(token, left, right)
    levelMax = operator.associativity === 'none' ? operator.level - 1 : operator.level
  }
  cursor.depth = depth
  return left
}

function combine(token: Token, left: Node, right: Node): Node {
  const span = { start: left.start, end: right.end }
  switch (token.text) {
    case 'and':
    case 'or':
      return { kind: 'logic', operator: token.text, left, right, ...span }
    case '//':
      return { kind: 'alternative', left, right, ...span }
    case '=':
    case '|=':
    case '+=':
    case '-=':
    case '*=':
    case '/=':
    case '%=':
    case '//=':
      return { kind: 'update', operator: token.text satisfies UpdateOperator, target: left, value: right, ...span }
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return { kind: 'binary', operator: token.text satisfies BinaryOperator, left, right, ...span }
    default:
      throw new JqSyntaxError('', { code: 'unexpected-token', message: `No rule for ${token.text}`, start: token.start, end: token.end })
  }
}
