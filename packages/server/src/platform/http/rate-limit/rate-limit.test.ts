import { describe, expect, test } from 'vitest'
import { rateOutcomeOf, policiesByClass, type RatePolicy, type RateCount, rateSubject } from './rate-limit.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'

const global: RatePolicy = { name: 'global', limit: 3, windowSeconds: 60 }
const auth: RatePolicy = { name: 'auth', limit: 1, windowSeconds: 10 }

/** The counts of the memory limiter, which is synchronous. */
function consume(
  limiter: ReturnType<typeof createMemoryRateLimiter>,
  policies: readonly RatePolicy[],
  subject: string,
): readonly RateCount[] {
  const counted = limiter.consume(policies, subject)
  if (counted instanceof Promise) throw new Error('the memory limiter is synchronous')
  return counted
}

describe('the memory limiter', () => {
  test('counts each address and policy separately, and starts a new window after the old one', () => {
    let at = 1_000_000
    const limiter = createMemoryRateLimiter({ now: () => at })
    const hits = (subject: string, policies = [global]) => consume(limiter, policies, subject).map(({ hits: counted }) => counted)
    expect([hits('a'), hits('a'), hits('b'), hits('a', [global, auth])]).toEqual([[1], [2], [1], [3, 1]])
    at += 59_999
    expect(consume(limiter, [global], 'a')).toEqual([{ policy: global, hits: 4, resetSeconds: 1 }])
    at += 1
    expect(consume(limiter, [global], 'a')).toEqual([{ policy: global, hits: 1, resetSeconds: 60 }])
  })

  test('counts no more addresses than its capacity, and drops the oldest first', () => {
    const limiter = createMemoryRateLimiter({ now: () => 0, capacity: 100 })
    for (let i = 0; i < 1000; i++) consume(limiter, [global], `address ${i}`)
    expect(consume(limiter, [global], 'address 999')[0]?.hits).toBe(2)
    expect(consume(limiter, [global], 'address 0')[0]?.hits).toBe(1)
  })

  test('drops addresses by the start of their current window', () => {
    let at = 0
    const limiter = createMemoryRateLimiter({ now: () => at, capacity: 5 })
    const count = (...subjects: readonly string[]) => subjects.map((subject) => consume(limiter, [global], subject)[0]?.hits)
    count('old 1', 'old 2', 'old 3', 'again')
    at = 1
    count('older')
    at = 60_000
    // The last of these exceeds the capacity, and the oldest window is that of `older`.
    count('again', 'a', 'b', 'c', 'd')
    expect(count('again', 'older')).toEqual([2, 1])
  })
})

describe('the headers of rate limits', () => {
  test('describe the policy nearest to its limit, and list all policies', () => {
    const verdict = rateOutcomeOf([
      { policy: global, hits: 1, resetSeconds: 60 },
      { policy: auth, hits: 1, resetSeconds: 9 },
    ])
    expect(verdict).toEqual({
      headers: { 'ratelimit-limit': '1', 'ratelimit-remaining': '0', 'ratelimit-reset': '9', 'ratelimit-policy': '3;w=60, 1;w=10' },
      retryAfterSeconds: undefined,
    })
  })

  test('never show a negative remainder, and Retry-After is the longest reset of all exceeded limits', () => {
    const verdict = rateOutcomeOf([
      { policy: global, hits: 9, resetSeconds: 50 },
      { policy: auth, hits: 3, resetSeconds: 4 },
    ])
    expect(verdict.headers['ratelimit-remaining']).toBe('0')
    expect(verdict.retryAfterSeconds).toBe(50)
  })

  test('a request exactly at the limit is allowed', () => {
    expect(rateOutcomeOf([{ policy: global, hits: 3, resetSeconds: 5 }]).retryAfterSeconds).toBeUndefined()
    expect(rateOutcomeOf([{ policy: global, hits: 4, resetSeconds: 5 }]).retryAfterSeconds).toBe(5)
  })
})

test('every class of operations counts against the global limit', () => {
  const limit = { limit: 1, windowSeconds: 1 }
  const policies = policiesByClass({ global: limit, auth: limit, refresh: limit, execution: limit })
  expect(Object.values(policies).map((list) => list.map((policy) => policy.name))).toEqual([
    ['global'],
    ['global', 'auth'],
    ['global', 'refresh'],
    ['global', 'execution'],
  ])
})

test('an IPv4 address counts as itself, an IPv6 address as its /64 network, in any notation', () => {
  expect(rateSubject('192.0.2.1')).toBe('192.0.2.1')
  expect(rateSubject('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(rateSubject('2001:db8::1')).toBe(rateSubject('2001:0DB8:0:0:ffff:1:2:3'))
  expect(rateSubject('fe80::1%eth0')).toBe(rateSubject('fe80::2'))
  expect(rateSubject('2001:db8::1')).not.toBe(rateSubject('2001:db8:0:1::1'))
  expect(rateSubject('::1')).toBe('0:0:0:0::/64')
})
