import type { IncomingMessage, ServerResponse } from 'node:http'
import { listenLocally } from './listen-locally.ts'

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

/** An HTTP endpoint that receives webhooks; responds with 204 by default. */
export async function startWebhookReceiver(
  answer: (request: Received, number: number) => ReceiverAnswer | Promise<ReceiverAnswer> = () => ({ status: 204 }),
) {
  const received: Received[] = []

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
    const request = { method: incoming.method ?? '', headers, body: Buffer.concat(chunks).toString('utf8') }
    const number = received.push(request)
    const { status, headers: more = {} } = await answer(request, number)
    outgoing.writeHead(status, more).end()
  }

  const { url, ...server } = await listenLocally(respond)
  return {
    ...server,
    url: `${url}/hook`,
    /** What came, in order. */
    received,
  }
}
