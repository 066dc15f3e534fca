import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import type { RatePolicy } from './rate-limit.ts'
import { createPostgresRateLimiter, sweepRateLimitCounters } from './postgres-rate-limiter.ts'

const global: RatePolicy = { name: 'global', limit: 100, windowSeconds: 60 }
const auth: RatePolicy = { name: 'auth', limit: 10, windowSeconds: 30 }

test('processes that share a database count together and miss no request under contention', async () => {
  await using testing = await createTestDatabase()
  const limiters = [1, 2].map(() => createPostgresRateLimiter(testing.database.system))
  await Promise.all(limiters.flatMap((limiter) => Array.from({ length: 20 }, async () => limiter.consume([global, auth], '192.0.2.1'))))
  const [first, second] = (await limiters[0]?.consume([global, auth], '192.0.2.1')) ?? []
  expect(first).toMatchObject({ policy: global, hits: 41 })
  expect(second).toMatchObject({ policy: auth, hits: 41 })
  expect(first?.resetSeconds).toBeGreaterThan(30)
  expect(second?.resetSeconds).toBeLessThanOrEqual(30)
})

test('an expired window is restarted by the next request, and is swept', async () => {
  await using testing = await createTestDatabase()
  const db = testing.database.system
  const limiter = createPostgresRateLimiter(db)
  await limiter.consume([global], 'a')
  await limiter.consume([global], 'a')
  await sql`update rate_limit_counters set ends_at = now() - interval '1 second'`.execute(db)
  expect((await limiter.consume([global], 'a'))[0]?.hits).toBe(1)
  await sql`update rate_limit_counters set ends_at = now() - interval '1 second'`.execute(db)
  await sweepRateLimitCounters(db)
  expect((await sql`select 1 from rate_limit_counters`.execute(db)).rows).toEqual([])
})

test('requests that share a statement get counts in their order, by address and policy', async () => {
  await using testing = await createTestDatabase()
  const limiter = createPostgresRateLimiter(testing.database.system)
  await limiter.consume([global], 'a')
  const counts = await Promise.all([
    limiter.consume([global], 'a'),
    limiter.consume([global, auth], 'a'),
    limiter.consume([global], 'b'),
    limiter.consume([auth], 'a'),
    limiter.consume([global], 'a'),
  ])
  expect(counts.map((policies) => policies.map(({ policy, hits }) => `${policy.name} ${hits}`))).toEqual([
    ['global 2'],
    ['global 3', 'auth 1'],
    ['global 1'],
    ['auth 2'],
    ['global 4'],
  ])
})

test('a window of another length is another window, also of the same policy', async () => {
  await using testing = await createTestDatabase()
  const limiters = [1, 2].map(() => createPostgresRateLimiter(testing.database.system))
  const long: RatePolicy = { ...global, windowSeconds: 3_600 }
  await limiters[0]?.consume([global], 'a')
  expect(await limiters[1]?.consume([long], 'a')).toEqual([{ policy: long, hits: 1, resetSeconds: 3_600 }])
  expect(await limiters[0]?.consume([global], 'a')).toMatchObject([{ hits: 2 }])
})

test('exactly as many of 300 concurrent requests are within the limit as it allows', async () => {
  await using testing = await createTestDatabase()
  const limiters = [1, 2, 3].map(() => createPostgresRateLimiter(testing.database.system))
  const counts = await Promise.all(limiters.flatMap((limiter) => Array.from({ length: 100 }, async () => limiter.consume([global], 'a'))))
  expect(counts.filter(([count]) => (count?.hits ?? 0) <= global.limit)).toHaveLength(100)
  expect(new Set(counts.map(([count]) => count?.hits)).size).toBe(300)
})
