import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface StandInRequest {
  readonly method: string
  readonly path: string
  /** Parsed; undefined when there was none. */
  readonly body: unknown
}

export interface StandInAnswer {
  readonly status?: number
  readonly body?: unknown
}

/** A service of the outside world: real HTTP, answers by `answer`, JSON both ways. */
export async function startHttpStandIn(answer: (request: StandInRequest) => StandInAnswer | Promise<StandInAnswer>) {
  const requests: StandInRequest[] = []
  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing))

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of incoming) text += String(chunk)
    const request = { method: incoming.method ?? '', path: incoming.url ?? '', body: text === '' ? undefined : JSON.parse(text) }
    requests.push(request)
    const { status = 200, body = {} } = await answer(request)
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen on a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** What it was asked, in order. */
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
