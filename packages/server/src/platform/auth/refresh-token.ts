import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from './secret-box.ts'

const mark = 'mrt_'
const sessionLength = 16
const generationLength = 4
const secretLength = 32
const tagLength = 16
const length = sessionLength + generationLength + secretLength + tagLength

export interface RefreshToken {
  readonly text: string
  /** Id of the session (uuid). */
  readonly sessionId: string
  /** 0 for the first token of a session, incremented by each rotation. */
  readonly generation: number
  readonly secret: Buffer
  /** SHA-256 of the text, as the database stores it. */
  readonly hash: Buffer
}

/** Makes and reads refresh tokens. */
export interface RefreshTokens {
  /** The first token of a session. */
  first(sessionId: string): RefreshToken
  /** The next token. It is a function of this one, so that concurrent requests get the same successor and none is stored. */
  successor(token: RefreshToken): RefreshToken
  /** `undefined` for a text that this installation did not make. An outdated token is read, which distinguishes reuse from guessing. */
  read(text: string): RefreshToken | undefined
}

/**
 * Makes refresh tokens of one installation: session, generation, 256 secret bits, and a tag that authenticates them.
 *
 * The first secret of a session is random; each next is the HMAC of the previous one under a key outside the database. So neither the database
 * alone (hashes) nor the key alone yields a token, and a forged one is refused without a query.
 */
export function createRefreshTokens(secretKey: Uint8Array, randomBytes: (size: number) => Uint8Array): RefreshTokens {
  const tagKey = deriveKey(secretKey, 'refresh-token/tag')
  const chainKey = deriveKey(secretKey, 'refresh-token/successor')

  function make(sessionId: string, generation: number, secret: Buffer): RefreshToken {
    const head = Buffer.alloc(generationLength)
    head.writeUInt32BE(generation)
    const body = Buffer.concat([Buffer.from(sessionId.replaceAll('-', ''), 'hex'), head, secret])
    const text = mark + Buffer.concat([body, tagOf(tagKey, body)]).toString('base64url')
    return { text, sessionId, generation, secret, hash: createHash('sha256').update(text).digest() }
  }

  return {
    first: (sessionId) => make(sessionId, 0, Buffer.from(randomBytes(secretLength))),
    successor: ({ sessionId, generation, secret }) =>
      make(sessionId, generation + 1, createHmac('sha256', chainKey).update(`${sessionId} ${generation}`).update(secret).digest()),
    read(text) {
      if (!text.startsWith(mark)) return undefined
      const bytes = Buffer.from(text.slice(mark.length), 'base64url')
      if (bytes.length !== length) return undefined
      const body = bytes.subarray(0, -tagLength)
      if (!timingSafeEqual(tagOf(tagKey, body), bytes.subarray(-tagLength))) return undefined
      const token = make(uuidOf(body), body.readUInt32BE(sessionLength), body.subarray(sessionLength + generationLength))
      // The same bytes have several encodings in base64url; only the canonical one is accepted.
      return token.text === text ? token : undefined
    },
  }
}

function tagOf(key: Buffer, body: Uint8Array): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, tagLength)
}

function uuidOf(body: Buffer): string {
  return body.toString('hex', 0, sessionLength).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
