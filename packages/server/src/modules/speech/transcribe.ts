import { EndpointError, headersOf, type ModelEndpoint, type Models } from '#modules/models/index.ts'
import type { WebFetch } from '#platform/net/web-fetch.ts'
import * as z from 'zod'
import type { Audio } from './read-audio.ts'

const Segment = z.object({ start: z.number(), end: z.number(), text: z.string(), avg_logprob: z.number().nullish() })
const Reported = z.object({
  text: z.string(),
  language: z.string().nullish(),
  duration: z.coerce.number().nullish(),
  segments: z.array(Segment).nullish(),
})

export interface TranscriptRequest {
  readonly accountId: string
  readonly audio: Audio
  readonly language: string | undefined
  readonly prompt: string | undefined
  readonly signal: AbortSignal
}

export interface Transcript {
  readonly text: string
  readonly language: string | undefined
  readonly seconds: number | undefined
  readonly segments: readonly {
    readonly start: number
    readonly end: number
    readonly text: string
    readonly confidence: number | undefined
  }[]
  readonly model: string
}

/** Transcribes audio with the models of the role `speech`. */
export function transcribe(models: Pick<Models, 'with'>, request: TranscriptRequest): Promise<Transcript> {
  const { accountId, audio, signal } = request
  return models.with({ accountId, role: 'speech', signal }, async (endpoint, web) => {
    const { text, language, duration, segments } = await ask(endpoint, web, request)
    return {
      text: text.trim(),
      language: language ?? undefined,
      seconds: duration ?? audio.seconds,
      segments: (segments ?? []).map((segment) => ({
        start: segment.start,
        end: segment.end,
        text: segment.text.trim(),
        confidence: confidenceOf(segment.avg_logprob ?? undefined),
      })),
      model: endpoint.name,
    }
  })
}

/** One request in the form of OpenAI's `/audio/transcriptions`. */
async function ask(endpoint: ModelEndpoint, web: Pick<WebFetch, 'fetch'>, { audio, language, prompt, signal }: TranscriptRequest) {
  const form = new FormData()
  form.set('model', endpoint.model)
  form.set('response_format', 'verbose_json')
  if (language !== undefined) form.set('language', language)
  if (prompt !== undefined) form.set('prompt', prompt)
  form.set('file', new Blob([new Uint8Array(audio.bytes)], { type: audio.mediaType }), `audio.${audio.extension}`)
  const encoded = new Response(form)
  const response = await web.fetch(`${endpoint.url}/audio/transcriptions`, {
    method: 'POST',
    headers: { ...headersOf(endpoint), 'content-type': encoded.headers.get('content-type') ?? '' },
    body: new Uint8Array(await encoded.arrayBuffer()),
    signal: AbortSignal.any([signal, AbortSignal.timeout(endpoint.timeoutMs)]),
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new EndpointError(response)
  }
  return Reported.parse(await response.json())
}

/** The mean probability of the tokens, from the mean of their logarithms. */
function confidenceOf(logarithm: number | undefined): number | undefined {
  return logarithm === undefined ? undefined : Math.min(1, Math.max(0, Math.exp(logarithm)))
}
