import { streamHeartbeatMs } from '@millrace/contract'
import { pause } from '@millrace/engine'
import { type EventStreams, eventText, heartbeatText, type StreamSource } from '#platform/http/index.ts'
import type { ChatEvent } from './chat-service.ts'

/** Streams the events of an answer, then the answer itself as `message`, or `error` with a problem. */
export function chatStream(
  work: (signal: AbortSignal, onEvent: (event: ChatEvent) => void) => Promise<object>,
  problemOf: EventStreams['problemOf'],
): StreamSource {
  return {
    async *make(signal) {
      const texts: string[] = []
      let ended = false
      let wake = new AbortController()
      const push = (name: string, data: object) => {
        texts.push(eventText({ name, data }))
        wake.abort()
      }
      void work(signal, ({ kind, ...data }) => push(kind, data))
        .then(
          (answer) => push('message', answer),
          (error: unknown) => {
            if (!signal.aborted) push('error', problemOf(error))
          },
        )
        .finally(() => {
          ended = true
          wake.abort()
        })
      for (;;) {
        yield* texts.splice(0)
        if (signal.aborted || (ended && texts.length === 0)) return
        wake = new AbortController()
        if (texts.length === 0) await pause(streamHeartbeatMs, AbortSignal.any([signal, wake.signal]))
        if (texts.length === 0 && !ended) yield heartbeatText
      }
    },
  }
}
