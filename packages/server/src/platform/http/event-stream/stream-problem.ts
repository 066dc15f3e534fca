import { errorCatalogue } from '@millrace/contract'
import { faultOf } from '#platform/http/response/problem.ts'

/** The data of the event `error`, with which a stream ends. An error that no caller causes is logged, and its message is not sent. */
export function streamProblem(error: unknown, logError: (error: unknown, message: string) => void): object {
  const fault = faultOf(error)
  if (fault.code === 'internal') logError(fault.cause ?? fault, 'stream failed')
  return { code: fault.code, ...errorCatalogue[fault.code], detail: fault.message }
}
