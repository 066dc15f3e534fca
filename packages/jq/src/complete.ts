import { nativeNames } from './builtins/natives.ts'
import { preludeNames } from './builtins/prelude.ts'
import { JqSyntaxError } from './errors.ts'
import { tokenize } from './syntax/lexer.ts'
import { keywords, type Token } from './syntax/token.ts'
import { isArray, isObject, own, typeOf, type Json, type Value } from './values/value.ts'

/** A completion for an editor. */
export interface Completion {
  readonly kind: 'field' | 'variable' | 'function' | 'keyword' | 'format'
  /** The replacement of the text between `start` and `end`. */
  readonly text: string
  /** UTF-16 offsets of what is already typed. */
  readonly start: number
  readonly end: number
  /** The type of a field, or the arities of a function. */
  readonly detail: string
}

/** Examples of what a program works on. */
export interface Shape {
  readonly input?: Json
  readonly variables?: Readonly<Record<string, Json>>
}

const formats = ['@text', '@json', '@html', '@uri', '@urid', '@csv', '@tsv', '@sh', '@base64', '@base64d', '@base32', '@base32d']

/**
 * Completions at an offset of a program that need not be finished: fields after a dot, as far as the examples have them, variables
 * after `$`, formats after `@`, otherwise built-ins, definitions of the program and keywords.
 * @param offset UTF-16 offset of the cursor
 */
export function complete(source: string, offset: number, shape: Shape = {}): Completion[] {
  const before = source.slice(0, offset)
  const tokens = tokensOf(before)
  const last = tokens.at(-1)
  if (last === undefined || isInsideString(tokens) || isInsideComment(before, tokens)) return []
  const typed = /[$@]?[A-Za-z_0-9]*$/.exec(before)?.[0] ?? ''
  const range = { start: offset - typed.length, end: offset }
  if (typed.startsWith('$')) return variables(tokens, shape, typed, range)
  if (typed.startsWith('@'))
    return formats.filter((name) => name.startsWith(typed)).map((text) => ({ kind: 'format', text, detail: 'format', ...range }))
  if (before.charAt(range.start - 1) === '.') return fields(tokens, shape, typed, range)
  return names(tokens, typed, range)
}

interface Range {
  readonly start: number
  readonly end: number
}

/** The tokens of an unfinished program; nothing where it cannot even be split. */
function tokensOf(text: string): readonly Token[] {
  try {
    return tokenize(text)
  } catch (error) {
    if (error instanceof JqSyntaxError) return []
    throw error
  }
}

function isInsideString(tokens: readonly Token[]): boolean {
  let depth = 0
  for (const { kind } of tokens) {
    if (kind === 'QQSTRING_START' || kind === 'QQSTRING_INTERP_END') depth++
    if (kind === 'QQSTRING_END' || kind === 'QQSTRING_INTERP_START') depth--
  }
  return depth > 0
}

/** Whether the text ends inside a comment. */
function isInsideComment(before: string, tokens: readonly Token[]): boolean {
  const end = tokens.findLast(({ kind }) => kind !== 'end of file')?.end ?? 0
  return /#[^\n]*$/.test(before.slice(end))
}

function variables(tokens: readonly Token[], shape: Shape, typed: string, range: Range): Completion[] {
  const given = Object.keys(shape.variables ?? {})
  const bound = tokens.filter(({ kind, end }) => kind === 'BINDING' && end < range.end).map(({ text }) => text)
  return [...new Set([...given, ...bound, '__loc__'])]
    .filter((name) => `$${name}`.startsWith(typed))
    .map((name) => ({ kind: 'variable', text: `$${name}`, detail: detailOf(own(shape.variables ?? {}, name)), ...range }))
}

function detailOf(example: Value | undefined): string {
  return example === undefined ? 'variable' : typeOf(example)
}

/** Steps back from the dot through fields and `[]` to where the path begins, and follows it in the examples. */
function fields(tokens: readonly Token[], shape: Shape, typed: string, range: Range): Completion[] {
  const path = tokens.filter(({ kind, end }) => kind !== 'end of file' && end <= range.start)
  if (path.at(-1)?.text === '.' && path.at(-1)?.kind === 'operator') path.pop()
  const steps: string[] = []
  let at = path.length - 1
  for (; at >= 0; at--) {
    const token = path[at]
    if (token?.kind === 'FIELD') steps.unshift(token.text)
    else if (token?.text === ']' && path[at - 1]?.text === '[') {
      steps.unshift('[]')
      at--
    } else if (token?.text !== '?') break
  }
  const start = path[at]
  const root = start?.kind === 'BINDING' ? own(shape.variables ?? {}, start.text) : shape.input
  let examples: Value[] = root === undefined ? [] : [root]
  for (const step of steps) examples = examples.flatMap((example) => follow(example, step))
  return suggest(examples, typed, range)
}

function follow(example: Value, step: string): Value[] {
  if (step === '[]') return isArray(example) ? [...example] : isObject(example) ? Object.values(example) : []
  const value = isObject(example) ? own(example, step) : undefined
  return value === undefined ? [] : [value]
}

function suggest(examples: readonly Value[], typed: string, range: Range): Completion[] {
  const found = new Map<string, string>()
  for (const example of examples) {
    if (!isObject(example)) continue
    for (const key of Object.keys(example)) if (key.startsWith(typed)) found.set(key, detailOf(own(example, key)))
  }
  return [...found].map(([key, detail]) => ({
    kind: 'field',
    text: /^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key),
    detail,
    ...range,
  }))
}

function names(tokens: readonly Token[], typed: string, range: Range): Completion[] {
  const arities = new Map<string, string[]>()
  for (const name of [...nativeNames(), ...preludeNames()]) {
    const [text = '', arity = ''] = name.split('/')
    if (!text.startsWith('_') && text.startsWith(typed)) arities.set(text, [...(arities.get(text) ?? []), arity])
  }
  tokens.forEach((token, at) => {
    const previous = tokens[at - 1]
    if (token.kind === 'IDENT' && previous?.kind === 'keyword' && previous.text === 'def' && token.text.startsWith(typed))
      arities.set(token.text, [])
  })
  const functions = [...arities].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [
    ...functions.map(([text, counts]) => ({ kind: 'function' as const, text, detail: counts.toSorted().join(', '), ...range })),
    ...[...keywords]
      .filter((text) => text.startsWith(typed))
      .map((text) => ({ kind: 'keyword' as const, text, detail: 'keyword', ...range })),
  ]
}
