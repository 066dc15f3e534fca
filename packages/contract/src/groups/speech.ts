import * as z from 'zod'
import { operation } from '#src/operation.ts'

const transcribe = operation({
  id: 'agent.transcribe',
  method: 'POST',
  path: '/api/v1/agent/transcribe',
  summary: 'Transcribe speech',
  description:
    'Takes audio as WAV, MP3, M4A, Ogg or WebM: as the body itself with any content type of audio, as `multipart/form-data` with the field `file`, or as JSON with the member `audio` in base64. At most 25 MiB and 2 hours. The format is recognized by its content. A configured model with the role `speech` transcribes it; nothing is stored. With `Accept: text/event-stream` and without `Idempotency-Key` the response is a stream: the audio is cut at its silences, and each piece of 8 to 30 seconds is an event `part` with its text, times and segments; then `end`, or `error` with a problem. Send the same audio with the last `id` as `Last-Event-ID` to get what follows.',
  stability: 'beta',
  auth: { scope: 'agents:run' },
  role: 'member',
  rateLimit: 'execution',
  audit: 'agent.transcribed',
  idempotency: 'keyed',
  transaction: 'own',
  bodyLimit: 25 * 1024 * 1024,
  rawBody: true,
  requestHeaders: ['Last-Event-ID'],
  query: z.strictObject({
    language: z
      .string()
      .regex(/^[a-z]{2,3}$/, { error: 'Must be a language code such as en or de.' })
      .optional()
      .describe('Language of the speech; recognized unless given.'),
    prompt: z.string().max(2000).optional().describe('Words that occur, such as names, or the text before.'),
  }),
  reply: z
    .object({
      text: z.string(),
      language: z.string().nullable().describe('As the model reports it.'),
      durationSeconds: z.number().nullable(),
      segments: z
        .array(
          z.object({
            start: z.number().describe('In seconds.'),
            end: z.number(),
            text: z.string(),
            confidence: z.number().min(0).max(1).nullable().describe('Null where the model reports none.'),
          }),
        )
        .describe('Empty if the model reports no times.'),
      model: z.string().describe('Name of the model in the configuration.'),
    })
    .meta({ id: 'Transcript' }),
  errors: [
    'consent_required',
    'model_not_configured',
    'model_unavailable',
    'quota_exceeded',
    'malformed_request',
    'ffmpeg_missing',
    'too_many_streams',
    'overloaded',
  ],
})

/** Speech to text. */
export const speech = { transcribe } as const
