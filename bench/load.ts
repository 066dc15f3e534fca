import { connect, type Socket } from 'node:net'

export interface LoadOptions {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly connections: number
  readonly durationMs: number
}

export interface LoadResult {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Answers with another status than 200; a run with any measures something else than it should. */
  readonly failures: number
}

/**
 * Loads a local server over keep-alive connections, each with one request under way. Bare sockets, since a client library would take more of
 * the two cores than the server that is measured.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { port, path, headers, body } = options
  const lines = Object.entries({ host: `127.0.0.1:${port}`, 'content-length': String(Buffer.byteLength(body)), ...headers })
  const request = Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
  const latencies: number[] = []
  let failures = 0
  const endsAt = performance.now() + options.durationMs
  await Promise.all(
    Array.from({ length: options.connections }, () =>
      converse(port, request, endsAt, (ms, ok) => {
        latencies.push(ms)
        if (!ok) failures += 1
      }),
    ),
  )
  latencies.sort((one, other) => one - other)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  return { perSecond: (latencies.length / options.durationMs) * 1000, p50: at(0.5), p99: at(0.99), failures }
}

function converse(port: number, request: Buffer, endsAt: number, onAnswer: (ms: number, ok: boolean) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1')
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
      const head = received.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, head))?.[1] ?? 0)
      if (received.length < head + 4 + length) return
      onAnswer(performance.now() - sentAt, received.startsWith('HTTP/1.1 200'))
      received = received.slice(head + 4 + length)
      if (performance.now() < endsAt) send()
      else socket.end()
    })
  })
}
