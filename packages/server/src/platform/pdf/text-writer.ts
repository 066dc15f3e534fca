import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Pdf from 'pdfkit'
import { isRightToLeft, type VisualRun, visualRuns } from './visual-runs.ts'

export interface TextOptions {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly size: number
  readonly align?: 'start' | 'end'
  readonly color?: string
}

/** Writes lines of mixed scripts and directions. */
export interface TextWriter {
  /** Writes a text with line breaks, from the right where its script does. @returns the height. */
  write(text: string, options: TextOptions): number
  heightOf(text: string, options: Pick<TextOptions, 'width' | 'size'>): number
}

/** The files of the fonts. The first font that has a character draws it. */
const fonts = {
  latin: 'ibm-plex-sans-arabic-latin',
  arabic: 'ibm-plex-sans-arabic-arabic',
  extended: 'ibm-plex-sans-latin-ext',
  greek: 'ibm-plex-sans-greek',
  cyrillic: 'ibm-plex-sans-cyrillic',
  rare: 'ibm-plex-sans-cyrillic-ext',
} as const
type FontName = keyof typeof fonts
const fontNames: readonly FontName[] = ['latin', 'arabic', 'extended', 'greek', 'cyrillic', 'rare']

const lineHeight = 1.45
/** From the top of a line to its baseline, in all fonts. */
const ascent = 1.05
const linesMax = 200
const brokenMax = 64
/** Characters of a word that may fit on one line. */
const partMax = 128
const measuringSize = 100

let fontFiles: ReadonlyMap<FontName, Buffer> | undefined

/** Read once, at the first document. pdfkit cannot subset WOFF2. */
function readFonts(): ReadonlyMap<FontName, Buffer> {
  const require = createRequire(import.meta.url)
  const folderOf = (file: string) => (file.startsWith('ibm-plex-sans-arabic') ? 'ibm-plex-sans-arabic' : 'ibm-plex-sans')
  const pathOf = (file: string) => require.resolve(`@fontsource/${folderOf(file)}/files/${file}-400-normal.woff`)
  return (fontFiles ??= new Map(fontNames.map((name) => [name, readFileSync(pathOf(fonts[name]))])))
}

interface Piece {
  readonly font: FontName
  readonly text: string
  readonly isRightToLeft: boolean
}

interface Measured {
  readonly text: string
  readonly width: number
}

export function createTextWriter(document: InstanceType<typeof Pdf>): TextWriter {
  for (const [name, file] of readFonts()) document.registerFont(name, file)
  const known = new Map<string, FontName>()
  const advances = new Map<string, number>()
  /** The last texts: the heights of all cells of a row are asked for before they are written. */
  const broken = new Map<string, readonly string[]>()

  function fontOf(character: string): FontName {
    const found = known.get(character)
    if (found !== undefined) return found
    // A glyph that a font does not have has the number 0.
    const chosen = fontNames.find((name) => isIn(name, character)) ?? 'latin'
    known.set(character, chosen)
    return chosen
  }

  function isIn(name: FontName, character: string): boolean {
    document.font(name)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The types of pdfkit leave out its current font.
    const { font } = (document as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } })._font
    return font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
  }

  function piecesOf(run: VisualRun): readonly Piece[] {
    const pieces: { font: FontName; text: string; isRightToLeft: boolean }[] = []
    for (const character of run.text) {
      const last = pieces.at(-1)
      const font = character === ' ' && last?.font === 'arabic' ? 'arabic' : fontOf(character)
      if (last?.font === font) last.text += character
      else pieces.push({ font, text: character, isRightToLeft: run.isRightToLeft })
    }
    return run.isRightToLeft ? pieces.toReversed().flatMap(inVisualOrder) : pieces
  }

  const widthOfPiece = (piece: Piece, size: number) => document.font(piece.font).fontSize(size).widthOfString(piece.text)
  const layOut = (line: string, size: number) =>
    visualRuns(line)
      .flatMap(piecesOf)
      .map((piece) => ({ piece, width: widthOfPiece(piece, size) }))
  const widthOf = (line: string, size: number) => layOut(line, size).reduce((sum, { width }) => sum + width, 0)

  /** Breaks at spaces, and inside of a word that is longer than a line. Measures each word once: scripts join no letters over a space. */
  function linesOf(text: string, width: number, size: number): readonly string[] {
    const key = `${size} ${width} ${text}`
    const earlier = broken.get(key)
    if (earlier !== undefined) return earlier
    const lines: string[] = []
    const space = widthOf(' ', size)
    for (const paragraph of text.split(/\r?\n/)) {
      let [line, used] = ['', 0]
      for (const word of paragraph.split(/\s+/)) {
        for (const part of fitting(word, width, size)) {
          if (lines.length >= linesMax) break
          const isFirst = line === ''
          if (isFirst || used + space + part.width <= width) {
            line = isFirst ? part.text : `${line} ${part.text}`
            used += (isFirst ? 0 : space) + part.width
          } else {
            lines.push(line)
            ;[line, used] = [part.text, part.width]
          }
        }
      }
      lines.push(line)
    }
    if (broken.size >= brokenMax) broken.clear()
    const kept = lines.slice(0, linesMax)
    broken.set(key, kept)
    return kept
  }

  /** A word, or parts of a long one that each fill a line. Its characters are measured apart, so that a part is not measured again and again. */
  function fitting(word: string, width: number, size: number): readonly Measured[] {
    const measured = (part: string): Measured => ({ text: part, width: widthOf(part, size) })
    if (word.length <= partMax) {
      const whole = measured(word)
      if (whole.width <= width) return [whole]
    }
    const parts: string[] = []
    let [part, used] = ['', 0]
    for (const character of word) {
      const advance = advanceOf(character) * size
      if (part !== '' && used + advance > width) {
        parts.push(part)
        if (parts.length >= linesMax) break
        ;[part, used] = ['', 0]
      }
      part += character
      used += advance
    }
    return [...parts, part].map(measured)
  }

  /** The width of a character alone, for a size of one. */
  function advanceOf(character: string): number {
    const found = advances.get(character)
    if (found !== undefined) return found
    const advance = widthOf(character, measuringSize) / measuringSize
    advances.set(character, advance)
    return advance
  }

  return {
    write(text, { x, y, width, size, align = 'start', color = '#1c1c1c' }) {
      const lines = linesOf(text, width, size)
      const fromRight = (align === 'end') !== isRightToLeft(text)
      for (const [index, line] of lines.entries()) {
        const laidOut = layOut(line, size)
        let left = fromRight ? x + width - laidOut.reduce((sum, each) => sum + each.width, 0) : x
        for (const { piece, width: advance } of laidOut) {
          const place = [left, y + (index * lineHeight + ascent) * size] as const
          document
            .font(piece.font)
            .fontSize(size)
            .fillColor(color)
            .text(piece.text, ...place, { lineBreak: false, baseline: 'alphabetic' })
          left += advance
        }
      }
      return lines.length * size * lineHeight
    },
    heightOf: (text, { width, size }) => linesOf(text, width, size).length * size * lineHeight,
  }
}

/**
 * The font of Arabic orders the glyphs of a word itself; the others draw what is between Arabic words as it is given.
 * pdfkit keeps the glyphs of each word that it has laid out, and puts words from left to right.
 */
function inVisualOrder(piece: Piece): readonly Piece[] {
  if (piece.font !== 'arabic') return [{ ...piece, text: [...piece.text].toReversed().join('') }]
  const words = piece.text.match(/[^ ]* |[^ ]+/g) ?? []
  return words.toReversed().map((text) => ({ ...piece, text }))
}
