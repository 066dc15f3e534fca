import { LRUCache } from 'lru-cache'
import { counterKey, type RateCount, type RateLimiter, type RatePolicy } from './rate-limit.ts'

export interface OptimisticRateLimiter extends RateLimiter {
  /** Sends all requests to the shared place and resolves when they are counted; to be awaited before that place is closed. */
  settled(): Promise<void>
}

interface Counter {
  readonly policy: RatePolicy
  hits: number
  /** Requests of these hits that the shared place does not know. */
  unsent: number
  endsAtMs: number
}

interface Request {
  readonly policies: readonly RatePolicy[]
  readonly subject: string
}

/** Of a limit: beyond this share, each request waits for the shared count. */
const optimisticShareMax = 0.5
/** Of a limit: requests that a process counts alone at one time. Five processes that do so stay within the limit. */
const unsentShareMax = 0.1
const sendAfterMs = 100
const retryAfterMs = 1_000
/** Requests that wait for a shared place that does not respond; further ones are counted in this process only. */
const retriedMax = 1_000
const countersMax = 100_000

export interface OptimisticRateLimiterDeps {
  /** Rejects while the shared place does not respond. */
  readonly shared: RateLimiter
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

/**
 * Responds with the count of this process while an address is far below its limits, so that a request does not wait for the shared count, which
 * gets it with others within 100 ms. Near a limit the shared count decides. A kill loses the requests that are not sent yet.
 *
 * While the shared place does not respond, this process continues from the last count it knows, and sends its requests later.
 */
export function createOptimisticRateLimiter({ shared, now, onError }: OptimisticRateLimiterDeps): OptimisticRateLimiter {
  // `max` would allocate the room for all of them at once.
  const counters = new LRUCache<string, Counter>({ maxSize: countersMax, sizeCalculation: () => 1 })
  const sending = new Set<Promise<unknown>>()
  const state: { unsent: Request[]; timer: NodeJS.Timeout | undefined } = { unsent: [], timer: undefined }

  function countHere(policies: readonly RatePolicy[], subject: string): readonly RateCount[] | undefined {
    const atMs = now()
    const found = policies.map((policy) => farBelow(counters.get(counterKey(policy.name, subject)), atMs))
    if (!found.every((counter) => counter !== undefined)) return undefined
    return found.map((counter) => {
      counter.hits += 1
      counter.unsent += 1
      return { policy: counter.policy, hits: counter.hits, resetSeconds: Math.ceil((counter.endsAtMs - atMs) / 1000) }
    })
  }

  function keep(request: Request): void {
    for (const { name } of request.policies) {
      const counter = counters.get(counterKey(name, request.subject))
      if (counter !== undefined) counter.unsent += 1
    }
    state.unsent.push(request)
  }

  /** Counts a request that the shared place did not take. */
  function countAlone(request: Request): readonly RateCount[] {
    const atMs = now()
    const counts = request.policies.map((policy): RateCount => {
      const key = counterKey(policy.name, request.subject)
      const known = counters.get(key)
      const counter =
        known === undefined || known.endsAtMs <= atMs ? { policy, hits: 0, unsent: 0, endsAtMs: atMs + policy.windowSeconds * 1000 } : known
      counter.hits += 1
      counters.set(key, counter)
      return { policy, hits: counter.hits, resetSeconds: Math.ceil((counter.endsAtMs - atMs) / 1000) }
    })
    retry(request)
    return counts
  }

  function retry(request: Request): void {
    if (state.unsent.length >= retriedMax) return
    keep(request)
    state.timer ??= setTimeout(send, retryAfterMs).unref()
  }

  async function countShared({ policies, subject }: Request): Promise<readonly RateCount[]> {
    const counts = await shared.consume(policies, subject)
    const atMs = now()
    for (const { policy, hits, resetSeconds } of counts) {
      const key = counterKey(policy.name, subject)
      const unsent = counters.get(key)?.unsent ?? 0
      counters.set(key, { policy, hits: hits + unsent, unsent, endsAtMs: atMs + resetSeconds * 1000 })
    }
    return counts
  }

  async function countSharedOrAlone(request: Request): Promise<readonly RateCount[]> {
    try {
      return await countShared(request)
    } catch (error) {
      onError(error)
      return countAlone(request)
    }
  }

  /** All in one turn of the event loop, so that they share a statement. */
  function send(): void {
    clearTimeout(state.timer)
    const requests = state.unsent
    Object.assign(state, { unsent: [], timer: undefined })
    for (const request of requests) {
      for (const policy of request.policies) {
        const counter = counters.get(counterKey(policy.name, request.subject))
        if (counter !== undefined && counter.unsent > 0) counter.unsent -= 1
      }
      const sent = countShared(request).catch(() => retry(request))
      sending.add(sent)
      void sent.finally(() => sending.delete(sent))
    }
  }

  return {
    consume(policies, subject) {
      const counts = countHere(policies, subject)
      if (counts === undefined) {
        // The shared count is to include what this process has counted.
        send()
        return countSharedOrAlone({ policies, subject })
      }
      state.unsent.push({ policies, subject })
      state.timer ??= setTimeout(send, sendAfterMs).unref()
      return counts
    },
    async settled() {
      send()
      await Promise.all(sending)
      clearTimeout(state.timer)
    },
  }
}

/** The counter, if it is far below the limit of its policy. */
function farBelow(counter: Counter | undefined, atMs: number): Counter | undefined {
  if (counter === undefined || counter.endsAtMs <= atMs) return undefined
  const { policy, hits, unsent } = counter
  return hits < policy.limit * optimisticShareMax && unsent < policy.limit * unsentShareMax ? counter : undefined
}
