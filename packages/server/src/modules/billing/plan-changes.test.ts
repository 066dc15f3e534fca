import { afterAll, expect, test } from 'vitest'
import { createGuardedFetch } from '#platform/net/guarded-fetch.ts'
import { createBillingWorld } from './testing/billing-world.ts'

const http = createGuardedFetch({ allow: ['127.0.0.0/8'] })
afterAll(() => http.close())

test('starting, repeating or cancelling a free plan does not begin a new quota period', async () => {
  await using world = await createBillingWorld(http)
  const { accountId, billing } = world
  const request = { interval: 'month', currency: 'EUR', country: undefined, trial: false } as const
  const subscribe = () => billing.changes.subscribe(accountId, { ...request, tier: 'free' })
  const starts: Date[] = []
  const note = async () => void starts.push((await billing.entitlement(accountId)).period.start)
  await note()
  world.wait(0.1)
  await subscribe()
  await note()
  world.wait(0.1)
  await expect(subscribe()).rejects.toMatchObject({ code: 'subscription_state' })
  await billing.lifecycle.cancel(accountId, 'now')
  await note()
  world.wait(0.1)
  await subscribe()
  await note()
  // The first of the month of the clock, which 0.3 days may have passed once.
  const first = (await billing.entitlement(accountId)).period.start
  expect(starts.every((start) => start.getUTCDate() === 1 && start.getUTCHours() === 0 && start <= first)).toBe(true)
})

test('a free plan after a paid one keeps the quota period of that one', async () => {
  await using world = await createBillingWorld(http)
  const { accountId, billing } = world
  const request = { interval: 'month', currency: 'EUR', country: undefined, trial: true } as const
  await billing.changes.subscribe(accountId, { ...request, tier: 'pro' })
  const { period } = await billing.entitlement(accountId)
  world.wait(1)
  await billing.lifecycle.cancel(accountId, 'now')
  expect((await billing.entitlement(accountId)).period).toEqual(period)
  await billing.changes.subscribe(accountId, { ...request, tier: 'free' })
  expect((await billing.entitlement(accountId)).period).toEqual(period)
})
