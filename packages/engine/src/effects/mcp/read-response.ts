import { setTimeout as delay } from 'node:timers/promises'
import type { Json, JsonObject } from '#core/json.ts'
import type { PreparedCall } from '#effects/http/arguments.ts'
import { describeRequest } from '#effects/http/exchange.ts'
import type { HttpReply } from '#effects/http/port.ts'
import { responseTo, invalidReply, readMessages } from './messages.ts'

/** A request that waits for its response. */
export interface PendingMcpRequest {
  readonly id: Json
  readonly request: PreparedCall
  readonly send: (request: PreparedCall) => Promise<HttpReply>
  readonly signal: AbortSignal
}

/**
 * Finds the JSON-RPC response in an HTTP response. If the server closed the event stream before it, resumes the stream after the last event.
 *
 * Throws a communication error when it is missing: the client would wait for it forever.
 * Source: MCP 2025-06-18, Transports, "Resumability and Redelivery".
 */
export function readResponse(asked: PendingMcpRequest, reply: HttpReply): Promise<JsonObject> {
  return readUntilResponse(asked, reply, undefined, resumptionsMax)
}

/** Servers that close streams between events do so every few seconds; the timeout of the call ends long before this bound. */
const resumptionsMax = 1_000
const delayMsDefault = 1_000
const delayMsMax = 60_000

async function readUntilResponse(
  asked: PendingMcpRequest,
  reply: HttpReply,
  after: string | undefined,
  resumptionsLeft: number,
): Promise<JsonObject> {
  const { id, request, send, signal } = asked
  const subject = describeRequest(request.method, request.url.href)
  const { messages, resumeAfter = after, resumeDelayMs = delayMsDefault } = readMessages(reply, subject)
  const answer = responseTo(id, messages, subject)
  if (answer !== undefined) return answer
  if (resumeAfter === undefined || resumptionsLeft === 0) throw invalidReply(`${subject} ended its reply before it had answered.`)
  await delay(Math.min(resumeDelayMs, delayMsMax), undefined, { signal })
  const next = await send(resumption(request, resumeAfter))
  if (next.status !== 200)
    throw invalidReply(`${subject} ended its reply before it had answered, and answered ${next.status} to the request to resume it.`)
  return readUntilResponse(asked, next, resumeAfter, resumptionsLeft - 1)
}

function resumption(request: PreparedCall, lastEventId: string): PreparedCall {
  const { 'content-type': _, ...headers } = request.headers
  return { ...request, method: 'GET', body: undefined, headers: { ...headers, accept: 'text/event-stream', 'last-event-id': lastEventId } }
}
