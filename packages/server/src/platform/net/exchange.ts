import type { Dispatcher } from 'undici'
import { NetError, netError } from './net-error.ts'

export interface WireRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
}

export interface WireReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body with its content encodings, undecoded. */
  readonly body: Buffer
}

/**
 * Sends one request and reads the whole reply.
 *
 * Rejects the moment the signal is aborted, with its reason, whether the request waits for a connection, connects, sends or reads; and
 * with NetError for everything else, a body over `bytesMax` included.
 */
export function exchange(dispatcher: Dispatcher, request: WireRequest, bytesMax: number, signal: AbortSignal): Promise<WireReply> {
  return new Promise((resolve, reject) => {
    const { method, url, headers, body } = request
    // The reply to HEAD has the length of a body that is not sent.
    const announcedMax = method === 'HEAD' ? Number.POSITIVE_INFINITY : bytesMax
    const reader = createReader({ bytesMax, announcedMax }, signal, resolve, reject)
    try {
      dispatcher.dispatch({ origin: url.origin, path: `${url.pathname}${url.search}`, method, headers, body: body ?? null }, reader)
    } catch (error) {
      reader.onResponseError(undefined, error instanceof Error ? error : new Error(String(error)))
    }
  })
}

type Reader = Required<Pick<Dispatcher.DispatchHandler, 'onRequestStart' | 'onResponseStart' | 'onResponseData' | 'onResponseEnd'>> & {
  onResponseError(controller: unknown, error: Error): void
}

interface SizeLimits {
  readonly bytesMax: number
  /** Checks `Content-Length`. */
  readonly announcedMax: number
}

function createReader(
  { bytesMax, announcedMax }: SizeLimits,
  signal: AbortSignal,
  resolve: (reply: WireReply) => void,
  reject: (error: unknown) => void,
): Reader {
  const chunks: Buffer[] = []
  let size = 0
  let status = 0
  let headers: Readonly<Record<string, string>> = {}
  let controller: Dispatcher.DispatchController | undefined
  let failed: Error | undefined

  const fail = (error: Error): void => {
    if (failed !== undefined) return
    failed = error
    signal.removeEventListener('abort', onAbort)
    controller?.abort(error)
    reject(error)
  }
  const onAbort = (): void => fail(signal.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal.reason }))
  signal.addEventListener('abort', onAbort)

  return {
    onRequestStart: (started) => {
      controller = started
      if (failed !== undefined) started.abort(failed)
    },
    onResponseStart: (_, code, received) => {
      status = code
      headers = joined(received)
      if (Number(headers['content-length'] ?? 0) > announcedMax) fail(tooLarge(bytesMax))
    },
    onResponseData: (_, chunk) => {
      size += chunk.length
      if (size > bytesMax) fail(tooLarge(bytesMax))
      else chunks.push(chunk)
    },
    onResponseEnd: () => {
      if (failed !== undefined) return
      signal.removeEventListener('abort', onAbort)
      const [first] = chunks
      resolve({ status, headers, body: chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, size) })
    },
    onResponseError: (_, error) => fail(netError(error)),
  }
}

export function tooLarge(bytesMax: number): NetError {
  return new NetError('too-large', `the reply is larger than ${bytesMax} bytes`)
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const result: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) result[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return result
}
