import { type ErrorCode, isErrorCode, type Problem } from '@millrace/contract'

/** An answer of the server that is an error. */
export class ClientError extends Error {
  /** HTTP status. */
  readonly status: number
  /** The code out of the catalogue; `undefined` when what answered was no Millrace, such as a proxy. */
  readonly code: ErrorCode | undefined
  /** The problem as it came; made from the status where there was none. */
  readonly problem: Problem
  readonly retryAfterSeconds: number | undefined

  constructor(operationId: string, problem: Problem, retryAfterSeconds: number | undefined) {
    super(`${operationId}: ${problem.status} ${problem.code}: ${problem.detail}`)
    this.name = 'ClientError'
    this.status = problem.status
    this.code = isErrorCode(problem.code) ? problem.code : undefined
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Reads an error answer. */
export async function clientErrorOf(operationId: string, response: Response): Promise<ClientError> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const problem = problemOf(await response.text(), response)
  return new ClientError(operationId, problem, Number.isFinite(retryAfter) ? retryAfter : undefined)
}

function problemOf(text: string, response: Response): Problem {
  const known: unknown = response.headers.get('content-type')?.includes('application/problem+json') ? parsed(text) : undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The media type promises a problem, and its code is checked.
  if (typeof known === 'object' && known !== null && 'code' in known && typeof known.code === 'string') return known as Problem
  return {
    type: 'about:blank',
    title: response.statusText,
    status: response.status,
    detail: 'The answer is no problem document; something between the client and the server may have made it.',
    instance: new URL(response.url).pathname,
    code: 'unknown',
    requestId: response.headers.get('x-request-id') ?? '',
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
