import { createHash } from 'node:crypto'

const prefix = 'mla_'
const secretBytes = 32

/** Makes the secret token of a link: 256 random bits. */
export function mintToken(randomBytes: (size: number) => Uint8Array): string {
  return prefix + Buffer.from(randomBytes(secretBytes)).toString('base64url')
}

/** The digest that the database stores in place of a token. A random token needs no slow hash. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Whether a text has the form of a token. */
export function isToken(text: string): boolean {
  return /^mla_[\w-]{43}$/.test(text)
}
