/** The error of an invalid escape, in the words of jq's own JSON parser. */
export interface EscapeFault {
  readonly message: string
}

const simple: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/**
 * Decodes a run of escapes, for example `\n\u00e9`.
 * @param run the escapes as written, without quotes
 */
export function decodeEscapes(run: string): string | EscapeFault {
  let text = ''
  let index = 0
  // jq reports the place in the little JSON string that it makes of the run, where the quote is column one.
  const fault = (what: string, column: number): EscapeFault => ({
    message: `${what} at line 1, column ${column} (while parsing '"${run}"')`,
  })
  while (index < run.length) {
    const letter = run.charAt(index + 1)
    if (letter === 'u') {
      const unit = hexUnit(run, index)
      if (unit === undefined) return fault('Invalid \\uXXXX escape', run.length + 2)
      index += 6
      if (unit < 0xd800 || unit > 0xdfff) {
        text += String.fromCharCode(unit)
        continue
      }
      const low = unit < 0xdc00 ? hexUnit(run, index) : undefined
      if (low === undefined || low < 0xdc00 || low > 0xdfff) return fault('Invalid \\uXXXX\\uXXXX surrogate pair escape', run.length + 2)
      text += String.fromCharCode(unit, low)
      index += 6
    } else {
      const decoded = Object.hasOwn(simple, letter) ? simple[letter] : undefined
      if (decoded === undefined) return fault('Invalid escape', run.length + 2)
      text += decoded
      index += 2
    }
  }
  return text
}

function hexUnit(run: string, index: number): number | undefined {
  const digits = run.slice(index, index + 6)
  return /^\\u[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits.slice(2), 16) : undefined
}
