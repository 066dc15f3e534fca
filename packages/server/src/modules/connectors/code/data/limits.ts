import { textOf, type Json } from '@millrace/engine'
import { DataError } from './data-error.ts'

/** Characters of text or base64 that a function takes. */
export const charactersMax = 12 * 1024 * 1024
/** Bytes of an output as JSON, as of a reply over HTTP. */
export const outputBytesMax = 8 * 1024 * 1024
export const rowsMax = 100_000
export const columnsMax = 1_000

/** The bytes of base64 that may be broken into lines. Throws DataError. */
export function bytesOf(given: Json | undefined, pointer: string): Buffer {
  const encoded = (textOf(given) ?? '').replaceAll(/\s+/g, '')
  if (encoded.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) return Buffer.from(encoded, 'base64')
  throw new DataError(`${pointer} is not base64.`)
}
