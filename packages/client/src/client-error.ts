import { type ErrorCode, isErrorCode, type Problem } from '@millrace/contract'

/** An error response of the server. */
export class ClientError extends Error {
  /** HTTP status. */
  readonly status: number
  /** The code of the catalogue; `undefined` for a response of something else, such as a proxy. */
  readonly code: ErrorCode | undefined
  /** The problem document of the response, or one made from its status. */
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

/** Reads an error response. */
export async function clientErrorOf(operationId: string, response: Response): Promise<ClientError> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const problem = problemOf(await response.text(), response)
  return new ClientError(operationId, problem, Number.isFinite(retryAfter) ? retryAfter : undefined)
}

/** The error for a successful response that does not have the shape of the operation: something else answers at this address. */
export function foreignReply(operationId: string, response: Response): ClientError {
  const detail = 'The response is not what Millrace sends; another server may have sent it.'
  return new ClientError(operationId, unknownProblem(response, detail), undefined)
}

function problemOf(text: string, response: Response): Problem {
  const known: unknown = response.headers.get('content-type')?.includes('application/problem+json') ? parsed(text) : undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The media type promises a problem, and its code is checked.
  if (typeof known === 'object' && known !== null && 'code' in known && typeof known.code === 'string') return known as Problem
  return unknownProblem(response, 'The response is not a problem document; a proxy between client and server may have sent it.')
}

function unknownProblem(response: Response, detail: string): Problem {
  return {
    type: 'about:blank',
    title: response.statusText,
    status: response.status,
    detail,
    instance: new URL(response.url).pathname,
    code: 'unknown',
    requestId: response.headers.get('x-request-id') ?? '',
  }
}

/** The value of a JSON text; undefined for other texts. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
