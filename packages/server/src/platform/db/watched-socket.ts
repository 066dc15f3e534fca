import { Socket } from 'node:net'

/** TCP keep-alive: detects idle connections whose other side is gone, before they are used again. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

/**
 * Makes sockets for connections to PostgreSQL that fail after `silenceMs` without traffic. Otherwise a network that drops packets silently would
 * block a statement for a quarter of an hour. Idle connections must be closed earlier, and statements must end earlier.
 */
export function watchedSocket(silenceMs: number): () => Socket {
  return () => {
    const socket = new Socket()
    socket.setTimeout(silenceMs, () => socket.destroy(new Error(`the database has not answered for ${silenceMs / 1000} s`)))
    return socket
  }
}
