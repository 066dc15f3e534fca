/** What a text is that a person wants to import. */
export type FileKind = 'n8n' | 'millrace' | 'definition'

export interface KnownFile {
  readonly kind: FileKind
  /** The parsed JSON; undefined for a definition, which is sent as text. */
  readonly content: Readonly<Record<string, unknown>> | undefined
}

/** Distinguishes exports of n8n, exports of Millrace, and definitions in YAML or JSON. */
export function kindOfFile(text: string): KnownFile {
  const content = objectOf(text)
  if (content !== undefined && Array.isArray(content['nodes']) && typeof content['connections'] === 'object')
    return { kind: 'n8n', content }
  return content?.['format'] === 'millrace/workflow' ? { kind: 'millrace', content } : { kind: 'definition', content: undefined }
}

/** Why a text can be no file to import, before anything is sent. */
export type FileMistake = 'empty' | 'notText' | 'tooLarge' | 'brokenN8n'

/** Of the request that imports a file. */
export const fileBytesMax = 2 * 1024 * 1024

/** What is wrong with a file as a whole; undefined if its content can be looked at. */
export function mistakeOfFile(text: string, bytes = new Blob([text]).size): FileMistake | undefined {
  if (bytes > fileBytesMax) return 'tooLarge'
  if (text.trim() === '') return 'empty'
  // What is not UTF-8, such as a picture, was read with replacement characters.
  if (/[\0\uFFFD]/.test(text) || text.startsWith('%PDF-')) return 'notText'
  return isBrokenN8n(text) ? 'brokenN8n' : undefined
}

/** Whether a text begins as an export of n8n, and is no JSON, such as one that was cut off. */
function isBrokenN8n(text: string): boolean {
  if (!/^\s*\{/.test(text) || !/"nodes"\s*:\s*\[/.test(text)) return false
  return objectOf(text) === undefined
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
