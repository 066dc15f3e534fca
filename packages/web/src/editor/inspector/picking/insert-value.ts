import { isRuntimeExpression, unwrapExpression } from '@millrace/dsl'
import { insertIntoSource, isSource } from '#src/editor/inspector/picking/insert-into-source.ts'
import type { Inserted, TextUse, Typed } from '#src/editor/inspector/picking/typed.ts'

/** `${ … }` inside of other text. */
const embedded = /\$\{((?:[^{}"]|"(?:\\[^]|[^"\\])*"|\{[^{}]*\})*)\}/g

/**
 * Puts a jq path into the text of a field, into the path or query of an address percent-encoded.
 */
export function insertValue(typed: Typed, path: string, use: TextUse): Inserted {
  if (use !== 'address' && use !== 'path') return insertPlain(typed, path, use)
  const before = typed.text.slice(0, typed.from)
  const isAlone = before.trim() === '' && typed.text.slice(typed.to).trim() === ''
  if (isAlone && use === 'path') return insertPlain({ text: '/', from: 1, to: 1 }, `${path} | @uri`, 'text')
  if (!isBehindHost(before, use)) return insertPlain(typed, path, 'text')
  const joined = `(${path} | @uri)`
  // Beside an expression the value is joined to it, without a space between them.
  const { text, caret } = insertPlain(typed, joined, typed.text.trimStart().startsWith('${') ? 'number' : 'text')
  // Interpolations have parentheses of their own.
  const index = text.indexOf(`\\(${joined})`)
  if (index === -1) return { text, caret }
  return { text: text.replace(`\\(${joined})`, () => `\\${joined}`), caret: caret > index ? caret - 2 : caret }
}

/** Whether the text before a caret ends in the path or query of an address; what is there may be an expression. */
function isBehindHost(before: string, use: 'address' | 'path'): boolean {
  const written = before.replace(/^\s*(?:\$\{\s*)?"?/, '')
  return use === 'path' ? written !== '' : /^(?:[a-z][a-z\d+.-]*:\/\/|\\\([^()]*\)|\.[\w.]+\s*\+\s*")[^/?#]*[/?#]/i.test(written)
}

/**
 * Puts a jq path into the text of a field: as the whole expression of an empty one, into an expression, or as an interpolation of a text.
 * Whatever was a valid expression stays one.
 */
function insertPlain(typed: Typed, path: string, use: TextUse): Inserted {
  const { text, from, to } = typed
  const isReplaced = text.slice(0, from).trim() === '' && text.slice(to).trim() === ''
  if (isReplaced || (use === 'number' && !text.includes('${'))) return { text: `\${ ${path} }`, caret: path.length + 5 }
  const hasParts = piecesOf(text).length > 1
  const source = unwrapExpression(text)
  // Two expressions with text between them look like one.
  if (isRuntimeExpression(text) && (isSource(source) || !hasParts)) return within(typed, source.length, path, use)
  if (use === 'expression' || use === 'condition') return insertIntoSource(typed, path, use)
  if (text.trimStart().startsWith('${') && !hasParts) {
    const closed = `${text.trimEnd()} }`
    return within({ text: closed, from, to }, unwrapExpression(closed).length, path, use)
  }
  return insertIntoText(typed, path)
}

/** Inserts into the source between the braces of an expression. */
function within({ text, from, to }: Typed, length: number, path: string, use: TextUse): Inserted {
  const start = text.indexOf('${') + 2
  const source = text.slice(start, start + length)
  const inside = (at: number) => Math.max(0, Math.min(at - start, source.trimEnd().length))
  const next = insertIntoSource({ text: source, from: inside(from), to: inside(to) }, path, use)
  const [head, tail] = [/^\s/.test(next.text) ? '' : ' ', /\s$/.test(next.text) ? '' : ' ']
  const before = `${text.slice(0, start)}${head}`
  return { text: `${before}${next.text}${tail}${text.slice(start + length)}`, caret: before.length + next.caret }
}

/** A part of a text; those with a source are expressions. */
interface Piece {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly source: string | undefined
}

function piecesOf(text: string): readonly Piece[] {
  const literal = (start: number, end: number): Piece => ({ start, end, text: text.slice(start, end), source: undefined })
  const pieces: Piece[] = []
  let at = 0
  for (const { index, 0: whole, 1: source = '' } of text.matchAll(embedded)) {
    if (!isSource(source)) continue
    const end = index + whole.length
    pieces.push(literal(at, index), { start: index, end, text: whole, source })
    at = end
  }
  return [...pieces, literal(at, text.length)]
}

/** The text as one jq string. The language evaluates `${ … }` only where it is the whole of a text, so those inside become interpolations as well. */
function insertIntoText({ text, from, to }: Typed, path: string): Inserted {
  const rest = `${text.slice(0, from)}${text.slice(to)}`
  const pieces = piecesOf(rest)
  const at = pieces.findIndex(({ start, end, source }) => (source === undefined ? from <= end : from > start + 1 && from < end))
  const [before, after] = [
    pieces.slice(0, at).map(interpolated).join(''),
    pieces
      .slice(at + 1)
      .map(interpolated)
      .join(''),
  ]
  const { start, end, source } = pieces[at] ?? { start: 0, end: 0, source: undefined }
  const inner = { text: source ?? '', from: from - start - 2, to: from - start - 2 }
  const head =
    source === undefined ? `${quoted(rest.slice(start, from))}\\(${path})` : `\\(${insertIntoSource(inner, path, 'text').text.trim()})`
  const tail = source === undefined ? quoted(rest.slice(Math.max(start, from), end)) : ''
  return { text: `\${ "${before}${head}${tail}${after}" }`, caret: before.length + head.length + 4 }
}

function interpolated({ text, source }: Piece): string {
  return source === undefined ? quoted(text) : `\\(${source.trim()})`
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => JSON.stringify(line).slice(1, -1))
    .join('\n')
}
