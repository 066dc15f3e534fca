import type { ServerResponse } from 'node:http'
import { isObject, type Json } from '#core/json.ts'
import { type Received, sendJson, startServer, type TestServer } from '#effects/http/testing-server.ts'

/** A message of a client, as the server sees it. */
export interface Heard {
  readonly method: string
  readonly id: Json | undefined
  readonly params: Json | undefined
}

export interface TestMcpServer extends TestServer {
  readonly endpoint: string
  /** The HTTP method, and the method of the message, of every request so far. */
  readonly heard: () => readonly string[]
}

export type Answer = (heard: Heard, response: ServerResponse, request: Received) => boolean

/** Answers with the result of the request, as JSON. */
export function sendResult(response: ServerResponse, { id }: Heard, result: Json): true {
  sendJson(response, 200, { jsonrpc: '2.0', id, result })
  return true
}

/** Answers with events, each the data of one, and ends. */
export function sendEvents(response: ServerResponse, events: readonly string[]): true {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.map((event) => `${event}\n\n`).join(''))
  return true
}

/**
 * Starts a server that speaks as much of the protocol as is needed to get to the point where it misbehaves: `answer` says whether it has
 * dealt with the message, and what it leaves is answered well.
 */
export async function startMcpServer(answer: Answer = () => false): Promise<TestMcpServer> {
  const server = await startServer((request, response) => {
    const heard = hear(request)
    if (answer(heard, response, request)) return
    if (heard.method === 'initialize') {
      const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'test', version: '1' } }
      sendJson(response, 200, { jsonrpc: '2.0', id: heard.id, result }, { 'mcp-session-id': 'session-1' })
    } else if (heard.id === undefined) response.writeHead(202).end()
    else sendResult(response, heard, { tools: [] })
  })
  return {
    ...server,
    endpoint: `${server.origin}/mcp`,
    heard: () => server.received.map((request) => `${request.method} ${hear(request).method}`.trim()),
  }
}

function hear({ body }: Received): Heard {
  const message: Json = body.length === 0 ? null : JSON.parse(body.toString())
  const { method, id, params } = isObject(message) ? message : {}
  return { method: typeof method === 'string' ? method : '', id, params }
}
