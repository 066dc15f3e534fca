/** White space as ECMAScript has it, as ranges, and everything else. */
const SPACE = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const NOT_SPACE =
  '\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'

const escape = /^\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})(?:\\u([0-9a-fA-F]{4}))?|c([a-zA-Z])|([\s\S]))/

/** Writes a pattern of ECMAScript in the words of RE2 where the two differ: escapes of code units, control characters, white space, slashes. */
export function translatePattern(source: string): string {
  const pieces: string[] = []
  let inClass = false
  let index = 0
  while (index < source.length) {
    const letter = source[index] ?? ''
    if (letter !== '\\') {
      if (letter === '[') inClass = true
      else if (letter === ']') inClass = false
      pieces.push(letter)
      index += 1
      continue
    }
    const [text, replacement] = escaped(source.slice(index, index + 14), inClass)
    pieces.push(replacement)
    index += text
  }
  return pieces.join('')
}

/** How long an escape at the start of a text is, and what it is for RE2. */
function escaped(text: string, inClass: boolean): readonly [length: number, replacement: string] {
  const [whole = '\\', braced, unit = braced, low, control, letter = ''] = escape.exec(text) ?? []
  if (low !== undefined && unit !== undefined && /^d[89ab]/i.test(unit) && /^d[c-f]/i.test(low)) {
    return [whole.length, codePoint(String.fromCharCode(Number.parseInt(unit, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0)]
  }
  if (low !== undefined) return [6, codePoint(Number.parseInt(unit ?? '', 16))]
  if (unit !== undefined) return [whole.length, codePoint(Number.parseInt(unit, 16))]
  if (control !== undefined) return [whole.length, codePoint(control.charCodeAt(0) % 32)]
  if (letter === 's' || letter === 'S') {
    const ranges = letter === 's' ? SPACE : NOT_SPACE
    return [2, inClass ? ranges : `[${ranges}]`]
  }
  return [whole.length, whole]
}

function codePoint(code: number): string {
  return `\\x{${code.toString(16)}}`
}
