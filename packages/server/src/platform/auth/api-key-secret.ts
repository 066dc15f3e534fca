import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from './base62.ts'

/** The prefix of every API key, by which scanners find leaked keys. */
export const apiKeyMark = 'mlr_'

/** The first characters are stored in the clear, for look-ups and for display; the other 22 random ones (131 bits) are not. */
export const apiKeyPrefixLength = 12

const randomLength = 30
const form = /^mlr_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

export interface ApiKeySecret {
  readonly prefix: string
  /** SHA-256: the secret is random and long, so a slow hash would add no protection and slow every request. */
  readonly hash: Buffer
}

/**
 * Makes the secret of an API key: `mlr_`, 30 random characters, and their CRC-32 in 6.
 *
 * Source: https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */
export function mintApiKey(randomBytes: (size: number) => Uint8Array): string {
  const random = randomBase62(randomLength, randomBytes)
  return apiKeyMark + random + checksum(random)
}

/** Reads the secret of an API key; `undefined` when its form or checksum is wrong, without a query. */
export function readApiKey(text: string): ApiKeySecret | undefined {
  const [, random, sum] = form.exec(text) ?? []
  if (random === undefined || sum !== checksum(random)) return undefined
  return { prefix: text.slice(0, apiKeyPrefixLength), hash: hash('sha256', text, 'buffer') }
}

function checksum(random: string): string {
  return toBase62(crc32(random), 6)
}
