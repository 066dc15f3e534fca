import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { accessToken } from '#src/session/session.ts'
import { sessionFetch } from '#src/session/session-fetch.ts'

const pausesMs = [0, 1000, 2000, 5000, 15_000]

export interface Watching {
  readonly path: string
  readonly onEvent: (event: EventSourceMessage) => void
  /** Whether the stream is open at the moment. */
  readonly onLive?: (live: boolean) => void
  readonly signal: AbortSignal
  /** True for the event after which there is nothing more. */
  readonly isLast?: (event: EventSourceMessage) => boolean
}

/** Reads a stream of events until its last one. After a lost connection it continues after the last event that it got. */
export async function watch({ path, onEvent, onLive, signal, isLast }: Watching): Promise<void> {
  let last: string | undefined
  let ended = false
  let failures = 0
  const parser = createParser({
    onEvent: (event) => {
      if (event.id !== undefined) last = event.id
      failures = 0
      onEvent(event)
      ended ||= isLast?.(event) === true
    },
  })
  while (!ended && !signal.aborted) {
    try {
      const response = await open(path, last, signal)
      if (!response.ok || response.body === null) {
        if (response.status < 500 && response.status !== 429) return
        throw new Error(`status ${response.status}`)
      }
      onLive?.(true)
      for await (const text of response.body.pipeThrough(new TextDecoderStream())) parser.feed(text)
    } catch {
      if (signal.aborted) return
      failures += 1
    } finally {
      parser.reset()
      onLive?.(false)
    }
    if (!ended) await pause(pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 0, signal)
  }
}

async function open(path: string, last: string | undefined, signal: AbortSignal): Promise<Response> {
  const token = await accessToken()
  const headers: Record<string, string> = {
    accept: 'text/event-stream',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  return sessionFetch(path, { headers: last === undefined ? headers : { ...headers, 'last-event-id': last }, signal })
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms + Math.random() * ms * 0.2)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
