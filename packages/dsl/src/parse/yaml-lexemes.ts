import { CST, Lexer } from 'yaml'
import type { ParseLimits } from './limits.ts'
import { type Problem, StoppedReading } from './read-result.ts'
import { keyThatIsNoText } from './yaml-problems.ts'

/** `text` is the text after the mark of a plain or block scalar. */
type LexemeType = CST.TokenType | 'text' | null

type Counted = 'tokens' | 'tags' | 'anchors' | 'aliases'

interface Scan {
  readonly limits: ParseLimits
  readonly counts: Record<Counted, number>
  /** Offset of the current lexeme. */
  offset: number
  /** Tags and anchors since the last token that is neither: those of a collection and of its first key at most. */
  tagsInRow: number
  anchorsInRow: number
  /** The offsets of open lists and objects in flow style, and of the one that the last token closed. */
  readonly open: number[]
  closed: { readonly start: number; readonly end: number } | undefined
}

/**
 * The lexemes of a YAML text for the parser of the library, which is quadratic in the length of a run of blank lines, comments, tags or anchors.
 *
 * Lines without content become one comment of the same length, since comments are dropped. A limit that is exceeded stops reading
 * (`StoppedReading`) before the parser receives the lexeme.
 */
export function* lexemesOf(text: string, limits: ParseLimits): Generator<string, void> {
  const scan: Scan = {
    limits,
    counts: { tokens: 0, tags: 0, anchors: 0, aliases: 0 },
    offset: 0,
    tagsInRow: 0,
    anchorsInRow: 0,
    open: [],
    closed: undefined,
  }
  /** White space and a comment in a line without other content so far. */
  let line: string[] = []
  let blankLength = 0
  let atLineStart = true
  let inBlockScalar = false
  let atScalar = false
  for (const lexeme of new Lexer().lex(text)) {
    const type: LexemeType = atScalar ? 'text' : CST.tokenType(lexeme)
    // Marks of the lexer itself correspond to no text.
    if (type !== 'scalar' && type !== 'doc-mode' && type !== 'flow-error-end') {
      count(scan, type, lexeme)
      refuseCollectionAsKey(scan, type)
      scan.offset += lexeme.length
    }
    if (atLineStart && (type === 'space' || type === 'comment')) line.push(lexeme)
    else if (atLineStart && type === 'newline') {
      blankLength += lexeme.length + lengthOf(line)
      line = []
    } else {
      yield* blankLines(blankLength)
      yield* line
      yield lexeme
      line = []
      blankLength = 0
      atLineStart = type === 'newline' || (type === 'text' && inBlockScalar)
      inBlockScalar = type === 'block-scalar-header' || (inBlockScalar && type !== 'text')
    }
    atScalar = type === 'scalar'
  }
  yield* blankLines(blankLength)
  yield* line
}

function* blankLines(length: number): Generator<string, void> {
  if (length > 1) yield '#'.padEnd(length - 1)
  if (length > 0) yield '\n'
}

function lengthOf(lexemes: readonly string[]): number {
  return lexemes.reduce((sum, lexeme) => sum + lexeme.length, 0)
}

function count(scan: Scan, type: LexemeType, lexeme: string): void {
  increase(scan, 'tokens', lexeme)
  switch (type) {
    case 'space':
    case 'newline':
    case 'comment':
      return
    case 'tag':
      increase(scan, 'tags', lexeme)
      return inRow(scan, ++scan.tagsInRow, 'tag', lexeme)
    case 'anchor':
      increase(scan, 'anchors', lexeme)
      return inRow(scan, ++scan.anchorsInRow, 'anchor', lexeme)
    case 'alias':
      increase(scan, 'aliases', lexeme)
      break
    default:
  }
  scan.tagsInRow = 0
  scan.anchorsInRow = 0
}

/** The library walks a key that is a collection, and nested keys again, before it refuses it. */
function refuseCollectionAsKey(scan: Scan, type: LexemeType): void {
  if (type === 'space') return
  if (type === 'map-value-ind' && scan.closed !== undefined) {
    throw new StoppedReading({ ...keyThatIsNoText, pointer: '', ...scan.closed })
  }
  scan.closed = undefined
  if (type === 'flow-map-start' || type === 'flow-seq-start') scan.open.push(scan.offset)
  if (type !== 'flow-map-end' && type !== 'flow-seq-end') return
  const start = scan.open.pop()
  if (start !== undefined) scan.closed = { start, end: scan.offset + 1 }
}

const hints: Readonly<Record<Counted, string>> = {
  tokens: 'Split the workflow.',
  tags: 'Remove the tags and write plain values.',
  anchors: 'Write the values out, or keep them in a workflow of their own.',
  aliases: 'Write the values out, or keep them in a workflow of their own.',
}

function increase({ counts, limits, offset }: Scan, counted: Counted, lexeme: string): void {
  const limit = limits[`${counted}Max`]
  if (++counts[counted] <= limit) return
  const code = counted === 'tokens' || counted === 'tags' ? 'document_too_large' : 'alias_limit'
  const message = `The document has more than ${limit} ${counted}.`
  throw new StoppedReading({ code, pointer: '', start: offset, end: offset + lexeme.length, message, hint: hints[counted] })
}

function inRow({ offset }: Scan, found: number, what: 'tag' | 'anchor', lexeme: string): void {
  if (found <= 2) return
  const problem: Problem = {
    code: 'syntax_error',
    pointer: '',
    start: offset,
    end: offset + lexeme.length,
    message: `A value has one ${what} at most.`,
    hint: `Remove all ${what}s of the value but one.`,
  }
  throw new StoppedReading(problem)
}
