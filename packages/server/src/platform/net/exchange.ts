import type { Dispatcher } from 'undici'
import { NetError, netError } from './net-error.ts'

export interface WireRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  /** As in OutgoingRequest. */
  readonly untilWhole?: BodyEnd | undefined
}

/** Called with the headers of a reply. Makes what is given each piece of its body and returns whether it is whole; the rest is not read. */
export type BodyEnd = (headers: Readonly<Record<string, string>>) => ((piece: Uint8Array) => boolean) | undefined

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
    const { method, url, headers, body, untilWhole } = request
    // The reply to HEAD has the length of a body that is not sent.
    const announcedMax = method === 'HEAD' ? Number.POSITIVE_INFINITY : bytesMax
    const reader = createReader({ bytesMax, announcedMax, untilWhole }, signal, resolve, reject)
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

/** For the end of a body that is whole. */
const endMs = 250

interface BodyLimits {
  readonly bytesMax: number
  /** Checks `Content-Length`. */
  readonly announcedMax: number
  readonly untilWhole: BodyEnd | undefined
}

function createReader(
  { bytesMax, announcedMax, untilWhole }: BodyLimits,
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
  let isWhole: ((piece: Uint8Array) => boolean) | undefined
  let resolved = false
  let ending: NodeJS.Timeout | undefined

  const fail = (error: Error): void => {
    if (failed !== undefined || resolved) return
    failed = error
    signal.removeEventListener('abort', onAbort)
    controller?.abort(error)
    reject(error)
  }
  const onAbort = (): void => fail(signal.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal.reason }))
  signal.addEventListener('abort', onAbort)
  const finish = (): void => {
    if (failed !== undefined || resolved) return
    resolved = true
    signal.removeEventListener('abort', onAbort)
    const [first] = chunks
    resolve({ status, headers, body: chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, size) })
  }

  return {
    onRequestStart: (started) => {
      controller = started
      if (failed !== undefined) started.abort(failed)
    },
    onResponseStart: (_, code, received) => {
      status = code
      headers = joined(received)
      if (headers['content-encoding'] === undefined) isWhole = untilWhole?.(headers)
      if (Number(headers['content-length'] ?? 0) > announcedMax) fail(tooLarge(bytesMax))
    },
    onResponseData: (_, chunk) => {
      if (resolved) return
      size += chunk.length
      if (size > bytesMax) {
        fail(tooLarge(bytesMax))
        return
      }
      chunks.push(chunk)
      if (isWhole?.(chunk) !== true) return
      finish()
      // A server that ends the body now keeps its connection for the next request.
      ending = setTimeout(() => controller?.abort(new NetError('reset', 'the reply was whole before its end')), endMs)
    },
    onResponseEnd: () => {
      clearTimeout(ending)
      finish()
    },
    onResponseError: (_, error) => {
      clearTimeout(ending)
      fail(netError(error))
    },
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
