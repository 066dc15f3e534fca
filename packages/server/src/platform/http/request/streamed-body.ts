import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ConnectionClosed } from './connection-closed.ts'

/** Defines routes whose bodies are not read before their handlers. */
export function withStreamedBodies(app: FastifyInstance, define: (scope: FastifyInstance) => void): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))
    define(scope)
  })
}

/** A sender that sends nothing for this time is disconnected. */
const idleMs = 30_000

/** The bytes of a body as they arrive, once. A reader that stops leaves the connection usable for the response. */
export async function* bodyOf({ raw }: Pick<FastifyRequest, 'raw'>): AsyncGenerator<Uint8Array> {
  const disconnect = () => raw.destroy(new Error('the sender of a body was silent'))
  raw.setTimeout(idleMs, disconnect)
  try {
    for await (const part of raw.iterator({ destroyOnReturn: false })) if (part instanceof Uint8Array) yield part
  } catch (error) {
    throw new ConnectionClosed(error)
  } finally {
    raw.setTimeout(0)
    raw.off('timeout', disconnect)
    // Otherwise the rest of the body would keep the next request of the connection waiting.
    if (!raw.destroyed) raw.resume()
  }
}

/** The bytes that the sender announces; undefined for a body in chunks. */
export function announcedBytes({ headers }: Pick<IncomingMessage, 'headers'>): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}
