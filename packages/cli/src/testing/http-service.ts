import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text as readAll } from 'node:stream/consumers'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface ServiceReply {
  readonly status?: number
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, in the place of `body`. */
  readonly text?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** A real HTTP service in this process, which remembers what it was asked. */
export interface HttpService extends AsyncDisposable {
  readonly url: string
  readonly seen: readonly SeenRequest[]
}

/** Starts a service on a free port of the loopback interface. An answer of `undefined` is never sent. */
export async function startHttpService(answer: (request: SeenRequest, count: number) => ServiceReply | undefined): Promise<HttpService> {
  const seen: SeenRequest[] = []
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const { method = '', url = '', headers } = request
      const entry = { method, path: url, headers, body }
      seen.push(entry)
      const reply = answer(entry, seen.length)
      if (reply === undefined) return
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
      response.end(reply.text ?? JSON.stringify(reply.body ?? {}))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the service does not listen on TCP')
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
