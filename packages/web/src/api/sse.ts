import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { lossOfStream } from '#src/api/lost-streams.ts'
import { noticeSilence } from '#src/api/silence.ts'
import { accessToken, useSession } from '#src/session/session.ts'
import { sessionFetch } from '#src/session/session-fetch.ts'

/** Attempts that do not reach the server, one after another; a single one is repaired before a person notices. */
const missesMax = 1
const pausesMs = [0, 1000, 2000, 5000, 15_000]

export interface Watching {
  readonly path: string
  readonly onEvent: (event: EventSourceMessage) => void
  /** Whether the stream is open at the moment. */
  readonly onLive?: (live: boolean) => void
  readonly signal: AbortSignal
  /** True for the event after which there is nothing more. */
  readonly isLast?: (event: EventSourceMessage) => boolean
  /** Whether the stream rests while the page is hidden: a browser opens six connections to a server at most, for all its tabs. */
  readonly restsUnseen?: boolean
}

const isExpired = () => useSession.getState().state === 'expired'
const expiredMs = 1000

/** A tab that is left for a moment keeps its stream. */
const unseenMs = 10_000

/** Reads a stream of events until its last one. After a lost connection it continues after the last event that it got. */
export async function watch(watching: Watching): Promise<void> {
  const setLost = lossOfStream()
  try {
    await read(watching, setLost)
  } finally {
    setLost(false)
  }
}

async function read({ path, onEvent, onLive, signal, isLast, restsUnseen = false }: Watching, setLost: (isLost: boolean) => void) {
  let last: string | undefined
  let ended = false
  let failures = 0
  let misses = 0
  const parser = createParser({
    onEvent: (event) => {
      if (event.id !== undefined) last = event.id
      failures = 0
      onEvent(event)
      ended ||= isLast?.(event) === true
    },
  })
  while (!ended && !signal.aborted) {
    // The page asks to sign in again, and continues then.
    if (isExpired()) {
      await pause(expiredMs, signal)
      continue
    }
    if (restsUnseen && (await untilSeen(signal)) === 'ended') return
    const unseen = new AbortController()
    const silence = noticeSilence()
    const stopLooking = restsUnseen ? whenUnseen(() => unseen.abort()) : undefined
    try {
      silence.heard()
      const response = await open(path, last, AbortSignal.any([signal, unseen.signal, silence.signal]))
      if (!response.ok || response.body === null) {
        if (response.status < 500 && response.status !== 429 && !isExpired()) return
        // A server that refuses is there; a proxy without its server is not.
        if (response.headers.get('content-type')?.startsWith('application/problem+json') === true) misses = -1
        throw new Error(`status ${response.status}`)
      }
      misses = 0
      setLost(false)
      onLive?.(true)
      for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
        silence.heard()
        parser.feed(text)
      }
    } catch {
      if (signal.aborted) return
      if (!unseen.signal.aborted) {
        failures += 1
        // A person has waited long enough for a stream that fell silent.
        misses = silence.signal.aborted ? missesMax + 1 : misses + 1
      }
      setLost(misses > missesMax)
    } finally {
      silence.end()
      stopLooking?.()
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

/** Waits until the page is seen, or until the signal aborts. */
function untilSeen(signal: AbortSignal): Promise<'seen' | 'ended'> {
  return new Promise((resolve) => {
    const looking = new AbortController()
    const look = () => {
      if (document.hidden && !signal.aborted) return
      looking.abort()
      resolve(signal.aborted ? 'ended' : 'seen')
    }
    document.addEventListener('visibilitychange', look, { signal: looking.signal })
    signal.addEventListener('abort', look, { signal: looking.signal })
    look()
  })
}

/** Acts once the page has been hidden for a while. @returns what ends that. */
function whenUnseen(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(timer)
    timer = document.hidden ? setTimeout(act, unseenMs) : undefined
  }
  document.addEventListener('visibilitychange', look)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
