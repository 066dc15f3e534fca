import type { JsonObject } from '@millrace/engine'

/** What a form takes for a field to which a file is uploaded. */
export interface FileRule {
  readonly bytesMax: number
  /** Media types, also such as `image/*`; none: every type. */
  readonly types: readonly string[]
}

/** Bytes of a whole form with its files. */
export const formBytesMax = 25_000_000
const fileBytesDefault = 10_000_000
const fileBytesMax = 20_000_000
const typesMax = 20

/** Media types by the extensions of files: browsers do not know all of them, and some name another type for what an office program opens. */
const typesByExtension: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  rtf: 'application/rtf',
  csv: 'text/csv',
  txt: 'text/plain',
  md: 'text/markdown',
  json: 'application/json',
  xml: 'application/xml',
  zip: 'application/zip',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
}

/** The rule of a property with `format: file`. @returns a predicate of the property where a form cannot take it. */
export function fileRuleOf({ contentMediaType = '', maxBytes = fileBytesDefault }: JsonObject): FileRule | string {
  const types = typeof contentMediaType === 'string' ? contentMediaType.split(',').map((type) => type.trim().toLowerCase()) : ['?']
  const given = types.filter((type) => type !== '')
  if (given.length > typesMax || given.some((type) => !/^[\w.+-]+\/(?:\*|[\w.+-]+)$|^\*\/\*$/.test(type)))
    return `has a \`contentMediaType\` that is no list of up to ${typesMax} media types, such as "application/pdf, image/*"`
  if (typeof maxBytes !== 'number' || !Number.isInteger(maxBytes) || maxBytes < 1 || maxBytes > fileBytesMax)
    return `has a \`maxBytes\` that is no whole number from 1 to ${fileBytesMax}, the largest file that a form takes`
  return { bytesMax: maxBytes, types: given.includes('*/*') ? [] : given }
}

/** Whether a rule takes a file, by the type that its sender says or by its extension. */
export function takesType({ types }: FileRule, { filename, type }: { readonly filename: string; readonly type: string }): boolean {
  const said = type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const byName = typesByExtension[extensionOf(filename)]
  return types.length === 0 || types.some((wanted) => isOfType(said, wanted) || (byName !== undefined && isOfType(byName, wanted)))
}

function isOfType(type: string, wanted: string): boolean {
  return wanted.endsWith('/*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted
}

/** In lower case without its dot; empty without one. */
export function extensionOf(filename: string): string {
  return /\.([A-Za-z0-9]{1,10})$/.exec(filename)?.[1]?.toLowerCase() ?? ''
}

/** What people call a media type: the extension where there is a known one. */
export function shortTypeOf(type: string): string {
  const extension = Object.entries(typesByExtension).find(([, media]) => media === type)?.[0]
  return extension?.toUpperCase() ?? type
}
