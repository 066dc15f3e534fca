import { connect, type Socket } from 'node:net'

export interface LoadOptions {
  /** This machine unless given. */
  readonly host?: string
  readonly port: number
  /** `POST` unless given. */
  readonly method?: string
  /** With several, each connection keeps to one of them. */
  readonly path: string | readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly connections: number
  readonly durationMs: number
  /** Ends the load early. */
  readonly requestsMax?: number
}

export interface LoadResult {
  readonly answers: number
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Number of responses other than 2xx. A run with errors is invalid. */
  readonly failures: number
}

/**
 * Loads a local server over keep-alive connections, each with one request at a time. It uses bare sockets, since a client library would take more of
 * the two cores than the measured server.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { host = '127.0.0.1', port, method = 'POST', path, headers, body, connections, requestsMax = Number.POSITIVE_INFINITY } = options
  const lines = Object.entries({ host: `${host}:${port}`, 'content-length': String(Buffer.byteLength(body)), ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const requests = [path].flat().map((one) => Buffer.from(`${method} ${one} HTTP/1.1\r\n${head}\r\n${body}`))
  const latencies: number[] = []
  let failures = 0
  const endsAt = performance.now() + options.durationMs
  await Promise.all(
    Array.from({ length: connections }, (_, connection) =>
      converse({ host, port }, requests[connection % requests.length] ?? Buffer.of(), endsAt, (ms, ok) => {
        latencies.push(ms)
        if (!ok) failures += 1
        return latencies.length <= requestsMax - connections
      }),
    ),
  )
  return summarize(latencies, failures, options.durationMs)
}

/** Loads a function of this process by repeated calls, `concurrency` at a time. */
export async function loadInProcess(call: () => Promise<unknown>, concurrency: number, durationMs: number): Promise<LoadResult> {
  const latencies: number[] = []
  const endsAt = performance.now() + durationMs
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < endsAt) {
        const begunAt = performance.now()
        await call()
        latencies.push(performance.now() - begunAt)
      }
    }),
  )
  return summarize(latencies, 0, durationMs)
}

function summarize(latencies: readonly number[], failures: number, durationMs: number): LoadResult {
  const sorted = latencies.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { answers: sorted.length, perSecond: (sorted.length / durationMs) * 1000, p50: at(0.5), p99: at(0.99), failures }
}

interface Address {
  readonly host: string
  readonly port: number
}

function converse(address: Address, request: Buffer, endsAt: number, onAnswer: (ms: number, ok: boolean) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(address)
    socket.setNoDelay(true)
    let received = ''
    let sentAt = 0
    const send = () => {
      sentAt = performance.now()
      socket.write(request)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
      const end = endOfAnswer(received)
      if (end === undefined) return
      const more = onAnswer(performance.now() - sentAt, received.startsWith('HTTP/1.1 2'))
      received = received.slice(end)
      if (more && performance.now() < endsAt) send()
      else socket.end()
    })
  })
}

/** The end of the first response, or undefined while it is incomplete. Peers use chunked responses as well. */
function endOfAnswer(received: string): number | undefined {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const headers = received.slice(0, head)
  if (/\r\ntransfer-encoding: *chunked/i.test(headers)) {
    const last = received.indexOf('\r\n0\r\n\r\n', head)
    return last < 0 ? undefined : last + 7
  }
  const end = head + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(headers)?.[1] ?? 0)
  return received.length < end ? undefined : end
}
