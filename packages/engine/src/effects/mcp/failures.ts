import { STATUS_CODES } from 'node:http'
import type * as Sdk from '@modelcontextprotocol/client'
import { isArray, isObject, type Json, type JsonObject } from '#core/json.ts'
import { standardError, standardErrors, WorkflowError } from '#core/error.ts'
import { decodeText } from '#effects/http/content.ts'
import { describeRequest } from '#effects/http/exchange.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import type { HttpReply } from '#effects/http/port.ts'
import { parseRetryAfter } from '#effects/http/retry-after.ts'
import type { PreparedMcpCall } from './arguments.ts'
import type { HttpTransport } from './http-transport.ts'

/**
 * The workflow error for a failed request, from the client's error and the state of the transport.
 *
 * A failure that is neither a failed exchange, nor a refusal, nor a protocol error means that the server violates the protocol.
 */
export function explain(
  error: unknown,
  call: PreparedMcpCall,
  line: Pick<HttpTransport, 'refusal' | 'failure'>,
  nowMs: number,
  sdk: Pick<typeof Sdk, 'ProtocolError'>,
): unknown {
  if (error instanceof sdk.ProtocolError) {
    return standardError('runtime', `${describeCall(call)}: the server answered with error ${error.code}: ${error.message}`)
  }
  const failure = line.failure()
  if (failure !== undefined) return failure
  const refusal = line.refusal()
  if (refusal !== undefined) return refusalFailure(call, refusal, nowMs)
  const said = error instanceof Error ? error.message : String(error)
  const { data } = standardError('runtime', `${describeCall(call)}: the server does not speak the protocol as expected: ${said}`)
  return new WorkflowError(data, { cause: error })
}

export function timeoutFailure(call: PreparedMcpCall): WorkflowError {
  return standardError('timeout', `${describeCall(call)}: not done within ${call.timeoutMs / 1000} s.`)
}

/** The error for a tool that reports its failure. */
export function toolFailure(call: PreparedMcpCall, result: JsonObject): WorkflowError {
  const said = textsOf(result['content']).join('\n').trim()
  return standardError('runtime', `${describeCall(call)}: the tool failed${said === '' ? ' and gives no reason.' : `: ${said}`}`)
}

/** The error for a reply with another status than 2xx. */
function refusalFailure(call: PreparedMcpCall, reply: HttpReply, nowMs: number): HttpCallError {
  const { status } = reply
  const retryAfterMs = parseRetryAfter(reply.headers['retry-after'], nowMs)
  const retry = retryAfterMs === undefined ? '' : ` It asks to retry after ${Math.ceil(retryAfterMs / 1000)} s.`
  const detail = `${describeCall(call)}: the server answered ${status}.${redirection(reply)}${retry}${excerpt(reply)}`
  return new HttpCallError('communication', detail, {
    status,
    title: STATUS_CODES[status] ?? standardErrors.communication.title,
    retryAfterMs,
  })
}

function describeCall({ method, parameters, endpoint }: PreparedMcpCall): string {
  const name = parameters?.['name'] ?? parameters?.['uri']
  return `${method}${typeof name === 'string' ? ` ${JSON.stringify(name)}` : ''} at ${describeRequest('POST', endpoint.url.href).slice('POST '.length)}`
}

function redirection({ status, headers, url }: HttpReply): string {
  const location = headers['location']
  if (status < 300 || status > 399 || location === undefined || !URL.canParse(location, url)) return ''
  const { origin, pathname } = new URL(location, url)
  return ` It redirects to ${origin}${pathname}, which is not followed; give that address as the endpoint if it is the right one.`
}

/** The response's text, which usually explains the failure. */
function excerpt(reply: HttpReply): string {
  const text = decodeText(reply.body.subarray(0, 8_000), undefined).trim()
  // The first lines of an HTML page explain nothing.
  if (text === '' || text.startsWith('<') || text.includes('\uFFFD')) return ''
  return ` It says: ${rpcMessage(text) ?? text}`
}

function rpcMessage(text: string): string | undefined {
  try {
    const body: Json = JSON.parse(text)
    const error = isObject(body) ? body['error'] : undefined
    return isObject(error) && typeof error['message'] === 'string'
      ? `${error['message']} (error ${JSON.stringify(error['code'])})`
      : undefined
  } catch {
    return undefined
  }
}

function textsOf(content: Json | undefined): readonly string[] {
  return (isArray(content) ? content : []).flatMap((block) => (isObject(block) && typeof block['text'] === 'string' ? [block['text']] : []))
}
