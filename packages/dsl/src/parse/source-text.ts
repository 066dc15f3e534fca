/** A position in a text: line and column 1-based, column and offset in UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
  readonly offset: number
}

export interface SourceText {
  readonly text: string
  /** The position of an offset; offsets beyond the text count as its end. */
  at(offset: number): Position
}

/** Wraps a text so that offsets become lines and columns; the table of lines is made at the first use. */
export function createSourceText(text: string): SourceText {
  let starts: number[] | undefined
  return {
    text,
    at(offset) {
      starts ??= lineStarts(text)
      const bounded = Math.max(0, Math.min(offset, text.length))
      let low = 0
      let high = starts.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if ((starts[middle] ?? 0) <= bounded) low = middle
        else high = middle - 1
      }
      return { line: low + 1, column: bounded - (starts[low] ?? 0) + 1, offset: bounded }
    },
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let newline = text.indexOf('\n'); newline !== -1; newline = text.indexOf('\n', newline + 1)) starts.push(newline + 1)
  return starts
}
