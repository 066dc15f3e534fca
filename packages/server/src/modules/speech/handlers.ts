import type { speech } from '@millrace/contract'
import type { Models } from '#modules/models/index.ts'
import { eventStreamHeaders, type HandlersFor, respondStream } from '#platform/http/index.ts'
import type { AudioDuration } from './audio-duration.ts'
import { readAudio } from './read-audio.ts'
import { transcribe } from './transcribe.ts'
import type { createTranscriptStreams } from './transcript-stream.ts'
import { segmentViews } from './views.ts'

export interface SpeechHandlersDeps {
  readonly models: Pick<Models, 'with' | 'assertRole'>
  readonly durationOf: AudioDuration
  readonly streams: ReturnType<typeof createTranscriptStreams>
}

/** Handlers of the group `speech`. */
export function speechHandlers({ models, durationOf, streams }: SpeechHandlersDeps): HandlersFor<typeof speech> {
  return {
    async transcribe(ctx, { query: { language, prompt } }) {
      const { accountId } = ctx
      await models.assertRole(accountId, 'speech')
      const { body, headers } = ctx.raw
      const audio = await readAudio(headers['content-type'] ?? '', body, (content) => durationOf(accountId, content))
      // A stored response is JSON, so a request that may be repeated gets JSON.
      if (ctx.acceptsEventStream && ctx.idempotencyKey === undefined) {
        const stream = await ctx.whileConnected((signal) => streams.open(ctx, { audio, language, prompt }, ctx.lastEventId, signal))
        ctx.audit({ details: { bytes: audio.bytes.length, format: audio.extension, streamed: true } })
        return respondStream(stream, { headers: eventStreamHeaders })
      }
      const transcript = await ctx.whileConnected((signal) => transcribe(models, { accountId, audio, language, prompt, signal }))
      ctx.audit({ details: { bytes: audio.bytes.length, format: audio.extension, model: transcript.model } })
      return {
        text: transcript.text,
        language: transcript.language ?? null,
        durationSeconds: transcript.seconds ?? null,
        segments: segmentViews(transcript.segments, 0),
        model: transcript.model,
      }
    },
  }
}
