import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from './base62.ts'

/** What every API key begins with; scanners for leaked secrets know keys by it. */
export const apiKeyMark = 'mlr_'

/** How many first characters are kept in the clear, for look-ups and to tell keys apart; 22 unknown ones (131 bits) stay. */
export const apiKeyPrefixLength = 12

const randomLength = 30
const form = /^mlr_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

export interface ApiKeySecret {
  readonly prefix: string
  /** SHA-256: the secret is random and long, so a slow hash would protect nothing and cost every request. */
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

/** Reads the secret of an API key; `undefined` when it cannot be one, which is known without asking the database. */
export function readApiKey(text: string): ApiKeySecret | undefined {
  const [, random, sum] = form.exec(text) ?? []
  if (random === undefined || sum !== checksum(random)) return undefined
  return { prefix: text.slice(0, apiKeyPrefixLength), hash: createHash('sha256').update(text).digest() }
}

function checksum(random: string): string {
  return toBase62(crc32(random), 6)
}
