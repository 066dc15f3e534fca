/** The offset of the first character of the line of an offset. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

/** The offset of the line after that of an offset, or the end of the text. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end === -1 ? text.length : end + 1
}

/** How many characters stand in front of an offset in its line. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset)
}

/** Whether only white space stands in front of an offset in its line. */
export function isFirstInLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset))
}

/** The first offset at or behind `from` that is neither white space nor in a comment of YAML. */
export function skipBlanks(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const unit = text[at]
    if (unit === '#') at = lineEndOrLast(text, at)
    else if (unit !== ' ' && unit !== '\t' && unit !== '\n' && unit !== '\r') return at
  }
  return Math.min(at, text.length)
}

function lineEndOrLast(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}
