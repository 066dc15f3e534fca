import { createHash } from 'node:crypto'
import { randomBase62 } from '#platform/auth/base62.ts'

const randomLength = 43

/** A new secret of a link (`mll_`) or of the browser that asks for one (`mlq_`); long and random, so a fast hash is enough. */
export function newLinkSecret(mark: 'mll_' | 'mlq_', randomBytes: (size: number) => Uint8Array): string {
  return mark + randomBase62(randomLength, randomBytes)
}

export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
