import { text } from 'node:stream/consumers'
import type { IncomingHttpHeaders } from 'node:http'
import { listenLocally } from './listen-locally.ts'

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface ServiceAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text as it is, any other value as JSON. */
  readonly body?: unknown
}

/** A service of the outside world that records requests as they were sent. */
export async function startRecordingService(answer: (request: RecordedRequest) => ServiceAnswer) {
  const requests: RecordedRequest[] = []
  const server = await listenLocally(async (incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming
    const request = { method, path, headers, body: await text(incoming) }
    requests.push(request)
    const { status = 200, headers: more = {}, body = {} } = answer(request)
    const isText = typeof body === 'string'
    outgoing
      .writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...more })
      .end(isText ? body : JSON.stringify(body))
  })
  return { ...server, requests }
}
