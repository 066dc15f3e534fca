import { createHash } from 'node:crypto'
import { Fault } from '@millrace/contract'
import type { Tx } from '#platform/db/database.ts'

/** An answer as it is kept and given again. */
export interface KeptAnswer {
  readonly status: number
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One use of an `Idempotency-Key`. */
export interface KeyUse {
  /** Whose key it is: a user, or an address where there is no credential. */
  readonly owner: string
  readonly accountId: string | undefined
  readonly key: string
  readonly operation: string
  /** What the request asks for, in 32 bytes. */
  readonly fingerprint: Uint8Array
  /** How long the caller lets the answer wait; the key is not free again before that. */
  readonly waitSeconds?: number
}

/** Remembers answers by key. */
export interface IdempotencyStore {
  /**
   * Takes the key for this request, or gives the answer of the first one.
   *
   * In `tx` it waits for a concurrent first request to end. Without one, the key is taken at once and visibly, and a concurrent second
   * request gets the Fault `idempotency_in_progress`. Another request under the key: Fault `idempotency_key_reused`.
   */
  claim(tx: Tx | undefined, use: KeyUse): Promise<KeptAnswer | undefined>
  /** Keeps the answer to the request that claimed the key. */
  keep(tx: Tx | undefined, use: KeyUse, answer: KeptAnswer): Promise<void>
  /** Gives back a key that was claimed without `tx`, when its request came to nothing. */
  release(use: KeyUse): Promise<void>
}

const keyLengthMax = 255

/** Reads `Idempotency-Key`; a Fault when it is not one. */
export function idempotencyKeyOf(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && header.length >= 1 && header.length <= keyLengthMax) return header
  throw new Fault('request_invalid', {
    errors: [{ pointer: '/idempotency-key', detail: `Must be one value of 1 to ${keyLengthMax} characters.`, in: 'header' }],
  })
}

/** Digest of all that makes a request differ from another one under the same key. */
export function fingerprintOf(params: unknown, url: string, body: Uint8Array | undefined): Uint8Array {
  const question = url.indexOf('?')
  const hash = createHash('sha256')
    .update(JSON.stringify(params ?? null))
    .update('\n')
    .update(question === -1 ? '' : url.slice(question))
    .update('\n')
  return (body === undefined ? hash : hash.update(body)).digest()
}
