import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import type { RateLimiter, RatePolicy } from './rate-limit.ts'
import { createPostgresRateLimiter, sweepRateLimitCounters } from './postgres-rate-limiter.ts'

const global: RatePolicy = { name: 'global', limit: 100, windowSeconds: 60 }
const auth: RatePolicy = { name: 'auth', limit: 10, windowSeconds: 30 }

const noFallback: RateLimiter = {
  consume: () => {
    throw new Error('the database was to count')
  },
}
const fail = (error: unknown) => {
  throw error
}

test('processes that share a database count together, and lose no request under contention', async () => {
  await using testing = await createTestDatabase()
  const limiters = [1, 2].map(() => createPostgresRateLimiter({ db: testing.database.system, fallback: noFallback, onError: fail }))
  await Promise.all(limiters.flatMap((limiter) => Array.from({ length: 20 }, async () => limiter.consume([global, auth], '192.0.2.1'))))
  const [first, second] = (await limiters[0]?.consume([global, auth], '192.0.2.1')) ?? []
  expect(first).toMatchObject({ policy: global, hits: 41 })
  expect(second).toMatchObject({ policy: auth, hits: 41 })
  expect(first?.resetSeconds).toBeGreaterThan(30)
  expect(second?.resetSeconds).toBeLessThanOrEqual(30)
})

test('a window that is over begins anew, and is swept', async () => {
  await using testing = await createTestDatabase()
  const db = testing.database.system
  const limiter = createPostgresRateLimiter({ db, fallback: noFallback, onError: fail })
  await limiter.consume([global], 'a')
  await limiter.consume([global], 'a')
  await sql`update rate_limit_counters set ends_at = now() - interval '1 second'`.execute(db)
  expect((await limiter.consume([global], 'a'))[0]?.hits).toBe(1)
  await sql`update rate_limit_counters set ends_at = now() - interval '1 second'`.execute(db)
  await sweepRateLimitCounters(db)
  expect((await sql`select 1 from rate_limit_counters`.execute(db)).rows).toEqual([])
})

test('without the database, requests are counted here and the failure is told', async () => {
  const testing = await createTestDatabase()
  await testing.drop()
  const told: unknown[] = []
  const standing = { policy: global, hits: 7, resetSeconds: 5 }
  const limiter = createPostgresRateLimiter({
    db: testing.database.system,
    fallback: { consume: () => [standing] },
    onError: (error) => void told.push(error),
  })
  expect(await limiter.consume([global], 'a')).toEqual([standing])
  expect(told).toHaveLength(1)
})

test('requests that share a statement each have their own place, by address and by policy', async () => {
  await using testing = await createTestDatabase()
  const limiter = createPostgresRateLimiter({ db: testing.database.system, fallback: noFallback, onError: fail })
  await limiter.consume([global], 'a')
  const standings = await Promise.all([
    limiter.consume([global], 'a'),
    limiter.consume([global, auth], 'a'),
    limiter.consume([global], 'b'),
    limiter.consume([auth], 'a'),
    limiter.consume([global], 'a'),
  ])
  expect(standings.map((policies) => policies.map(({ policy, hits }) => `${policy.name} ${hits}`))).toEqual([
    ['global 2'],
    ['global 3', 'auth 1'],
    ['global 1'],
    ['auth 2'],
    ['global 4'],
  ])
})

test('of many requests at once exactly as many are within the limit as it allows', async () => {
  await using testing = await createTestDatabase()
  const limiters = [1, 2, 3].map(() => createPostgresRateLimiter({ db: testing.database.system, fallback: noFallback, onError: fail }))
  const standings = await Promise.all(
    limiters.flatMap((limiter) => Array.from({ length: 100 }, async () => limiter.consume([global], 'a'))),
  )
  expect(standings.filter(([standing]) => (standing?.hits ?? 0) <= global.limit)).toHaveLength(100)
  expect(new Set(standings.map(([standing]) => standing?.hits)).size).toBe(300)
})
