import type { RateLimiter, RatePolicy, RateCount } from './rate-limit.ts'

interface Counter {
  hits: number
  endsAt: number
}

/** Addresses counted for each policy: about 10 MB when full. */
const subjectsMax = 100_000

/**
 * Counts in this process. A window begins with the first request of an address.
 *
 * All windows of one policy have the same length, so the insertion order of the map is the order in which the windows end. Expired windows
 * are at its front, and dropping them from there bounds the memory without a timer. When it is full, the oldest window is dropped.
 */
export function createMemoryRateLimiter({
  now,
  capacity = subjectsMax,
}: {
  readonly now: () => number
  readonly capacity?: number
}): RateLimiter {
  const tables = new Map<string, Map<string, Counter>>()

  function hit(policy: RatePolicy, subject: string, at: number): RateCount {
    let table = tables.get(policy.name)
    if (table === undefined) tables.set(policy.name, (table = new Map<string, Counter>()))
    let counter = table.get(subject)
    if (counter === undefined || counter.endsAt <= at) {
      table.delete(subject)
      makeRoom(table, at, capacity)
      counter = { hits: 0, endsAt: at + policy.windowSeconds * 1000 }
      table.set(subject, counter)
    }
    counter.hits++
    return { policy, hits: counter.hits, resetSeconds: Math.ceil((counter.endsAt - at) / 1000) }
  }

  return {
    consume(policies, subject) {
      const at = now()
      return policies.map((policy) => hit(policy, subject, at))
    },
  }
}

/** Drops up to two expired windows, or the oldest one when the table is full. */
function makeRoom(table: Map<string, Counter>, at: number, capacity: number): void {
  let dropped = 0
  for (const [subject, counter] of table) {
    if (dropped === 2 || (counter.endsAt > at && table.size < capacity)) return
    table.delete(subject)
    dropped++
  }
}
