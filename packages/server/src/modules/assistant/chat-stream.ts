import { Readable } from 'node:stream'
import { errorCatalogue, Fault } from '@millrace/contract'
import type { ChatEvent } from './chat-service.ts'

/** Streams the events of an answer, then the answer itself as `message`, or `error` with a problem. */
export function chatStream(work: (signal: AbortSignal, onEvent: (event: ChatEvent) => void) => Promise<object>): Readable {
  const closed = new AbortController()
  const stream = new Readable({
    read: () => undefined,
    destroy(error, done) {
      closed.abort()
      done(error)
    },
  })
  const push = (event: string, data: object) => {
    if (!stream.destroyed) stream.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }
  const heartbeat = setInterval(() => !stream.destroyed && stream.push(': working\n\n'), 15_000)
  work(closed.signal, ({ kind, ...data }) => push(kind, data))
    .then((answer) => push('message', answer))
    .catch((error: unknown) => {
      const code = error instanceof Fault ? error.code : 'internal'
      push('error', { code, ...errorCatalogue[code], ...(error instanceof Fault ? { detail: error.message } : {}) })
    })
    .finally(() => {
      clearInterval(heartbeat)
      if (!stream.destroyed) stream.push(null)
    })
  return stream
}
