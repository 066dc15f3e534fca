import { createHash } from 'node:crypto'
import { Fault, streamHeartbeatMs } from '@millrace/contract'
import { pause } from '@millrace/engine'
import type { Models } from '#modules/models/index.ts'
import { type EventStreams, eventText, heartbeatText, retryText, type StreamCaller } from '#platform/http/index.ts'
import { openPieces } from './pieces/open-pieces.ts'
import type { Audio } from './read-audio.ts'
import { transcribe } from './transcribe.ts'
import { segmentViews } from './views.ts'

export interface TranscriptStreamsDeps {
  readonly models: Pick<Models, 'with'>
  readonly eventStreams: EventStreams
  /** Time without an event after which a comment is sent. */
  readonly heartbeatMs?: number
}

export interface StreamedAudio {
  readonly audio: Audio
  readonly language: string | undefined
  readonly prompt: string | undefined
}

/** Streams of this process at a time: each has a file, and at times a process of ffmpeg. */
const streamsMax = 8
/** Of one account, so that it leaves room for others. */
const perAccountMax = 2
const contextMax = 200

/**
 * Streams transcripts piece by piece. A piece is cut and sent to the model when the client has read all but the last 16 KiB of those before it.
 * A client that is gone therefore costs no more. Nothing is stored: a client that was disconnected sends the same audio with the id of the last
 * event, and gets what follows.
 */
export function createTranscriptStreams({ models, eventStreams, heartbeatMs = streamHeartbeatMs }: TranscriptStreamsDeps) {
  const open = new Map<string, number>()

  /** @returns the function that releases the slot, to be called once. */
  function acquireSlot(accountId: string): () => void {
    const own = open.get(accountId) ?? 0
    if (own >= perAccountMax) throw new Fault('too_many_streams', { retryAfterSeconds: 10 })
    if (open.values().reduce((sum, count) => sum + count, 0) >= streamsMax) throw new Fault('overloaded', { retryAfterSeconds: 10 })
    open.set(accountId, own + 1)
    return () => {
      const left = (open.get(accountId) ?? 1) - 1
      if (left === 0) open.delete(accountId)
      else open.set(accountId, left)
    }
  }

  async function* events(
    caller: StreamCaller,
    given: StreamedAudio,
    pieces: Awaited<ReturnType<typeof openPieces>>,
    { digest, next }: { readonly digest: string; readonly next: number },
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    yield retryText
    let before = given.prompt ?? ''
    try {
      for (const [index, span] of pieces.spans.entries()) {
        if (index < next) continue
        const work = pieces.read(span, signal).then((audio) =>
          transcribe(models, {
            accountId: caller.accountId,
            audio,
            language: given.language,
            prompt: before === '' ? undefined : before,
            signal,
          }),
        )
        yield* heartbeatsDuring(work, heartbeatMs, signal)
        const { text, language, segments, model } = await work
        before = `${given.prompt ?? ''} ${text}`.trim().slice(-contextMax)
        const times = segments.length === 0 ? [{ start: 0, end: span.end - span.start, text, confidence: undefined }] : segments
        const data = { part: index, ...span, text, language: language ?? null, segments: segmentViews(times, span.start), model }
        yield eventText({ name: 'part', id: `${digest}-${index + 1}`, data })
      }
      const data = { parts: pieces.spans.length, durationSeconds: pieces.seconds }
      yield eventText({ name: 'end', id: `${digest}-${pieces.spans.length}`, data })
    } catch (error) {
      if (!signal.aborted) yield eventText({ name: 'error', data: eventStreams.problemOf(error) })
    }
  }

  return {
    /**
     * Faults: `request_invalid`, `ffmpeg_missing`, `too_many_streams`, `overloaded`.
     *
     * @param signal aborts when the client leaves before the stream is open.
     */
    open(caller: StreamCaller, given: StreamedAudio, lastEventId: string | undefined, signal: AbortSignal) {
      const digest = createHash('sha256').update(given.audio.bytes).digest('hex').slice(0, 16)
      const next = positionOf(lastEventId, digest)
      return eventStreams.open(caller, async () => {
        const release = acquireSlot(caller.accountId)
        try {
          const pieces = await openPieces(given.audio, signal)
          return {
            make: (whileOpen) => events(caller, given, pieces, { digest, next }, whileOpen),
            onClose() {
              release()
              return pieces.close()
            },
          }
        } catch (error) {
          release()
          throw error
        }
      })
    },
  }
}

/** Comments while something takes long. */
async function* heartbeatsDuring(work: Promise<unknown>, everyMs: number, signal: AbortSignal): AsyncGenerator<string> {
  const settled = new AbortController()
  const settle = () => settled.abort()
  work.then(settle, settle)
  const over = AbortSignal.any([signal, settled.signal])
  for (;;) {
    await pause(everyMs, over)
    if (over.aborted) return
    yield heartbeatText
  }
}

/** How many pieces the client has, by the id of the last event. Fault `request_invalid` for the id of another audio. */
function positionOf(lastEventId: string | undefined, digest: string): number {
  if (lastEventId === undefined) return 0
  const [, of, next] = /^([0-9a-f]{16})-(\d{1,5})$/.exec(lastEventId) ?? []
  if (of === digest) return Number(next)
  throw new Fault('request_invalid', {
    errors: [{ pointer: '/last-event-id', detail: 'This is not the `id` of an event of the stream of this audio.', in: 'header' }],
  })
}
