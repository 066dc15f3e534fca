import { Fault, errorCatalogue } from '@millrace/contract'
import type { Tx } from '#platform/db/database.ts'
import { problemOf, problemType } from '#platform/http/response/problem.ts'
import type { HttpResponse } from '#platform/http/response/response.ts'
import type { IdempotencyStore, KeyUse, StoredResponse } from './idempotency.ts'

/** One request with an `Idempotency-Key`. */
export interface KeyedRequest {
  readonly store: IdempotencyStore
  readonly use: KeyUse
  readonly requestId: string
  readonly path: string
  /** Runs `fn` in the transaction of the request, or without one where the operation opens its own. */
  readonly open: <T>(fn: (tx: Tx | undefined) => Promise<T>) => Promise<T>
}

/**
 * Performs the first request with a key, and returns its response to every repetition, whether it was a success or a refusal.
 *
 * In a transaction, the claim, the effect and the response are committed together. Without one, the claim is committed before the effect.
 */
export async function withIdempotency(
  { store, use, requestId, path, open }: KeyedRequest,
  perform: (tx: Tx | undefined) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  let claim: { readonly tx: Tx | undefined; readonly end: () => void } | undefined
  try {
    return await open(async (tx) => {
      const stored = await store.claim(tx, use)
      if (stored !== undefined) return replayOf(stored, requestId)
      claim = { tx, end: tx === undefined ? store.keep(use) : () => undefined }
      const response = await perform(tx)
      await store.save(tx, use, storedOf(response, use))
      return response
    })
  } catch (error) {
    if (claim === undefined) throw error
    if (error instanceof Fault && isLasting(error))
      await store.save(undefined, use, storedProblem(error, problemOf(error, requestId, path)))
    // A claim within a transaction was rolled back with it.
    else if (claim.tx === undefined) await store.release(use)
    throw error
  } finally {
    claim?.end()
  }
}

/** The stored response, for a repetition. A problem contains the id of the request that it responds to, so it gets that of the repetition. */
function replayOf(stored: StoredResponse, requestId: string): HttpResponse {
  const headers = { ...stored.headers, 'idempotent-replayed': 'true' }
  if (stored.contentType !== problemType) return { ...stored, headers }
  return { ...stored, headers, body: JSON.stringify({ ...JSON.parse(stored.body), requestId }) }
}

function storedOf({ status, contentType, headers, body }: HttpResponse, { operation }: KeyUse): StoredResponse {
  if (typeof body !== 'string') throw new Error(`${operation} responds with a stream, which cannot be stored for its idempotency key.`)
  return { status, contentType, headers, body }
}

function storedProblem(fault: Fault, problem: object): StoredResponse {
  return { status: errorCatalogue[fault.code].status, contentType: problemType, headers: {}, body: JSON.stringify(problem) }
}

/** Whether a repetition of the request would get the same Fault; false for those that it may get past. */
function isLasting(fault: Fault): boolean {
  const { status } = errorCatalogue[fault.code]
  return status < 500 && status !== 429 && !fault.code.startsWith('idempotency_')
}
