import { createHmac } from 'node:crypto'
import { deriveKey } from '#platform/auth/secret-box.ts'

const codes = 10
const bytes = 15
/** Crockford's base32, in lower case: no letter looks like a digit. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Makes and recognises recovery codes: 120 random bits each, stored as HMAC under a key outside of the database. */
export interface RecoveryCodes {
  make(): readonly string[]
  hash(userId: string, code: string): Buffer
}

export function createRecoveryCodes(secretKey: Uint8Array, randomBytes: (size: number) => Uint8Array): RecoveryCodes {
  const key = deriveKey(secretKey, 'recovery-codes')
  return {
    make: () => Array.from({ length: codes }, () => written(randomBytes(bytes))),
    hash: (userId, code) =>
      createHmac('sha256', key)
        .update(`${userId}/${normalise(code)}`)
        .digest(),
  }
}

/** Six groups of four letters and digits. */
function written(random: Uint8Array): string {
  const bits = [...random].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const letters = (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)] ?? '').join('')
  return letters.match(/.{4}/g)?.join('-') ?? ''
}

/** A code as it is typed: in any case, with any separators, and with letters for the digits that they resemble. */
function normalise(code: string): string {
  return code
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, '')
    .replaceAll(/[il]/g, '1')
    .replaceAll('o', '0')
}
