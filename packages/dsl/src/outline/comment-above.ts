import { isFirstInLine, lineStart } from '#src/tree/text-lines.ts'

const linesMax = 20

/** The comment lines of YAML directly above the line of an offset, at its own indentation, without their marks. */
export function commentAbove(text: string, offset: number): string | undefined {
  if (!isFirstInLine(text, offset)) return undefined
  const lines: string[] = []
  let start = lineStart(text, offset)
  while (start > 0 && lines.length < linesMax) {
    const above = lineStart(text, start - 1)
    const comment = /^[ \t]*#(.*)$/.exec(text.slice(above, start).trimEnd())
    if (comment === null) break
    lines.unshift((comment[1] ?? '').trim())
    start = above
  }
  return lines.length === 0 ? undefined : lines.join('\n')
}
