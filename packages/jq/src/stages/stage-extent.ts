import type { Span } from '#src/errors.ts'
import { tokenize } from '#src/syntax/lexer.ts'
import type { Token } from '#src/syntax/token.ts'
import type { Prefix } from './prefixes.ts'

const opening = new Set(['(', '[', '{'])
const closing = new Set([')', ']', '}'])
const borders = new Set(['then', 'elif', 'else', 'end'])

/**
 * Makes a function that finds the code of a stage: the syntax has no parentheses, and the span of a call is its name alone. The code of a stage ends
 * before the next `|`, before a bracket that it does not open, or before the next part of a condition or of arguments.
 */
export function createExtents(source: string): (prefix: Pick<Prefix, 'node'>) => Span {
  const tokens = tokenize(source).filter(({ kind }) => kind !== 'end of file')
  const indexAt = new Map(tokens.map(({ start }, index) => [start, index]))
  return ({ node }) => {
    const first = indexAt.get(node.start)
    if (first === undefined) return { start: node.start, end: node.end }
    const before = parenthesesBefore(tokens, first)
    let { end } = node
    let depth = 0
    let closed = 0
    for (const [index, token] of tokens.entries()) {
      if (index < first) continue
      const change = depthChange(token, tokens[index + 1])
      if (depth === 0 && isBorder(token)) break
      if (depth === 0 && change < 0) {
        if (closed === before) break
        closed += 1
      } else if (depth === 0 && isPipe(token) && token.start >= node.end) break
      else depth += change
      end = Math.max(end, token.end)
    }
    return { start: tokens[first - closed]?.start ?? node.start, end }
  }
}

function isPipe({ kind, text }: Token): boolean {
  return kind === 'operator' && text === '|'
}

/** Whether a token ends the part of a condition, or an argument, that it follows. */
function isBorder({ kind, text }: Token): boolean {
  return kind === 'keyword' ? borders.has(text) : kind === 'operator' && text === ';'
}

function depthChange({ kind, text }: Token, next: Token | undefined): number {
  // The key of an object may be a keyword.
  if (kind === 'keyword') return next?.text === ':' ? 0 : text === 'if' ? 1 : text === 'end' ? -1 : 0
  if (kind === 'QQSTRING_INTERP_START' || (kind === 'operator' && opening.has(text))) return 1
  return kind === 'QQSTRING_INTERP_END' || (kind === 'operator' && closing.has(text)) ? -1 : 0
}

function parenthesesBefore(tokens: readonly Token[], first: number): number {
  let index = first
  while (index > 0 && tokens[index - 1]?.kind === 'operator' && tokens[index - 1]?.text === '(') index -= 1
  return first - index
}
