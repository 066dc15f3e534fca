import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { WebFetch } from '#platform/net/web-fetch.ts'
import type { ModelEndpoint, ModelUsage } from '#modules/models/model.ts'
import { embedAt } from './embed-at.ts'

export interface VectorsRequest {
  readonly accountId: string
  readonly signal: AbortSignal
  /** Called with the usage of each request. */
  readonly record: (usage: ModelUsage) => Promise<unknown>
}

/** Texts of one request: the response, which is parsed as a whole, has up to 100 KB for each. */
const batchMax = 40
/** At 4 KB each on average, about 16 MB. */
const vectorsMax = 4_000

/** Embeds texts, and keeps the vectors in this process so that the texts of connectors are sent once. */
export function createVectors() {
  const kept = new LRUCache<string, Float32Array>({ max: vectorsMax })

  return async (
    endpoint: ModelEndpoint,
    texts: readonly string[],
    web: Pick<WebFetch, 'fetch'>,
    { accountId, signal, record }: VectorsRequest,
  ): Promise<readonly Float32Array[]> => {
    const keys = texts.map((text) => keyOf(endpoint, accountId, text))
    const found = new Map<string, Float32Array>()
    const missing = new Map<string, string>()
    for (const [index, key] of keys.entries()) {
      const vector = kept.get(key)
      if (vector === undefined) missing.set(key, texts[index] ?? '')
      else found.set(key, vector)
    }
    const entries = [...missing]
    for (let from = 0; from < entries.length; from += batchMax) {
      const batch = entries.slice(from, from + batchMax)
      const sent = batch.map(([, text]) => text)
      const { vectors, usage } = await embedAt(endpoint, sent, web, signal)
      await record(usage)
      for (const [index, vector] of vectors.entries()) {
        const key = batch[index]?.[0] ?? ''
        found.set(key, vector)
        kept.set(key, vector)
      }
    }
    return keys.map((key) => found.get(key) ?? new Float32Array())
  }
}

/** What the model of an account returned is used for this account alone. */
function keyOf({ owner, url, model }: ModelEndpoint, accountId: string, text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([owner === 'account' ? accountId : '', url, model, text]))
    .digest('base64')
}
