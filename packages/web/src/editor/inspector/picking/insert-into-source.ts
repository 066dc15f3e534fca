import { parse, type Token, tokenize } from '@millrace/jq/syntax'
import type { Inserted, TextUse, Typed } from '#src/editor/inspector/picking/typed.ts'

/** Whether a text is a program of jq. */
export function isSource(source: string): boolean {
  try {
    parse(source)
    return true
  } catch {
    return false
  }
}

/** Puts a path into a jq source: the first of the ways that give a valid one. A source that is not valid gets the path at its caret. */
export function insertIntoSource({ text: source, from, to }: Typed, path: string, use: TextUse): Inserted {
  const tokens = tokensOf(source)
  const ways = [
    ...(from < to ? [isInString(tokens, from) ? spliced(source, from, to, `\\(${path})`, false) : spliced(source, from, to, path)] : []),
    ...waysAt(source, tokens, to, path, use),
  ]
  return ways.find(({ text }) => isSource(text)) ?? ways[0] ?? spliced(source, from, to, path)
}

function tokensOf(source: string): readonly Token[] {
  try {
    return tokenize(source).slice(0, -1)
  } catch {
    return []
  }
}

function waysAt(source: string, tokens: readonly Token[], caret: number, path: string, use: TextUse): readonly Inserted[] {
  if (isInString(tokens, caret)) {
    const text = tokens.find((token) => token.start < caret && caret < token.end)
    return [caret, text?.end ?? caret].map((at) => spliced(source, at, at, `\\(${path})`, false))
  }
  const at = behindTerm(source, tokens, caret)
  const [before, after] = [tokens.findLast(({ end }) => end <= at), tokens.find(({ start }) => start >= at)]
  const [left, right] = [before !== undefined && endsTerm(before), after !== undefined && beginsTerm(after)]
  const joints = use === 'condition' ? ['==', 'and'] : ['+']
  const joined = (joint: string) => spliced(source, at, at, `${left ? `${joint} ` : ''}${path}${right ? ` ${joint}` : ''}`)
  const isAtEdge = (after === undefined && left) || (before === undefined && right)
  const behind = tokens.at(-1)?.end ?? source.length
  const asTexts = isSource(source) ? besideText(source, path, after === undefined || before !== undefined) : []
  return [
    ...(use === 'text' && isAtEdge ? asTexts : []),
    ...joints.map(joined),
    ...joints.map((joint) => spliced(source, behind, behind, `${joint} ${path}`)),
    ...asTexts,
  ]
}

/** Whether an offset is between the quotes of a string, and not in an interpolation of it. */
function isInString(tokens: readonly Token[], at: number): boolean {
  const before = tokens.findLast(({ start }) => start < at)
  if (before?.kind === 'QQSTRING_TEXT') return true
  return before?.kind === 'QQSTRING_START' || before?.kind === 'QQSTRING_INTERP_END'
}

const continuing: ReadonlySet<string> = new Set(['.', '?', '['])

/** The end of the path, call or word at an offset; before a comment. */
function behindTerm(source: string, tokens: readonly Token[], caret: number): number {
  let at = tokens.find(({ start, end }) => start < caret && caret < end)?.end ?? caret
  const ended = tokens.findLast(({ end }) => end <= at)?.end ?? 0
  if (source.slice(ended, at).includes('#')) at = ended
  for (;;) {
    const index = tokens.findIndex(({ start }) => start === at)
    const [before, next] = [tokens[index - 1], tokens[index]]
    if (before === undefined || next === undefined || before.end !== at || !continues(before, next)) return at
    at = closing(tokens, index)?.end ?? source.length
  }
}

function continues(before: Token, next: Token): boolean {
  if (before.kind === 'operator' && before.text === '.') return next.kind === 'QQSTRING_START' || next.text === '['
  if (!endsTerm(before)) return false
  if (next.kind === 'FIELD') return true
  if (next.kind !== 'operator') return false
  return continuing.has(next.text) || (next.text === '(' && before.kind === 'IDENT')
}

/** The token that ends what begins at an index: itself, or the counterpart of a bracket or quote. */
function closing(tokens: readonly Token[], index: number): Token | undefined {
  let depth = 0
  return tokens.slice(index).find(({ kind, text }) => {
    const isText = kind === 'QQSTRING_TEXT'
    if (!isText && (/^(?:[([{]|\\\()$/.test(text) || kind === 'QQSTRING_START')) depth++
    if (!isText && (/^[)\]}]$/.test(text) || kind === 'QQSTRING_END')) depth--
    return depth === 0
  })
}

const words: ReadonlySet<string> = new Set(['IDENT', 'FIELD', 'BINDING', 'LITERAL', 'FORMAT'])

function endsTerm({ kind, text }: Token): boolean {
  if (kind === 'operator') return ['.', '..', '?', ')', ']', '}'].includes(text)
  return words.has(kind) || kind === 'QQSTRING_END' || (kind === 'keyword' && text === 'end')
}

function beginsTerm({ kind, text }: Token): boolean {
  if (kind === 'operator') return ['.', '..', '(', '[', '{'].includes(text)
  if (kind === 'keyword') return ['if', 'reduce', 'foreach', 'try', 'label', 'def'].includes(text)
  return words.has(kind) || kind === 'QQSTRING_START'
}

/** A text of what a whole source gives and the path: within its quotes if it is a string. */
function besideText(source: string, path: string, isBehind: boolean): readonly Inserted[] {
  const [start, end] = [source.length - source.trimStart().length, source.trimEnd().length]
  const tree = parse(source)
  const isEmpty = tree.kind === 'literal' && tree.value === ''
  if (isEmpty || (tree.kind === 'string' && tree.format === undefined)) {
    const at = isBehind ? end - 1 : start + 1
    const gap = isEmpty || /\s/.test(source.charAt(isBehind ? at - 1 : at)) ? '' : ' '
    return [spliced(source, at, at, isBehind ? `${gap}\\(${path})` : `\\(${path})${gap}`, false)]
  }
  const whole = source.slice(start, end)
  return ['', '\n'].map((line) => {
    const given = `\\(${whole}${line})`
    return spliced(source, start, end, isBehind ? `"${given} \\(${path})"` : `"\\(${path}) ${given}"`, false)
  })
}

/** Puts an insertion between two offsets, with a space to what would run into it. */
function spliced(source: string, from: number, to: number, insertion: string, isCode = true): Inserted {
  const [before, after] = [source.slice(0, from), source.slice(to)]
  const [head, tail] = [isCode && /[^\s([{]$/.test(before) ? ' ' : '', isCode && /^[^\s)\]},;:]/.test(after) ? ' ' : '']
  const put = `${head}${insertion}`
  return { text: `${before}${put}${tail}${after}`, caret: before.length + put.length }
}
