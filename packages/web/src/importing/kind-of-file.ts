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

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
