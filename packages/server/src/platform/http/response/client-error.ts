import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errorCatalogue, type ErrorCode, Fault } from '@millrace/contract'
import { type Mounting, pathOf } from '#platform/http/mount.ts'
import { problemOf, problemType } from './problem.ts'
import { rateOutcomeOf, rateSubject } from '#platform/http/rate-limit/rate-limit.ts'

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
/** Responds to a message that Node's HTTP parser refused, with a problem, a request id and rate limit headers, and closes the connection. */
export async function respondToClientError(
  error: Error & { readonly code?: string },
  socket: Socket,
  deps: ClientErrorDeps,
): Promise<void> {
  // The peer has disconnected and cannot read a response.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, headers, body } = await refusalOf(
    new Fault(codes[error.code ?? ''] ?? 'malformed_request'),
    '',
    socket.remoteAddress,
    deps,
  )
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${body}`)
}

/** Responds to an `Expect` other than `100-continue`. Node would respond by itself, without our headers. */
export async function respondToExpectation(request: IncomingMessage, response: ServerResponse, deps: ClientErrorDeps): Promise<void> {
  const path = pathOf(request.url ?? '')
  const { status, headers, body } = await refusalOf(new Fault('expectation_failed'), path, request.socket.remoteAddress, deps)
  response.writeHead(status, headers).end(body)
}

async function refusalOf(fault: Fault, path: string, ip: string | undefined, { mounting, headers, newRequestId }: ClientErrorDeps) {
  const requestId = newRequestId()
  const { guards, policies } = mounting
  const verdict = rateOutcomeOf(await guards.rateLimiter.consume(policies.default, rateSubject(ip ?? '')))
  const body = JSON.stringify(problemOf(fault, requestId, path))
  return {
    status: errorCatalogue[fault.code].status,
    body,
    headers: {
      ...headers,
      ...verdict.headers,
      'x-request-id': requestId,
      'content-type': problemType,
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    },
  }
}
