import { createHash } from 'node:crypto'

const mark = 'mla_'
const secretBytes = 32

/** The secret of a link: 256 random bits. */
export function mintToken(randomBytes: (size: number) => Uint8Array): string {
  return mark + Buffer.from(randomBytes(secretBytes)).toString('base64url')
}

/** What the database keeps of a token. One that has every bit by chance needs no slow hash. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Whether a text can be a token at all. */
export function isToken(text: string): boolean {
  return /^mla_[\w-]{43}$/.test(text)
}
