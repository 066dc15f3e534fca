import { createParser } from 'eventsource-parser'
import { isArray, isObject, type Json, type JsonObject } from '#core/json.ts'
import { parseContent } from '#effects/http/content.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import { parseMediaType } from '#effects/http/media-type.ts'
import type { BodyEnd, HttpReply } from '#effects/http/port.ts'

/** The messages of a server in one response. */
export interface Messages {
  readonly messages: readonly JsonObject[]
  /** The event id from which a stream that ended early can be resumed; undefined when it cannot. */
  readonly resumeAfter: string | undefined
  /** The delay that the server asks for before that. */
  readonly resumeDelayMs: number | undefined
}

/**
 * Reads the JSON-RPC messages of a reply, which is JSON or an event stream.
 *
 * Throws a communication error for anything else. `subject` names the request to the reader.
 * Source: MCP 2025-06-18, Transports, "Sending Messages to the Server".
 */
export function readMessages(reply: HttpReply, subject: string): Messages {
  const type = parseMediaType(reply.headers['content-type'])?.essence
  if (type === 'text/event-stream') return readStream(reply.body, subject)
  if (type === 'application/json')
    return { messages: messagesIn(parse(reply.body, subject), subject), resumeAfter: undefined, resumeDelayMs: undefined }
  throw invalidReply(
    `${subject} answered with ${type ?? 'something that does not say what it is'}, where an MCP server answers with JSON or an event stream.`,
  )
}

/**
 * The response to the request with this id, reduced to its result or error; undefined when it is missing.
 *
 * An error without an id counts, since servers send it for a request that they cannot parse. Throws a communication error for a response
 * that is neither a result nor an error of JSON-RPC 2.0.
 */
export function responseTo(id: Json, messages: readonly JsonObject[], subject: string): JsonObject | undefined {
  const answers = messages.filter(isResponse)
  const answer =
    answers.find((message) => message['id'] === id) ?? answers.find((message) => 'error' in message && (message['id'] ?? null) === null)
  if (answer === undefined) return undefined
  const { result, error } = answer
  if (isObject(result)) return { jsonrpc: '2.0', id, result }
  const { code, message, data } = isObject(error) ? error : {}
  if (!Number.isSafeInteger(code) || typeof message !== 'string') {
    throw invalidReply(`${subject} answered with what is neither a result nor an error of JSON-RPC 2.0.`)
  }
  return { jsonrpc: '2.0', id, error: { code: code ?? null, message, ...(data === undefined ? {} : { data }) } }
}

/** Recognizes in a reply that is an event stream the response to the request with this id. What it cannot read, `readMessages` refuses later. */
export function untilResponse(id: Json | undefined): BodyEnd {
  return (headers) => {
    if (id === undefined || parseMediaType(headers['content-type'])?.essence !== 'text/event-stream') return undefined
    let isWhole = false
    const parser = createParser({
      onEvent: ({ event, data }) => {
        if (event === undefined || event === 'message') isWhole ||= parsed(data).some((message) => isResponseTo(id, message))
      },
    })
    const decoder = new TextDecoder()
    return (piece) => {
      parser.feed(decoder.decode(piece, { stream: true }))
      return isWhole
    }
  }
}

const isResponse = (message: JsonObject) => 'result' in message || 'error' in message

function isResponseTo(id: Json, message: JsonObject): boolean {
  return isResponse(message) && (message['id'] === id || ('error' in message && (message['id'] ?? null) === null))
}

function parsed(text: string): readonly JsonObject[] {
  try {
    const value: Json = JSON.parse(text)
    return (isArray(value) ? value : [value]).filter(isObject)
  } catch {
    return []
  }
}

export function invalidReply(detail: string, cause?: unknown): HttpCallError {
  return new HttpCallError('communication', detail, { status: 502, title: 'Invalid response', cause })
}

function readStream(body: Uint8Array, subject: string): Messages {
  const messages: JsonObject[] = []
  let resumeAfter: string | undefined
  let resumeDelayMs: number | undefined
  const parser = createParser({
    onEvent: ({ event, id, data }) => {
      // By an empty id a server declares that the stream cannot be resumed.
      if (id !== undefined) resumeAfter = id === '' ? undefined : id
      if (data !== '' && (event === undefined || event === 'message'))
        messages.push(...messagesIn(parse(Buffer.from(data), subject), subject))
    },
    onRetry: (delayMs) => {
      resumeDelayMs = delayMs
    },
  })
  parser.feed(new TextDecoder().decode(body))
  return { messages, resumeAfter, resumeDelayMs }
}

function parse(text: Uint8Array, subject: string): Json {
  try {
    return parseContent(text, 'application/json')
  } catch (error) {
    if (!(error instanceof HttpCallError)) throw error
    throw invalidReply(`${subject}: ${error.message}`, error)
  }
}

/** Servers of the versions before 2025-06-18 may send several messages as one array. */
function messagesIn(value: Json, subject: string): JsonObject[] {
  return (isArray(value) ? value : [value]).map((message) => {
    if (isObject(message) && message['jsonrpc'] === '2.0') return message
    throw invalidReply(`${subject} answered with JSON that is not a message of JSON-RPC 2.0.`)
  })
}
