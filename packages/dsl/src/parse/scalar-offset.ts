/** The style of a string in the text: quotes of JSON, or one of the styles of YAML. */
export type ScalarStyle = 'double' | 'single' | 'plain' | 'block'

/**
 * Maps characters of a string to offsets in its written form.
 *
 * Walks both side by side: escapes give one or two units, folded line breaks one space, indentation none. `indexes` ascend;
 * the result has the offset in `written` for each of them.
 */
export function alignScalar(written: string, style: ScalarStyle, value: string, indexes: readonly number[]): number[] {
  const offsets: number[] = []
  const indent = style === 'block' ? blockIndent(written) : 0
  let from = style === 'block' ? contentStart(written) + indent : style === 'plain' ? 0 : 1
  let index = 0
  for (const wanted of indexes) {
    while (index < wanted && index < value.length) {
      from = settle(written, from, style, value, index)
      const step = consume(written, from, style, indent, value.charCodeAt(index))
      from += step.read
      index += step.made
    }
    const settled = index < value.length ? settle(written, from, style, value, index) : from
    // The end of a span is after its last character, not before the next character after a fold.
    offsets.push(offsets.length === 0 ? settled : from)
  }
  return offsets.map((offset) => Math.min(offset, written.length))
}

const space = 0x20
const newline = 0x0a
const carriageReturn = 0x0d
const tab = 0x09
const backslash = 0x5c

function isBlank(unit: number): boolean {
  return unit === space || unit === newline || unit === carriageReturn || unit === tab
}

/** Skips written text that yields no character: indentation and breaks before a character that is not blank. */
function settle(written: string, from: number, style: ScalarStyle, value: string, index: number): number {
  let offset = from
  if (style === 'double') while (/^\\\r?\n[ \t]*/.test(written.slice(offset, offset + 3))) offset += lineContinuation(written, offset)
  if (isBlank(value.charCodeAt(index))) return offset
  while (offset < written.length && isBlank(written.charCodeAt(offset))) offset++
  return offset
}

function lineContinuation(written: string, from: number): number {
  return /^\\\r?\n[ \t]*/.exec(written.slice(from))?.[0].length ?? 0
}

function consume(written: string, from: number, style: ScalarStyle, indent: number, unit: number): { read: number; made: number } {
  const here = written.charCodeAt(from)
  if (style === 'double' && here === backslash) return escape(written, from)
  if (style === 'single' && written.startsWith("''", from)) return { read: 2, made: 1 }
  if (unit === newline && style === 'block') return { read: lineBreak(written, from, indent), made: 1 }
  if (unit === space && (here === newline || here === carriageReturn)) return { read: fold(written, from, style, indent), made: 1 }
  return { read: 1, made: 1 }
}

function escape(written: string, from: number): { read: number; made: number } {
  const kind = written[from + 1]
  if (kind === 'x') return { read: 4, made: 1 }
  if (kind === 'u') return { read: 6, made: 1 }
  if (kind === 'U') return { read: 10, made: Number.parseInt(written.slice(from + 2, from + 10), 16) > 0xffff ? 2 : 1 }
  return { read: 2, made: 1 }
}

/** One line break of a block and the indentation of the next line. */
function lineBreak(written: string, from: number, indent: number): number {
  const end = written.indexOf('\n', from)
  if (end === -1) return written.length - from
  let offset = end + 1
  for (let skipped = 0; skipped < indent && written.charCodeAt(offset) === space; skipped++) offset++
  return offset - from
}

function fold(written: string, from: number, style: ScalarStyle, indent: number): number {
  if (style === 'block') return lineBreak(written, from, indent)
  let offset = from
  while (offset < written.length && isBlank(written.charCodeAt(offset))) offset++
  return offset - from
}

/** The offset of the first line after the header of a block (`|`, `>-`, …). */
function contentStart(written: string): number {
  const end = written.indexOf('\n')
  return end === -1 ? written.length : end + 1
}

function blockIndent(written: string): number {
  const explicit = /^[|>][+-]?([1-9])/.exec(written)
  const firstLine = /\n( *)[^ \r\n]/.exec(written)
  // An explicit indicator counts from the parent's indentation, which the text of the scalar alone does not show; the first line is close.
  return explicit === null || firstLine === null ? (firstLine?.[1]?.length ?? 0) : Math.max(Number(explicit[1]), 0)
}
