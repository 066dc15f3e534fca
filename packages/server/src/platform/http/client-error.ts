import type { Socket } from 'node:net'
import { errorCatalogue, type ErrorCode, Fault } from '@millrace/contract'
import type { Mounting } from './mount.ts'
import { problemOf, problemType } from './problem.ts'
import { judge, rateSubject } from './rate-limit.ts'

export interface ClientErrorDeps {
  readonly mounting: Mounting
  readonly headers: Readonly<Record<string, string>>
  readonly newRequestId: () => string
}

const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
}
const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
}

/** Answers what Node's parser refused, so that even this response is a problem with a request id and rate headers; then hangs up. */
export async function answerClientError(error: Error & { readonly code?: string }, socket: Socket, deps: ClientErrorDeps): Promise<void> {
  // A peer that has gone away hears nothing any more.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const fault = new Fault(codes[error.code ?? ''] ?? 'malformed_request')
  const { status } = errorCatalogue[fault.code]
  const requestId = deps.newRequestId()
  const { guards, policies } = deps.mounting
  const verdict = judge(await guards.rateLimiter.consume(policies.default, rateSubject(socket.remoteAddress ?? '')))
  const body = JSON.stringify(problemOf(fault, requestId, ''))
  const headers = {
    ...deps.headers,
    ...verdict.headers,
    'x-request-id': requestId,
    'content-type': problemType,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${reasons[status] ?? ''}\r\n${head.join('')}\r\n${body}`)
}
