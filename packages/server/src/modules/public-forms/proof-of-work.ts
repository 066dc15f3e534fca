import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export interface ProofOfWorkDeps {
  readonly key: Uint8Array
  /** Zero bits that a solution needs. */
  readonly bits: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly newId: () => string
}

export interface Challenge {
  readonly challenge: string
  readonly algorithm: 'SHA-256'
  readonly bits: number
  readonly expiresAt: string
}

/** What a solution proves: the id of its challenge, to be used once, and the time after which the challenge is refused anyway. */
export interface Solved {
  readonly id: string
  readonly expiresAt: Date
}

export type ProofOfWork = ReturnType<typeof createProofOfWork>

const validMs = 10 * 60 * 1000

/** Issues challenges without storing them: id, difficulty and expiry are signed. */
export function createProofOfWork({ key, bits, now, newId }: ProofOfWorkDeps) {
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  return {
    bits,
    issue(): Challenge {
      const expires = now() + validMs
      const text = `${newId()}.${bits}.${expires}`
      return { challenge: `${text}.${sign(text)}`, algorithm: 'SHA-256', bits, expiresAt: new Date(expires).toISOString() }
    },
    /** `undefined` for a challenge that is not ours, has expired, or is not solved by the nonce. */
    check({ challenge, nonce }: { readonly challenge: string; readonly nonce: string }): Solved | undefined {
      const end = challenge.lastIndexOf('.')
      const text = challenge.slice(0, Math.max(end, 0))
      const [id = '', difficulty = '', expires = ''] = text.split('.')
      if (!isEqual(challenge.slice(end + 1), sign(text)) || Number(expires) < now()) return undefined
      if (zeroBits(createHash('sha256').update(`${challenge}:${nonce}`).digest()) < Number(difficulty)) return undefined
      return { id, expiresAt: new Date(Number(expires)) }
    },
  }
}

/** Zero bits at the beginning of a digest. */
export function zeroBits(digest: Uint8Array): number {
  const first = digest.findIndex((byte) => byte !== 0)
  return first === -1 ? digest.length * 8 : first * 8 + Math.clz32(digest[first] ?? 0) - 24
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
