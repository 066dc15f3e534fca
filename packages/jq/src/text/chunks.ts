import { scanOfRun } from '#src/compile/machine.ts'

/** A text is converted in pieces of so many characters, and counted before each. */
const chunkLength = 16_384

/** The end of the piece that begins at a place; no character is cut in two. */
function chunkEnd(text: string, from: number): number {
  const end = from + chunkLength
  if (end >= text.length) return text.length
  const unit = text.charCodeAt(end - 1)
  return unit >= 0xd800 && unit <= 0xdbff ? end + 1 : end
}

/** Hands over a text piece by piece; reading a character of it costs as much as reading `weight` ordinary ones. */
export function eachChunk(text: string, weight: number, take: (chunk: string) => void): void {
  for (let from = 0; from < text.length; ) {
    const end = chunkEnd(text, from)
    scanOfRun((end - from) * weight)
    take(from === 0 && end === text.length ? text : text.slice(from, end))
    from = end
  }
}

/** A text with each of its characters converted, whatever stands around it. */
export function mapChunks(text: string, weight: number, convert: (chunk: string) => string): string {
  if (text.length <= chunkLength) {
    scanOfRun(text.length * weight)
    return convert(text)
  }
  const pieces: string[] = []
  eachChunk(text, weight, (chunk) => pieces.push(convert(chunk)))
  return pieces.join('')
}
