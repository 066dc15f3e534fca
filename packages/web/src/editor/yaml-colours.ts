import type { EditorState, Text } from '@codemirror/state'
import { RangeSetBuilder } from '@codemirror/state'
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'

/** A piece of a line with the class of its colour. */
export interface ColouredPiece {
  readonly from: number
  readonly to: number
  readonly look: 'key' | 'text' | 'value' | 'comment' | 'mark'
}

const pieces: readonly (readonly [ColouredPiece['look'], RegExp])[] = [
  ['comment', /#.*$/y],
  ['text', /"(?:\\.|[^"\\])*"?|'(?:''|[^'])*'?/y],
  ['mark', /[-?:](?=\s|$)|[[\]{},|>]|---|\.\.\./y],
  ['key', /[^\s#:,[\]{}"'&*!|>%@`][^:#,[\]{}]*(?=\s*:(?:\s|$))/y],
  ['value', /(?:-?\d[\d.eE+-]*|true|false|null|~)(?=\s*(?:$|[,\]}#]))/y],
]
const keyAfterText = /^\s*:(?:\s|$)/

/** The colours of one line of YAML that is not inside a block of text. */
export function colouredPieces(line: string): readonly ColouredPiece[] {
  const found: ColouredPiece[] = []
  for (let at = 0; at < line.length; ) {
    const piece = pieceAt(line, at)
    if (piece === undefined) at = nextStart(line, at)
    else {
      found.push(piece)
      at = piece.to
    }
  }
  return found
}

function pieceAt(line: string, at: number): ColouredPiece | undefined {
  if (/\s/.test(line[at] ?? '') || (line[at] === '#' && at > 0 && !/\s/.test(line[at - 1] ?? ''))) return undefined
  for (const [look, pattern] of pieces) {
    pattern.lastIndex = at
    const match = pattern.exec(line)
    if (match === null || match[0] === '') continue
    const to = at + match[0].length
    return { from: at, to, look: look === 'text' && keyAfterText.test(line.slice(to)) ? 'key' : look }
  }
  return undefined
}

/** Where the next piece can begin: behind a plain text, which has no colour. */
function nextStart(line: string, at: number): number {
  if (/\s/.test(line[at] ?? '')) return at + 1
  const end = /\s#|[,\]}](?:\s|$)|$/.exec(line.slice(at + 1))
  return at + 1 + (end?.index ?? line.length)
}

const blockStart = /(?:^|[\s:])[|>][+-]?\d?[+-]?\s*(?:#.*)?$/
const aboveMax = 2000

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

/** Whether a line is inside a block of text that a line above it begins with `|` or `>`. */
export function isInBlockText(doc: Text, number: number): boolean {
  let indent = indentOf(doc.line(number).text)
  for (let above = number - 1; above > 0 && number - above < aboveMax && indent > 0; above--) {
    const { text } = doc.line(above)
    if (text.trim() === '' || indentOf(text) >= indent) continue
    if (blockStart.test(text)) return true
    indent = indentOf(text)
  }
  return false
}

const marks = Object.fromEntries(
  ['key', 'text', 'value', 'comment', 'mark'].map((look) => [look, Decoration.mark({ class: `tok-${look}` })]),
)

function coloursOf({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  for (const { from, to } of visibleRanges) addRange(builder, state, from, to)
  return builder.finish()
}

function addRange(builder: RangeSetBuilder<Decoration>, { doc }: EditorState, from: number, to: number): void {
  for (let line = doc.lineAt(from); line.from <= to; line = doc.line(line.number + 1)) {
    if (!isInBlockText(doc, line.number))
      for (const piece of colouredPieces(line.text)) {
        const mark = marks[piece.look]
        if (mark !== undefined) builder.add(line.from + piece.from, line.from + piece.to, mark)
      }
    if (line.number === doc.lines) return
  }
}

/** Colours the lines of a YAML text that are in sight. A parser of the whole text would take longer than a key press may. */
export const yamlColours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = coloursOf(view)
    }
    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged) this.decorations = coloursOf(update.view)
    }
  },
  { decorations: ({ decorations }) => decorations },
)

/** The indentation of a new line: that of the line above, and deeper below a key without a value. */
export function yamlIndent(state: EditorState, at: number): number {
  const { text, from } = state.doc.lineAt(at)
  const before = text.slice(0, at - from)
  if (before.trim() === '') return indentOf(text)
  const dash = /^\s*(?:- )+/.exec(before)?.[0].length ?? indentOf(before)
  return /:\s*(?:[|>][+-]?)?$/.test(before) ? dash + 2 : dash
}
