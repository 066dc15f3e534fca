import { parseDefinition } from '#src/parse/parse-definition.ts'

/**
 * A text with another document name; everything else stays, comments included. Undefined for a text without a document name.
 * @param name letters, digits and hyphens (RFC 1123)
 * @param from the name that it must have; any unless given
 */
export function renameDocument(text: string, name: string, from?: string): string | undefined {
  const { positions, source } = parseDefinition(text)
  const place = positions.value('/document/name')
  if (place === undefined) return undefined
  // Places are those of the text without a byte order mark.
  const mark = text.slice(0, text.length - source.length)
  const before = source.slice(place.start.offset, place.end.offset).replaceAll(/["']/g, '')
  if (from !== undefined && before !== from) return undefined
  // In quotes, since `1` and `null` are names too; YAML and JSON have the same quotes.
  return `${mark}${source.slice(0, place.start.offset)}"${name}"${source.slice(place.end.offset)}`
}
