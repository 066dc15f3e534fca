import type { WebFetch } from '#platform/net/web-fetch.ts'
import { wholeWeb } from '#modules/models/bounded-web.ts'
import type { ModelEndpoint, ModelUsage } from '#modules/models/model.ts'
import { openAiProvider, usageOfTexts } from '#modules/models/provider.ts'

export interface Embedded {
  /** One for each text, of the length 1. */
  readonly vectors: readonly Float32Array[]
  readonly usage: ModelUsage
}

const dimensionsMax = 16_384

/** Sends one request in the form of OpenAI's `/embeddings`. */
export async function embedAt(
  endpoint: ModelEndpoint,
  texts: readonly string[],
  web: Pick<WebFetch, 'fetch'>,
  signal: AbortSignal,
): Promise<Embedded> {
  const provider = await openAiProvider(endpoint, wholeWeb(web))
  const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(endpoint.timeoutMs)])
  const { embeddings, usage } = await provider.embeddingModel(endpoint.model).doEmbed({ values: [...texts], abortSignal })
  const length = embeddings[0]?.length ?? 0
  const isWhole = embeddings.length === texts.length && length > 0 && length <= dimensionsMax
  if (!isWhole || embeddings.some((embedding) => embedding.length !== length)) throw new InvalidVectors()
  return { vectors: embeddings.map(unit), usage: usageOfTexts(endpoint, usage?.tokens, texts) }
}

/** Has the name of what the provider library throws for a response that is not its protocol. */
class InvalidVectors extends Error {
  override readonly name = 'AI_InvalidResponseDataError'
}

/** The length is 1, so that the product of two is their similarity. */
function unit(embedding: readonly number[]): Float32Array {
  const length = Math.hypot(...embedding)
  return Float32Array.from(embedding, (value) => (length > 0 && Number.isFinite(length) ? value / length : 0))
}
