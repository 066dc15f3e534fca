import { LRUCache } from 'lru-cache'
import { counterKey, type RateCount, type RateLimiter, type RatePolicy } from './rate-limit.ts'

export interface OptimisticRateLimiter extends RateLimiter {
  /** Sends all requests to the shared place and resolves when they are counted; to be awaited before that place is closed. */
  settled(): Promise<void>
}

/** One window of a subject. */
interface Counter {
  /** The last count of the shared place that this process knows. */
  known: number
  /** Requests of this process that this count lacks: they wait to be sent, are on their way, or were not taken. */
  pending: number
  /** The pending ones that the shared place has not taken. */
  refused: number
  /** 0 before the first count. */
  endsAtMs: number
}

interface Request {
  readonly policies: readonly RatePolicy[]
  readonly subject: string
  /** In which it is pending, in the order of the policies. */
  readonly counters: readonly Counter[]
  /** The shared place has not taken it before. */
  readonly isRefused: boolean
}

/** Of a limit: beyond this share, each request waits for the shared count. */
const optimisticShareMax = 0.5
/** Of a limit: requests of a process that the shared count lacks, beyond which each waits for it. Five processes that do so stay within the limit. */
const pendingShareMax = 0.1
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

  /** The counter of the current window. */
  function counterOf(policy: RatePolicy, subject: string): Counter {
    const key = counterKey(policy.name, subject)
    const found = counters.get(key)
    if (found !== undefined && (found.endsAtMs === 0 || found.endsAtMs > now())) return found
    const counter = { known: 0, pending: 0, refused: 0, endsAtMs: 0 }
    counters.set(key, counter)
    return counter
  }

  function pendingRequest(policies: readonly RatePolicy[], subject: string): Request {
    const request = { policies, subject, counters: policies.map((policy) => counterOf(policy, subject)), isRefused: false }
    for (const counter of request.counters) counter.pending += 1
    return request
  }

  /** Sends a request again later that the shared place did not take. */
  function retry(request: Request): void {
    const isKept = state.unsent.length < retriedMax
    if (!isKept) end(request)
    for (const counter of request.counters) {
      if (!isKept) counter.known += 1
      else if (!request.isRefused) counter.refused += 1
    }
    if (!isKept) return
    state.unsent.push({ ...request, isRefused: true })
    state.timer ??= setTimeout(send, retryAfterMs).unref()
  }

  /** Counts a request in this process that the shared place did not take. */
  function countAlone(request: Request): readonly RateCount[] {
    const { policies, subject } = request
    const atMs = now()
    end(request)
    const again = pendingRequest(policies, subject)
    for (const [index, counter] of again.counters.entries())
      if (counter.endsAtMs === 0) counter.endsAtMs = atMs + (policies[index]?.windowSeconds ?? 0) * 1000
    retry(again)
    return countsOf(again, atMs, ({ known, refused }) => known + refused)
  }

  /** A count of the shared place includes every request that it took before this one. */
  async function countShared(request: Request): Promise<readonly RateCount[]> {
    const { policies, subject } = request
    const counts = await shared.consume(policies, subject)
    end(request)
    return counts.map(({ policy, hits, resetSeconds }) => {
      const counter = counterOf(policy, subject)
      Object.assign(counter, { known: hits, endsAtMs: now() + resetSeconds * 1000 })
      return { policy, hits: hits + counter.refused, resetSeconds }
    })
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
    const atMs = now()
    // What was not taken in a window that has ended concerns no other one.
    const requests = state.unsent.filter(({ isRefused, counters: own }) => !isRefused || own.some(({ endsAtMs }) => endsAtMs > atMs))
    Object.assign(state, { unsent: [], timer: undefined })
    for (const request of requests) {
      const sent = countShared(request).catch(() => retry(request))
      sending.add(sent)
      void sent.finally(() => sending.delete(sent))
    }
  }

  return {
    consume(policies, subject) {
      const atMs = now()
      const isHere = policies.every((policy) => isFarBelow(policy, counterOf(policy, subject)))
      const request = pendingRequest(policies, subject)
      if (!isHere) {
        // The shared count is to include what this process has counted.
        send()
        return countSharedOrAlone(request)
      }
      state.unsent.push(request)
      state.timer ??= setTimeout(send, sendAfterMs).unref()
      return countsOf(request, atMs, ({ known, pending }) => known + pending)
    },
    async settled() {
      send()
      await Promise.all(sending)
      clearTimeout(state.timer)
    },
  }
}

/** A request is pending no longer. */
function end({ counters, isRefused }: Request): void {
  for (const counter of counters) {
    counter.pending -= 1
    if (isRefused) counter.refused -= 1
  }
}

function countsOf({ policies, counters }: Request, atMs: number, hitsOf: (counter: Counter) => number): readonly RateCount[] {
  return counters.flatMap((counter, index) => {
    const policy = policies[index]
    return policy === undefined ? [] : [{ policy, hits: hitsOf(counter), resetSeconds: Math.ceil((counter.endsAtMs - atMs) / 1000) }]
  })
}

/** Whether a request need not wait for the shared count. */
function isFarBelow({ limit }: RatePolicy, { known, pending, endsAtMs }: Counter): boolean {
  return endsAtMs > 0 && known + pending < limit * optimisticShareMax && pending < limit * pendingShareMax
}
