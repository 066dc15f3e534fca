import { type Agent, request } from 'node:http'
import type { ApiResponse } from '#laws/calls.ts'
import type { FuzzRequest } from './requests.ts'

/** After this time a response does not come any more: a server that waits for its database or a thread refuses the request earlier. */
export const responseMsMax = 60_000

/** Sends a request unchanged; undefined when no response came in time. Of an event stream only the head is read. */
export async function send(
  url: string,
  agent: Agent,
  { method, target, headers, body }: FuzzRequest,
  token: string | undefined,
): Promise<ApiResponse | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<ApiResponse | undefined>()
  const { hostname, port } = new URL(url)
  const length = body === undefined || headers['transfer-encoding'] !== undefined ? {} : { 'content-length': String(body.length) }
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const outgoing = request({ hostname, port, agent, method, path: target, headers: { ...length, ...authorization, ...headers } })
  const timer = setTimeout(() => {
    resolve(undefined)
    outgoing.destroy()
  }, responseMsMax)
  outgoing.on('error', reject)
  outgoing.on('response', (response) => {
    const responseHeaders = new Headers(
      Object.entries(response.headersDistinct).flatMap(([name, values]) =>
        (values ?? []).map((value) => [name, value] as [string, string]),
      ),
    )
    const status = response.statusCode ?? 0
    const type = responseHeaders.get('content-type') ?? ''
    if (type.startsWith('text/event-stream')) {
      resolve({ status, headers: responseHeaders, body: '' })
      outgoing.destroy()
      return
    }
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('error', reject)
    response.on('end', () => resolve({ status, headers: responseHeaders, body: parsed(Buffer.concat(chunks), responseHeaders) }))
  })
  outgoing.end(body)
  return promise.finally(() => clearTimeout(timer))
}

function parsed(bytes: Buffer, headers: Headers): unknown {
  // Other tests check compressed responses; here it is enough that they arrive.
  if (headers.get('content-encoding') !== null) return undefined
  const text = bytes.toString()
  if (!headers.get('content-type')?.includes('json')) return text
  try {
    return JSON.parse(text)
  } catch {
    return new SyntaxError('the body is not valid JSON despite its Content-Type')
  }
}
