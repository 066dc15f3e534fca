/**
 * The text of a file in UTF-8, in UTF-16 with its mark, or, as spreadsheets for Windows save it, in Windows-1252; undefined for one that is no text, such as a
 * workbook or a picture.
 */
export function textIn(content: ArrayBuffer): string | undefined {
  const bytes = new Uint8Array(content)
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(content)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(content)
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return new TextDecoder('windows-1252').decode(content)
  }
}
