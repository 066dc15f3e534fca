import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createGuardedFetch } from '#platform/net/guarded-fetch.ts'
import { type BillingWorld, createBillingWorld } from '#modules/billing/testing/billing-world.ts'

const http = createGuardedFetch({ allow: ['127.0.0.0/8'] })
afterAll(() => http.close())

const order = { interval: 'month', currency: 'EUR', country: undefined } as const
const urls = { successUrl: undefined, cancelUrl: undefined }

async function buyPro({ accountId, billing, stands }: BillingWorld): Promise<void> {
  const { id, reference = '' } = await billing.checkouts.create(accountId, 'psptwo', { ...order, ...urls, tier: 'pro' })
  expect(stands.psptwo.ledger.pay(reference)).toBe(true)
  await billing.checkouts.get(accountId, id)
}

/** A subscription whose next period begins; its charge waits in a job. */
async function renewing(world: BillingWorld): Promise<void> {
  await buyPro(world)
  world.wait(32)
  await world.billing.renewals.run()
}

const charges = ({ stands }: BillingWorld) => [...stands.psptwo.ledger.entries.values()].filter(({ kind }) => kind === 'charge')
const stateOf = async ({ billing, accountId }: BillingWorld) => (await billing.subscription(accountId)).subscription?.state

async function payments({ db }: BillingWorld) {
  const { rows } = await sql<{ kind: string; state: string; reference: string | null }>`
    select kind, state, reference from billing_payments order by created_at, id`.execute(db.database.system)
  return rows
}

test.each([401, 403, 408])('a charge whose reply was lost and whose repetition meets %i is made once', async (status) => {
  await using world = await createBillingWorld(http)
  await renewing(world)
  world.stands.psptwo.failures.push({ status: 503, acts: true }, { status, acts: false })
  await expect(world.runJobs()).rejects.toMatchObject({ name: 'ProviderUnavailable' })
  await expect(world.runJobs()).rejects.toMatchObject({ name: 'ProviderUnavailable' })
  await world.runJobs()
  expect(charges(world)).toHaveLength(1)
  expect(await payments(world)).toMatchObject([{}, { state: 'succeeded', reference: charges(world)[0]?.id }])
})

test('a charge whose reply was lost is found when its repetition is refused', async () => {
  await using world = await createBillingWorld(http)
  await renewing(world)
  world.stands.psptwo.failures.push({ status: 503, acts: true }, { status: 400, acts: false })
  await expect(world.runJobs()).rejects.toMatchObject({ name: 'ProviderUnavailable' })
  await world.runJobs()
  expect(await payments(world)).toMatchObject([{}, { state: 'succeeded', reference: charges(world)[0]?.id }])
  expect(await stateOf(world)).toBe('active')
})

test('a charge that was refused and never made fails without a reference', async () => {
  await using world = await createBillingWorld(http)
  await renewing(world)
  world.stands.psptwo.failures.push({ status: 400, acts: false })
  await world.runJobs()
  expect(await payments(world)).toMatchObject([{}, { state: 'failed', reference: null }])
  expect(await stateOf(world)).toBe('past_due')
})

test.each(['removed', 'forgetful'])('a charge whose provider is %s is abandoned after a week, and renewals continue', async (how) => {
  await using world = await createBillingWorld(http)
  const { ledger } = world.stands.psptwo
  await renewing(world)
  if (how === 'removed') world.providers.delete('psptwo')
  else {
    ledger.delay(1)
    await world.runJobs()
    for (const { id } of charges(world)) ledger.entries.delete(id)
  }
  const failures = async () => {
    const error: unknown = await world.billing.collector.reconcile().catch((cause: unknown) => cause)
    return error instanceof AggregateError ? error.errors.map(String).join('\n') : 'none'
  }
  world.wait(6)
  expect(await failures()).toMatch(/not configured|refused GET/)
  expect(await payments(world)).toMatchObject([{}, { state: 'open' }])
  world.wait(2)
  expect(await failures()).toContain('abandoned after 7 days')
  expect(await payments(world)).toMatchObject([{}, { state: 'failed' }])
  expect(await stateOf(world)).toBe('past_due')
})

test('a charge that is paid after a checkout is paid back, also by someone else', async () => {
  await using world = await createBillingWorld(http)
  const { accountId, billing, stands } = world
  const { ledger } = stands.psptwo
  await buyPro(world)
  await billing.lifecycle.cancel(accountId, 'now')
  const checkout = await billing.checkouts.create(accountId, 'psptwo', { ...order, ...urls, tier: 'business' })
  ledger.delay(1)
  const subscribed = billing.changes.subscribe(accountId, { ...order, tier: 'pro', trial: false })
  await expect(subscribed).rejects.toMatchObject({ code: 'payment_in_progress' })
  world.wait(1 / 24)
  ledger.pay(checkout.reference ?? '')
  await billing.checkouts.get(accountId, checkout.id)
  const { subscription: bought } = await billing.subscription(accountId)
  const [charge] = charges(world)
  ledger.pay(charge?.id ?? '')
  await billing.collector.reconcile()
  expect((await payments(world)).at(-1)).toMatchObject({ kind: 'change', state: 'refunding' })
  expect((await billing.subscription(accountId)).subscription).toEqual(bought)
  // The operator is faster: the refund of Millrace is refused.
  ledger.refund('dashboard', charge?.id ?? '')
  world.wait(1)
  await billing.collector.reconcile()
  expect((await payments(world)).at(-1)).toMatchObject({ kind: 'change', state: 'refunded' })
})

test.each(['pspone', 'psptwo'] as const)('a charge at %s is found by our id', async (name) => {
  await using world = await createBillingWorld(http)
  const provider = world.providers.get(name)
  if (provider === undefined) throw new Error(`${name} is not configured`)
  const { signal } = new AbortController()
  const ids = ['chk_1', 'chk_2']
  for (const paymentId of ids) {
    const charge = { paymentId, amount: 100n, currency: 'EUR', description: 'x', customer: 'cus_1', paymentMethod: undefined }
    await provider.charge(charge, signal)
  }
  for (const id of ids) expect(await provider.findCharge(id, 'cus_1', signal)).toMatchObject({ paymentId: id, status: 'succeeded' })
  expect(await provider.findCharge('chk_3', 'cus_1', signal)).toBeUndefined()
})
