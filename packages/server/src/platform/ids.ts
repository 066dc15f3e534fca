import { Fault, type IdPrefix } from '@millrace/contract'
import { fromUUID, toUUIDBytes, type TypeId } from 'typeid-js'
import { v7 } from 'uuid'

const suffixLength = 26
const suffixPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** Makes an id: a UUIDv7, the form in the database. */
export function newId(): string {
  return v7()
}

/** Writes an id in its external form: `wf_01jd…`. */
export function toTypeId(prefix: IdPrefix, uuid: string): string {
  return fromUUID(uuid, prefix)
}

/**
 * Reads an id in its external form; `undefined` when it has another form. Any 128 bits are accepted: an id that was never made is an unknown id.
 */
export function fromTypeId(prefix: IdPrefix, text: string): string | undefined {
  if (text.length !== prefix.length + 1 + suffixLength || !text.startsWith(`${prefix}_`)) return undefined
  if (!suffixPattern.test(text.slice(prefix.length + 1))) return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- typeid-js brands its strings; the lines above established the form.
  const hex = Buffer.from(toUUIDBytes(text as TypeId<IdPrefix>)).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Reads the id in a path parameter; Fault `not_found` when it is not one of this prefix. */
export function idOf(prefix: IdPrefix, text: string): string {
  const id = fromTypeId(prefix, text)
  if (id === undefined) throw new Fault('not_found')
  return id
}

const idBytes = 16
const idsAtATime = 256
const sequenceMax = 0xffff_ffff

export interface IdSourceDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly randomBytes: (size: number) => Uint8Array
}

/**
 * Makes ids: UUIDv7, each greater than the one before, also within a millisecond and when the clock is set back (RFC 9562, section 6.2).
 *
 * Random bytes are drawn for 256 ids at a time: a system call costs the same for one id as for hundreds, and was a twelfth of the cost of a start.
 */
export function createIdSource({ now, randomBytes }: IdSourceDeps): () => string {
  let pool: Uint8Array = new Uint8Array(0)
  let at = 0
  let msecs = 0
  let sequence = 0
  return () => {
    if (at >= pool.length) {
      pool = randomBytes(idBytes * idsAtATime)
      at = 0
    }
    const random = pool.subarray(at, at + idBytes)
    at += idBytes
    const ms = now()
    if (ms > msecs) {
      msecs = ms
      // The sequence starts at a random number below 2^31, so at least 2^31 ids fit into one millisecond.
      sequence = (((random[6] ?? 0) & 0x7f) << 24) | ((random[7] ?? 0) << 16) | ((random[8] ?? 0) << 8) | (random[9] ?? 0)
    } else if (++sequence > sequenceMax) {
      sequence = 0
      msecs += 1
    }
    return v7({ msecs, seq: sequence, random })
  }
}

/** The smallest UUIDv7 of a time in milliseconds since the epoch, its first 48 bits (RFC 9562): a bound for ids. */
export function leastId(ms: number): string {
  const hex = Math.min(Math.max(Math.trunc(ms), 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
