import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** One request as it came, byte for byte. */
export interface Received {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ReceiverAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

/** An endpoint outside that takes webhooks: real HTTP; answers 204 unless told otherwise. */
export async function startWebhookReceiver(
  answer: (request: Received, number: number) => ReceiverAnswer | Promise<ReceiverAnswer> = () => ({ status: 204 }),
) {
  const received: Received[] = []
  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing))

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
    const request = { method: incoming.method ?? '', headers, body: Buffer.concat(chunks).toString('utf8') }
    const number = received.push(request)
    const { status, headers: more = {} } = await answer(request, number)
    outgoing.writeHead(status, more).end()
  }

  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen on a port')
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    /** What came, in order. */
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
