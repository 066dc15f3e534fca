import { HttpCallError } from './http-call-error.ts'
import type { TextMask } from '#core/secret-mask.ts'

/** Does the work; a call that fails in it tells nothing that is masked. */
export async function withMaskedErrors<T>(mask: TextMask, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof HttpCallError ? maskError(error, mask) : error
  }
}

function maskError(error: HttpCallError, mask: TextMask): HttpCallError {
  const { detail } = error.error
  return detail === undefined ? error : error.withDetail(mask.text(detail))
}
