import { expect, test } from 'vitest'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import { createOptimisticRateLimiter } from './optimistic-rate-limiter.ts'
import type { RateLimiter, RatePolicy } from './rate-limit.ts'

const policy: RatePolicy = { name: 'global', limit: 20, windowSeconds: 60 }

/** A counter shared by two processes, with a response that arrives later. */
function twoProcesses() {
  const clock = { nowMs: 1_000 }
  const now = () => clock.nowMs
  const counter = createMemoryRateLimiter({ now })
  const failing = { now: false }
  const shared: RateLimiter = {
    async consume(policies, subject) {
      if (failing.now) throw new Error('unreachable')
      return await counter.consume(policies, subject)
    },
  }
  const errors: unknown[] = []
  const create = () => createOptimisticRateLimiter({ shared, now, onError: (error) => void errors.push(error) })
  const [one, two] = [create(), create()]
  const hitsOf = async (limiter: RateLimiter) => (await limiter.consume([policy], 'address'))[0]?.hits ?? 0
  return { clock, counter, failing, errors, one, two, hitsOf }
}

test('a request far below the limit is not delayed by the shared count', async () => {
  const { one } = twoProcesses()
  expect(one.consume([policy], 'address')).toBeInstanceOf(Promise)
  await one.consume([policy], 'address')
  expect(one.consume([policy], 'address')).toMatchObject([{ hits: 3 }])
})

test('two processes together allow what the limit allows, and count every request', async () => {
  const { counter, one, two, hitsOf } = twoProcesses()
  const hits: number[] = []
  for (let request = 0; request < 15; request++) hits.push(await hitsOf(one), await hitsOf(two))
  await one.settled()
  await two.settled()
  expect(hits.filter((count) => count <= policy.limit)).toHaveLength(policy.limit)
  expect(counter.consume([policy], 'address')).toMatchObject([{ hits: 31 }])
})

test('a burst to one process cannot exceed the limit', async () => {
  const { one, hitsOf } = twoProcesses()
  await hitsOf(one)
  const hits = await Promise.all(Array.from({ length: 99 }, () => hitsOf(one)))
  expect(hits.filter((count) => count <= policy.limit).length).toBeLessThanOrEqual(policy.limit - 1)
})

test('a new window begins when the shared one has ended', async () => {
  const { clock, one, hitsOf } = twoProcesses()
  for (let request = 0; request < 25; request++) await hitsOf(one)
  clock.nowMs += policy.windowSeconds * 1000
  expect(await hitsOf(one)).toBe(1)
})

test('a limit of several policies is reported for each of them', async () => {
  const { one } = twoProcesses()
  const policies: readonly RatePolicy[] = [policy, { name: 'auth', limit: 4, windowSeconds: 60 }]
  const hits = async () => (await one.consume(policies, 'address')).map((count) => count.hits)
  expect(await hits()).toEqual([1, 1])
  await one.consume([policy], 'address')
  expect(await hits()).toEqual([3, 2])
  await one.settled()
  expect(await hits()).toEqual([4, 3])
})

test('without the shared place a process counts on from what it knows, and sends its requests once the place responds', async () => {
  const { counter, failing, errors, one, hitsOf } = twoProcesses()
  for (let request = 0; request < 15; request++) await hitsOf(one)
  failing.now = true
  const hits: number[] = []
  for (let request = 0; request < 6; request++) hits.push(await hitsOf(one))
  expect(hits).toEqual([16, 17, 18, 19, 20, 21])
  expect(errors).toHaveLength(6)
  failing.now = false
  expect(await hitsOf(one)).toBe(22)
  await one.settled()
  expect(counter.consume([policy], 'address')).toMatchObject([{ hits: 23 }])
})

test('without the shared place a new window begins as well, and what the last one had is not sent any more', async () => {
  const { clock, counter, failing, one, hitsOf } = twoProcesses()
  failing.now = true
  for (let request = 1; request <= 25; request++) expect(await hitsOf(one)).toBe(request)
  clock.nowMs += policy.windowSeconds * 1000
  expect(await hitsOf(one)).toBe(1)
  failing.now = false
  expect(await hitsOf(one)).toBe(2)
  await one.settled()
  expect(counter.consume([policy], 'address')).toMatchObject([{ hits: 3 }])
})

test('a request that fails alone is counted', async () => {
  const { failing, one, hitsOf } = twoProcesses()
  failing.now = true
  await hitsOf(one)
  failing.now = false
  expect(await hitsOf(one)).toBe(2)
})

/** A counter that takes or refuses its requests one by one. */
function oneByOne() {
  const counter = createMemoryRateLimiter({ now: () => 1_000 })
  const turns: PromiseWithResolvers<undefined>[] = []
  const shared: RateLimiter = {
    async consume(policies, subject) {
      const turn = Promise.withResolvers<undefined>()
      turns.push(turn)
      await turn.promise
      return await counter.consume(policies, subject)
    },
  }
  const limiter = createOptimisticRateLimiter({ shared, now: () => 1_000, onError: () => {} })
  const few: RatePolicy = { ...policy, limit: 3 }
  const consume = async () => (await limiter.consume([few], 'address'))[0]?.hits
  return { turns, consume }
}

test('a burst whose counts arrive one after the other cannot exceed the limit', async () => {
  const { turns, consume } = oneByOne()
  const burst = [consume(), consume(), consume()]
  turns[0]?.resolve(undefined)
  await burst[0]
  const last = consume()
  for (const { resolve } of turns) resolve(undefined)
  expect(await Promise.all([...burst, last])).toEqual([1, 2, 3, 4])
})

test('a request that was not taken counts for those that were on their way with it', async () => {
  const { turns, consume } = oneByOne()
  const burst = [consume(), consume(), consume(), consume()]
  turns[0]?.reject(new Error('unreachable'))
  await burst[0]
  for (const { resolve } of turns) resolve(undefined)
  expect(await Promise.all(burst)).toEqual([1, 2, 3, 4])
})
