import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export interface TestServer {
  readonly origin: string
  /** Every request so far, oldest first. */
  readonly received: readonly Received[]
  close(): Promise<void>
}

/** Starts a real HTTP server on a free port; the handler gets each request with its body read. */
export async function startServer(handle: (request: Received, response: ServerResponse) => void): Promise<TestServer> {
  const received: Received[] = []
  const server = createServer((message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const request = { method: message.method ?? '', url: message.url ?? '', headers: message.headers, body: Buffer.concat(chunks) }
      received.push(request)
      handle(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}
