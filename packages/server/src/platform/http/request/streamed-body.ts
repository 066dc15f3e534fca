import type { IncomingMessage } from 'node:http'
import { Fault } from '@millrace/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ConnectionClosed } from './connection-closed.ts'
import { createPace } from './pace.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly uploadGraceMs: number
  }
}

/** Defines routes whose bodies are not read before their handlers. */
export function withStreamedBodies(app: FastifyInstance, define: (scope: FastifyInstance) => void): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))
    define(scope)
  })
}

/**
 * The bytes of a body as they arrive, once. A reader that stops leaves the connection usable for the response. Fault `request_timeout` for a
 * sender below the least pace.
 */
export async function* bodyOf({ raw, server }: Pick<FastifyRequest, 'raw' | 'server'>): AsyncGenerator<Uint8Array> {
  const parts: AsyncIterator<unknown> = raw.iterator({ destroyOnReturn: false })
  const pace = createPace(server.uploadGraceMs)
  let isSlow = false
  try {
    for (;;) {
      const part = await pace.within(parts.next())
      isSlow = part === undefined
      if (part === undefined)
        throw new Fault('request_timeout', { detail: 'The body arrived too slowly. Send it again over a faster connection.' })
      if (part.done === true) return
      if (!(part.value instanceof Uint8Array)) continue
      pace.count(part.value.length)
      yield part.value
    }
  } catch (error) {
    throw error instanceof Fault ? error : new ConnectionClosed(error)
  } finally {
    // A sender that is too slow is disconnected after the response; its next part may never arrive.
    if (!isSlow) await parts.return?.()
    // Otherwise the rest of the body would keep the next request of the connection waiting.
    if (!raw.destroyed) raw.resume()
  }
}

/** The bytes that the sender announces; undefined for a body in chunks. */
export function announcedBytes({ headers }: Pick<IncomingMessage, 'headers'>): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}
