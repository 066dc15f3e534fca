import type { IncomingMessage, ServerResponse } from 'node:http'
import { listenLocally } from './listen-locally.ts'

export interface StandInRequest {
  readonly method: string
  readonly path: string
  /** The parsed body; undefined without one. */
  readonly body: unknown
}

export interface StandInAnswer {
  readonly status?: number
  readonly body?: unknown
}

/** A service of the outside world: real HTTP, answers by `answer`, JSON both ways. */
export async function startHttpStandIn(
  answer: (request: StandInRequest, headers: IncomingMessage['headers']) => StandInAnswer | Promise<StandInAnswer>,
) {
  const requests: StandInRequest[] = []

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of incoming) text += String(chunk)
    const request = { method: incoming.method ?? '', path: incoming.url ?? '', body: text === '' ? undefined : JSON.parse(text) }
    requests.push(request)
    const { status = 200, body = {} } = await answer(request, incoming.headers)
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  const server = await listenLocally(respond)
  return {
    ...server,
    /** What it was asked, in order. */
    requests,
  }
}
