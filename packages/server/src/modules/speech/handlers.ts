import type { speech } from '@millrace/contract'
import type { Models } from '#modules/models/index.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import type { AudioDuration } from './audio-duration.ts'
import { readAudio } from './read-audio.ts'
import { transcribe } from './transcribe.ts'

/** Handlers of the group `speech`. */
export function speechHandlers(models: Pick<Models, 'with' | 'assertRole'>, durationOf: AudioDuration): HandlersFor<typeof speech> {
  return {
    async transcribe(ctx, { query: { language, prompt } }) {
      models.assertRole('speech')
      const { body, headers } = ctx.raw
      const { accountId } = ctx
      const audio = await readAudio(headers['content-type'] ?? '', body, (content) => durationOf(accountId, content))
      const transcript = await ctx.whileConnected((signal) => transcribe(models, { accountId, audio, language, prompt, signal }))
      ctx.audit({ details: { bytes: audio.bytes.length, format: audio.extension, model: transcript.model } })
      return {
        text: transcript.text,
        language: transcript.language ?? null,
        durationSeconds: transcript.seconds ?? null,
        segments: transcript.segments.map(({ confidence, ...segment }) => ({ ...segment, confidence: confidence ?? null })),
        model: transcript.model,
      }
    },
  }
}
