import type { IdPrefix } from '@millrace/contract'
import { fromUUID, toUUIDBytes, type TypeId } from 'typeid-js'
import { v7 } from 'uuid'

const suffixLength = 26
const suffixPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** Makes an id: a UUIDv7, as the database keeps it. */
export function newId(): string {
  return v7()
}

/** Writes an id as it stands on the wire: `wf_01jd…`. */
export function toTypeId(prefix: IdPrefix, uuid: string): string {
  return fromUUID(uuid, prefix)
}

/**
 * Reads an id from the wire; `undefined` when it is not of this form. Any 128 bits are an id: those that were never made name nothing, as any unknown id
 * does.
 */
export function fromTypeId(prefix: IdPrefix, text: string): string | undefined {
  if (text.length !== prefix.length + 1 + suffixLength || !text.startsWith(`${prefix}_`)) return undefined
  if (!suffixPattern.test(text.slice(prefix.length + 1))) return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- typeid-js brands its strings; the lines above established the form.
  const hex = Buffer.from(toUUIDBytes(text as TypeId<IdPrefix>)).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
