import type { IncomingHttpHeaders } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long the sending of a file may take. */
export const uploadTimeoutMs = 60 * 60 * 1000

/** Whether the body is a form of several parts. */
export function isMultipart({ 'content-type': type = '' }: IncomingHttpHeaders): boolean {
  return /^\s*multipart\/form-data\s*(?:;|$)/i.test(type)
}

/** Ends a request whose body has not arrived completely in time, like the timeout of Node, which is for the longest of all requests. */
export function limitRequestTime(app: FastifyInstance, timeoutMs: number): void {
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
    const hasBody = encoding !== undefined || (length !== undefined && length !== '0')
    // A request that a test injects has no connection that could be too slow.
    const { streamsBody, multipartTimeoutMs } = routeOptions.config
    if (!hasBody || streamsBody === true || !(raw.socket instanceof Socket)) return
    const limitMs = multipartTimeoutMs !== undefined && isMultipart(raw.headers) ? multipartTimeoutMs : timeoutMs
    const timer = setTimeout(() => {
      if (!raw.complete)
        app.server.emit('clientError', Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), raw.socket)
    }, limitMs)
    const clear = () => clearTimeout(timer)
    raw.once('end', clear)
    raw.once('close', clear)
  })
}
