import { HttpCallError } from './http-call-error.ts'
import type { Mask } from './mask.ts'

/** Does the work; a call that fails in it tells nothing that is masked. */
export async function withMaskedErrors<T>(mask: Mask, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof HttpCallError ? maskError(error, mask) : error
  }
}

function maskError(error: HttpCallError, mask: Mask): HttpCallError {
  const { detail } = error.error
  return detail === undefined ? error : error.withDetail(mask.text(detail))
}
