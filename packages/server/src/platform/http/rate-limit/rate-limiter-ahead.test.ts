import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import type { RateLimiter, RatePolicy } from './rate-limit.ts'
import { createAheadRateLimiter, type SharedCounter } from './rate-limiter-ahead.ts'
import { createPostgresRateLimiter } from './postgres-rate-limiter.ts'

const global: RatePolicy = { name: 'global', limit: 100, windowSeconds: 60 }
const auth: RatePolicy = { name: 'auth', limit: 4, windowSeconds: 30 }

afterEach(() => void vi.useRealTimers())

/** A shared place that counts, and remembers what it was asked. */
function place() {
  const asked: string[] = []
  const hits = new Map<string, number>()
  const shared: SharedCounter = {
    async consume(policies, subject, times) {
      asked.push(`${policies.map(({ name }) => name).join('+')} ${subject} ${times}`)
      return policies.map((policy) => {
        const after = (hits.get(`${policy.name} ${subject}`) ?? 0) + times
        hits.set(`${policy.name} ${subject}`, after)
        return { policy, hits: after, resetSeconds: policy.windowSeconds }
      })
    },
  }
  return { shared, asked, hits }
}

async function hitsOf(limiter: RateLimiter, subject: string, times: number): Promise<readonly number[]> {
  const seen: number[] = []
  for (let n = 0; n < times; n++) seen.push((await limiter.consume([global], subject))[0]?.hits ?? 0)
  return seen
}

test('far from the limit requests are counted here and told together a moment later', async () => {
  vi.useFakeTimers()
  const { shared, asked, hits } = place()
  const limiter = createAheadRateLimiter({ shared, now: Date.now })
  expect(await hitsOf(limiter, 'a', 5)).toEqual([1, 2, 3, 4, 5])
  expect(asked).toEqual(['global a 1'])
  await vi.advanceTimersByTimeAsync(100)
  expect(asked).toEqual(['global a 1', 'global a 4'])
  expect(await hitsOf(limiter, 'a', 1)).toEqual([6])
  await vi.advanceTimersByTimeAsync(100)
  expect(hits.get('global a')).toBe(6)
})

test('what was not told yet is told before the shared place is closed, and what is under way is waited for', async () => {
  vi.useFakeTimers()
  const { shared, hits } = place()
  const answers = Promise.withResolvers<void>()
  let closed = false
  const slow: SharedCounter = {
    async consume(policies, subject, times) {
      if (times > 1) await answers.promise
      if (closed) throw new Error('it is closed')
      return shared.consume(policies, subject, times)
    },
  }
  const limiter = createAheadRateLimiter({ shared: slow, now: Date.now })
  await hitsOf(limiter, 'a', 5)
  const flushed = limiter.flush().then(() => (closed = true))
  expect(closed).toBe(false)
  answers.resolve()
  await flushed
  expect(hits.get('global a')).toBe(5)
  expect(vi.getTimerCount()).toBe(0)
})

test('near the limit, and after a tenth of it untold, the shared place is asked before each answer', async () => {
  vi.useFakeTimers()
  const { shared, asked } = place()
  const limiter = createAheadRateLimiter({ shared, now: Date.now })
  expect(await hitsOf(limiter, 'a', 12)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  expect(asked).toEqual(['global a 1', 'global a 10', 'global a 1'])
  await shared.consume([global], 'b', 60)
  await hitsOf(limiter, 'b', 3)
  expect(asked.slice(-3)).toEqual(['global b 1', 'global b 1', 'global b 1'])
})

test('one policy that is near its limit is enough to ask; a limit of a few is always asked for', async () => {
  const { shared, asked } = place()
  const limiter = createAheadRateLimiter({ shared, now: Date.now })
  for (let n = 0; n < 3; n++) await limiter.consume([global, auth], 'a')
  expect(asked).toEqual(['global+auth a 1', 'global a 1', 'auth a 1', 'global+auth a 1'])
})

test('a window that is over is asked for anew, and what was not told of it is not counted in the next', async () => {
  vi.useFakeTimers()
  const { shared, asked } = place()
  let skewMs = 0
  const limiter = createAheadRateLimiter({ shared, now: () => Date.now() + skewMs })
  await hitsOf(limiter, 'a', 3)
  skewMs = 61_000
  await vi.advanceTimersByTimeAsync(100)
  expect(asked).toEqual(['global a 1'])
  await hitsOf(limiter, 'a', 1)
  expect(asked).toEqual(['global a 1', 'global a 1'])
})

test('no more addresses are remembered than there is room for', async () => {
  const { shared, asked } = place()
  const limiter = createAheadRateLimiter({ shared, now: Date.now, capacity: 2 })
  for (const subject of ['a', 'b', 'c', 'a']) await limiter.consume([global], subject)
  expect(asked).toEqual(['global a 1', 'global b 1', 'global c 1', 'global a 1'])
})

test('five processes together let no more through than the limit allows', async () => {
  await using testing = await createTestDatabase()
  const db = testing.database.system
  const onError = (error: unknown) => {
    throw error
  }
  const fallback: RateLimiter = { consume: () => onError(new Error('the database was to count')) }
  const limiters = Array.from({ length: 5 }, () =>
    createAheadRateLimiter({ shared: createPostgresRateLimiter({ db, fallback, onError }), now: Date.now }),
  )
  const standings = await Promise.all(
    limiters.map(async (limiter) => {
      const seen: number[] = []
      for (let n = 0; n < 60; n++) seen.push((await limiter.consume([global], 'a'))[0]?.hits ?? 0)
      return seen
    }),
  )
  expect(standings.flat().filter((hits) => hits <= global.limit).length).toBeLessThanOrEqual(global.limit)
  await vi.waitFor(async () => {
    const { rows } = await sql<{ hits: number }>`select hits from rate_limit_counters`.execute(db)
    expect(rows).toEqual([{ hits: 300 }])
  })
})
