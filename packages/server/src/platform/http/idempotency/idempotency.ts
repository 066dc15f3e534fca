import { createHash } from 'node:crypto'
import { Fault } from '@millrace/contract'
import type { Tx } from '#platform/db/database.ts'

/** A response as it is stored for repetitions of its request. */
export interface StoredResponse {
  readonly status: number
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One use of an `Idempotency-Key`. */
export interface KeyUse {
  /** The user who sent the key, or the address where the request has no credential. */
  readonly owner: string
  readonly accountId: string | undefined
  readonly key: string
  readonly operation: string
  /** Digest of the request, 32 bytes. */
  readonly fingerprint: Uint8Array
  /** Of this request: a UUID that no other use of the key has. */
  readonly claimId: string
}

/** Stores responses by key. */
export interface IdempotencyStore {
  /**
   * Claims the key for this request, or returns the response of the first request.
   *
   * In `tx` it waits for the end of a concurrent first request. Without one, the claim is committed at once, and a concurrent second request
   * gets the Fault `idempotency_in_progress`. A different request with the same key gets the Fault `idempotency_key_reused`.
   */
  claim(tx: Tx | undefined, use: KeyUse): Promise<StoredResponse | undefined>
  /** Keeps a claim that was made without `tx` valid until the function that is returned is called. */
  keep(use: KeyUse): () => void
  /** Stores the response to the request that claimed the key, unless another one has claimed it since. */
  save(tx: Tx | undefined, use: KeyUse, response: StoredResponse): Promise<void>
  /** Releases the claim of this request that was made without `tx`, when it has no lasting response. */
  release(use: KeyUse): Promise<void>
}

const keyLengthMax = 255

/** Reads `Idempotency-Key`; a Fault when its value is not valid. */
export function idempotencyKeyOf(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && header.length >= 1 && header.length <= keyLengthMax) return header
  throw new Fault('request_invalid', {
    errors: [{ pointer: '/idempotency-key', detail: `Must be one value of 1 to ${keyLengthMax} characters.`, in: 'header' }],
  })
}

/** Digest of everything that may differ between two requests with the same key. */
export function fingerprintOf(params: unknown, url: string, body: Uint8Array | undefined): Uint8Array {
  const question = url.indexOf('?')
  const hash = createHash('sha256')
    .update(JSON.stringify(params ?? null))
    .update('\n')
    .update(question === -1 ? '' : url.slice(question))
    .update('\n')
  return (body === undefined ? hash : hash.update(body)).digest()
}
