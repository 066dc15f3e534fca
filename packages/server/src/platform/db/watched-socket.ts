import { Socket } from 'node:net'

/** Probes a connection on which nothing is under way after so long, so that one whose other side is gone is not used again. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

/**
 * Makes sockets for connections to PostgreSQL that break when nothing has come or gone for `silenceMs`. A network that loses everything
 * without a word would hold who waits for an answer for a quarter of an hour otherwise. Idle connections have to be closed before; a
 * statement may not run for longer.
 */
export function watchedSocket(silenceMs: number): () => Socket {
  return () => {
    const socket = new Socket()
    socket.setTimeout(silenceMs, () => socket.destroy(new Error(`the database has not answered for ${silenceMs / 1000} s`)))
    return socket
  }
}
