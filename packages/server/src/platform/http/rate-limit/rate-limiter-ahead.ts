import type { RateLimiter, RatePolicy, RateStanding } from './rate-limit.ts'

/** Counts in a place that all processes share. */
export interface SharedCounter {
  /** Counts `times` requests of `subject` against each policy; the standings are those of the last of them. Does not reject. */
  consume(policies: readonly RatePolicy[], subject: string, times: number): Promise<readonly RateStanding[]>
}

export interface AheadRateLimiterDeps {
  readonly shared: SharedCounter
  /** Milliseconds. */
  readonly now: () => number
  readonly capacity?: number
}

export interface AheadRateLimiter extends RateLimiter {
  /** Tells the shared place what it has not been told yet. To be called when no more requests come, and before that place is closed. */
  flush(): Promise<void>
}

/** What the shared place last told of an address and a policy, and what it has not been told yet. */
interface Known {
  readonly policy: RatePolicy
  readonly subject: string
  hits: number
  ahead: number
  endsAt: number
}

/** Of a limit: who has used more of it is counted by the shared place before each answer. */
const usedShareMax = 0.5
/** Of a limit: what one process counts by itself before it tells. Five processes that do so at once stay within the limit. */
const aheadShareMax = 0.1
const tellAfterMs = 100
const capacityDefault = 100_000

/**
 * Spares requests the way to the shared place while their address is far from its limits: they are counted here, and told together a moment
 * later. What is lost when the process is killed in between is that moment's count.
 */
export function createAheadRateLimiter({ shared, now, capacity = capacityDefault }: AheadRateLimiterDeps): AheadRateLimiter {
  const known = new Map<string, Known>()
  const untold = new Set<Known>()
  const underWay = new Set<Promise<void>>()
  let telling: NodeJS.Timeout | undefined

  function mayGoAhead(policy: RatePolicy, subject: string, at: number): Known | undefined {
    const counter = known.get(keyOf(policy, subject))
    if (counter === undefined || counter.endsAt <= at) return undefined
    const { hits, ahead } = counter
    return ahead < policy.limit * aheadShareMax && hits + ahead < policy.limit * usedShareMax ? counter : undefined
  }

  function goAhead(counter: Known, at: number): RateStanding {
    counter.ahead += 1
    untold.add(counter)
    telling ??= setTimeout(tell, tellAfterMs).unref()
    return { policy: counter.policy, hits: counter.hits + counter.ahead, resetSeconds: Math.ceil((counter.endsAt - at) / 1000) }
  }

  function tell(): void {
    clearTimeout(telling)
    telling = undefined
    const at = now()
    const counters = [...untold].filter(({ endsAt }) => endsAt > at)
    untold.clear()
    for (const counter of counters) {
      const { policy, subject, ahead } = counter
      const told = shared.consume([policy], subject, ahead).then((standings) => {
        counter.ahead -= ahead
        learn(standings, subject)
        underWay.delete(told)
      })
      underWay.add(told)
    }
  }

  function learn(standings: readonly RateStanding[], subject: string): void {
    const at = now()
    for (const { policy, hits, resetSeconds } of standings) {
      const key = keyOf(policy, subject)
      const counter = known.get(key) ?? { policy, subject, hits: 0, ahead: 0, endsAt: 0 }
      Object.assign(counter, { hits, endsAt: at + resetSeconds * 1000 })
      // To the end, so that what was longest not heard of is in front.
      known.delete(key)
      known.set(key, counter)
    }
    for (const key of known.keys()) {
      if (known.size <= capacity) break
      known.delete(key)
    }
  }

  return {
    consume(policies, subject) {
      const at = now()
      const counters = policies.map((policy) => mayGoAhead(policy, subject, at))
      if (counters.every((counter) => counter !== undefined)) return counters.map((counter) => goAhead(counter, at))
      return ask(policies, subject)
    },
    async flush() {
      tell()
      await Promise.all(underWay)
    },
  }

  async function ask(policies: readonly RatePolicy[], subject: string): Promise<readonly RateStanding[]> {
    // First, so that this one is counted after all that came before it.
    if (untold.size > 0) tell()
    const standings = await shared.consume(policies, subject, 1)
    learn(standings, subject)
    return standings
  }
}

function keyOf(policy: RatePolicy, subject: string): string {
  return `${policy.name} ${subject}`
}
