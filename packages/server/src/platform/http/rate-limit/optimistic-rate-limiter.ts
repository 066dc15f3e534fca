import { LRUCache } from 'lru-cache'
import type { RateCount, RateLimiter, RatePolicy } from './rate-limit.ts'

export interface OptimisticRateLimiter extends RateLimiter {
  /** Resolves when every request is counted in the shared place; to be awaited before that place is closed. */
  settled(): Promise<void>
}

interface Counter {
  hits: number
  endsAtMs: number
}

/** Of a limit: beyond this share, each request waits for the shared count. */
const optimisticShareMax = 0.5
const countersMax = 100_000

/**
 * Responds with the count of this process while an address is far below its limits, so that a request does not wait for the shared count, which
 * includes it a moment later. Near a limit the shared count decides. A process learns of the requests to other processes with its own next one;
 * only requests that are being counted at the same moment can exceed a limit.
 */
export function createOptimisticRateLimiter(shared: RateLimiter, now: () => number): OptimisticRateLimiter {
  const counters = new LRUCache<string, Counter>({ max: countersMax })
  const counting = new Set<Promise<unknown>>()

  function countHere(policies: readonly RatePolicy[], subject: string): readonly RateCount[] | undefined {
    const atMs = now()
    const counts: RateCount[] = []
    for (const policy of policies) {
      const counter = counters.get(keyOf(policy, subject))
      if (counter === undefined || counter.endsAtMs <= atMs || counter.hits >= policy.limit * optimisticShareMax) return undefined
      counts.push({ policy, hits: counter.hits + 1, resetSeconds: Math.ceil((counter.endsAtMs - atMs) / 1000) })
    }
    for (const { policy, hits } of counts) {
      const counter = counters.get(keyOf(policy, subject))
      if (counter !== undefined) counter.hits = hits
    }
    return counts
  }

  async function countShared(policies: readonly RatePolicy[], subject: string): Promise<readonly RateCount[]> {
    const counts = await shared.consume(policies, subject)
    const atMs = now()
    for (const { policy, hits, resetSeconds } of counts) {
      const key = keyOf(policy, subject)
      const counter = counters.get(key)
      // Requests that were counted here since are not in the shared count yet.
      const hitsHere = counter !== undefined && counter.endsAtMs > atMs ? counter.hits : 0
      counters.set(key, { hits: Math.max(hits, hitsHere), endsAtMs: atMs + resetSeconds * 1000 })
    }
    return counts
  }

  return {
    consume(policies, subject) {
      const counts = countHere(policies, subject)
      const shares = countShared(policies, subject)
      if (counts === undefined) return shares
      counting.add(shares)
      void shares.finally(() => counting.delete(shares))
      return counts
    },
    async settled() {
      await Promise.all(counting)
    },
  }
}

function keyOf({ name }: RatePolicy, subject: string): string {
  return `${name} ${subject}`
}
