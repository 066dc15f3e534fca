import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createGuardedFetch } from '#platform/net/guarded-fetch.ts'
import { insertCredit } from './invoicing/credit-store.ts'
import { listInvoices } from './invoicing/invoice-store.ts'
import { listEndedPeriods, listRetries } from './subscription-store.ts'
import { type BillingWorld, createBillingWorld } from './testing/billing-world.ts'

const http = createGuardedFetch({ allow: ['127.0.0.0/8'] })
afterAll(() => http.close())

/** Buys a plan by the month at psptwo. */
async function buy({ accountId, billing, stands }: BillingWorld, tier: string): Promise<string> {
  const urls = { successUrl: undefined, cancelUrl: undefined }
  const request = { tier, interval: 'month', currency: 'EUR', country: 'DE', ...urls } as const
  const { id, reference = '' } = await billing.checkouts.create(accountId, 'psptwo', request)
  expect(stands.psptwo.ledger.pay(reference)).toBe(true)
  await billing.checkouts.get(accountId, id)
  return reference
}

const charges = ({ stands }: BillingWorld) => [...stands.psptwo.ledger.entries.values()].filter(({ kind }) => kind === 'charge')

async function invoices({ db, accountId }: BillingWorld) {
  const { rows } = await sql<{ kind: string; state: string; net: number; total: number }>`
    select kind, state, net, total from invoices where account_id = ${accountId} order by number`.execute(db.database.system)
  return rows
}

/** Days pass one by one, each with the work of a day. */
async function live(world: BillingWorld, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    world.wait(1)
    await world.billing.renewals.run()
    await world.runJobs()
  }
}

test('a failed renewal is repeated after 1, 3, 5 and 7 days, keeps the plan for the grace time, and then ends it', async () => {
  await using world = await createBillingWorld(http)
  const { accountId, billing, stands } = world
  await buy(world, 'pro')
  stands.psptwo.ledger.decline(100)
  // No month is longer.
  await live(world, 27)
  expect(charges(world)).toEqual([])
  const perDay: number[] = []
  const tiers: string[] = []
  for (let day = 0; day < 21; day++) {
    const before = charges(world).length
    await live(world, 1)
    perDay.push(charges(world).length - before)
    tiers.push((await billing.entitlement(accountId)).plan.tier)
  }
  const first = perDay.indexOf(1)
  expect(perDay.flatMap((count, day) => Array<number>(count).fill(day - first))).toEqual([0, 1, 3, 5, 7])
  expect([tiers[first], tiers[first + 13], tiers[first + 14]]).toEqual(['pro', 'pro', 'free'])
  expect(await invoices(world)).toMatchObject([{ state: 'paid' }, { state: 'uncollectible' }])
})

test.each(['the grace time', 'a cancellation'])(
  'failed charges of a subscription that %s has ended take no grace time from the next one',
  async (end) => {
    await using world = await createBillingWorld(http)
    const { accountId, billing, stands } = world
    await buy(world, 'pro')
    stands.psptwo.ledger.decline(100)
    await live(world, 36)
    if (end === 'a cancellation') await billing.lifecycle.cancel(accountId, 'now')
    await live(world, 20)
    expect((await billing.subscription(accountId)).effectiveTier).toBe('free')
    await billing.changes.subscribe(accountId, { tier: 'pro', interval: 'month', currency: 'EUR', country: 'DE', trial: true })
    await live(world, 20)
    const { effectiveTier, subscription } = await billing.subscription(accountId)
    expect([effectiveTier, subscription?.state]).toEqual(['pro', 'past_due'])
    expect(await invoices(world)).toMatchObject([{ state: 'paid' }, { state: 'uncollectible' }, { state: 'open' }])
  },
)

test.each(['the grace time', 'a cancellation'])('credit that an invoice used which %s leaves unpaid is credit again', async (end) => {
  await using world = await createBillingWorld(http)
  const { accountId, billing, db, stands } = world
  await buy(world, 'pro')
  const entry = { id: randomUUID(), currency: 'EUR', amount: 1000n, reason: 'proration', cause: randomUUID(), at: new Date() } as const
  await insertCredit(db.database.system, accountId, entry)
  const credits = async () => (await billing.subscription(accountId)).credits
  stands.psptwo.ledger.decline(100)
  await live(world, 33)
  expect(await credits()).toEqual([])
  if (end === 'a cancellation') await billing.lifecycle.cancel(accountId, 'now')
  else await live(world, 15)
  expect(await invoices(world)).toMatchObject([{ state: 'paid' }, { state: 'uncollectible' }])
  expect(await credits()).toEqual([{ currency: 'EUR', amount: 1000n }])
})

test('an invoice that is credited in parts is credited to the cent', async () => {
  await using world = await createBillingWorld(http)
  const { accountId, billing, db } = world
  const plan = { accountId, tier: 'enterprise', months: 1, price: { amount: 2999, currency: 'EUR' }, country: 'DE' }
  await billing.lifecycle.activate(plan)
  const [invoice] = await listInvoices(db.database.system, accountId, { before: undefined, limit: 1, state: undefined })
  for (const net of [1003n, 1003n, undefined]) await billing.creditNote(invoice?.id ?? '', { net, reason: 'Not used.' })
  expect((await billing.subscription(accountId)).credits).toEqual([{ currency: 'EUR', amount: 3569n }])
})

test('accounts whose charges wait for a provider keep no other account from its retry or the end of its period', async () => {
  await using world = await createBillingWorld(http)
  const { db, accountId } = world
  const { system } = db.database
  await buy(world, 'pro')
  world.stands.psptwo.ledger.decline(1)
  await live(world, 33)
  const copy = async (waits: boolean) => {
    const id = randomUUID()
    await sql`insert into accounts (id, name) values (${id}, 'Bo')`.execute(system)
    await sql`
      insert into billing_subscriptions select (jsonb_populate_record(s, jsonb_build_object('account_id', ${id}::text, 'id', ${randomUUID()}::text,
        'next_attempt_at', s.next_attempt_at - interval '1 hour' * ${waits ? 2 : 1},
        'period_end', s.period_end - interval '1 hour' * ${waits ? 2 : 1}))).*
      from billing_subscriptions s where s.account_id = ${accountId}`.execute(system)
    if (waits)
      await sql`
        insert into billing_payments select (jsonb_populate_record(p, jsonb_build_object('account_id', ${id}::text, 'id', ${randomUUID()}::text,
          'kind', 'renewal', 'state', 'open', 'reference', null))).*
        from billing_payments p where p.account_id = ${accountId} limit 1`.execute(system)
    return id
  }
  await copy(true)
  const ready = await copy(false)
  const late = new Date('9999-01-01')
  const state = (name: string) => sql`update billing_subscriptions set state = ${name}`.execute(system)
  await state('past_due')
  await sql`update billing_subscriptions set next_attempt_at = coalesce(next_attempt_at, period_end)`.execute(system)
  expect(await listRetries(system, late, 1)).toEqual([ready])
  await state('active')
  expect(await listEndedPeriods(system, late, 1)).toEqual([ready])
})

test('a renewal that succeeds at its second attempt pays the same invoice, once', async () => {
  await using world = await createBillingWorld(http)
  await buy(world, 'pro')
  world.stands.psptwo.ledger.decline(1)
  await live(world, 35)
  expect(charges(world).map(({ status }) => status)).toEqual(['failed', 'succeeded'])
  expect(await invoices(world)).toMatchObject([{ state: 'paid' }, { state: 'paid' }])
  expect(await world.billing.subscription(world.accountId)).toMatchObject({ subscription: { state: 'active', attempts: 0 } })
})

test('a period that was paid back is not credited again by a change to a lower plan', async () => {
  await using world = await createBillingWorld(http)
  const { accountId, billing, stands } = world
  const reference = await buy(world, 'business')
  stands.psptwo.ledger.refund('dashboard', reference)
  world.wait(2)
  await billing.collector.reconcile()
  await billing.changes.change(accountId, { tier: 'free', interval: undefined, when: 'now', onlyUp: false })
  const { credits, effectiveTier } = await billing.subscription(accountId)
  expect({ credits, effectiveTier }).toEqual({ credits: [], effectiveTier: 'free' })
  expect(await invoices(world)).toMatchObject([
    { kind: 'invoice', total: 17_731 },
    { kind: 'credit_note', total: 17_731 },
  ])
})

test('what an operator has credited of a period is not credited again by a change to a lower plan', async () => {
  await using world = await createBillingWorld(http)
  const { accountId, billing } = world
  await buy(world, 'business')
  const { rows } = await sql<{ id: string }>`select id from invoices where account_id = ${accountId}`.execute(world.db.database.system)
  await billing.creditNote(rows[0]?.id ?? '', { net: 10_000n, reason: 'Outage.' })
  await billing.changes.change(accountId, { tier: 'free', interval: undefined, when: 'now', onlyUp: false })
  // Within the first second nothing of the period is used: together the credits are what was paid, and not more.
  const { credits } = await billing.subscription(accountId)
  expect(credits).toEqual([{ currency: 'EUR', amount: 17_731n }])
})

test('a notification that cannot be processed is repeated, ends as a dead letter, and the reconciliation repairs what it reported', async () => {
  await using world = await createBillingWorld(http)
  const { accountId, billing, stands, inbound, db } = world
  const urls = { successUrl: undefined, cancelUrl: undefined }
  const request = { tier: 'pro', interval: 'month', currency: 'EUR', country: 'DE', ...urls } as const
  const { reference = '' } = await billing.checkouts.create(accountId, 'psptwo', request)
  stands.psptwo.ledger.pay(reference)
  const [happening] = stands.psptwo.ledger.happenings
  if (happening === undefined) throw new Error('nothing has happened')
  const { body, headers } = stands.psptwo.signed(happening)
  await inbound.receive('psptwo', { body: Buffer.from(body), headers })
  const statesOf = async () => {
    const { rows } = await sql<{ state: string }>`select state from payment_notifications`.execute(db.database.system)
    return rows.map(({ state }) => state)
  }
  const entry = stands.psptwo.ledger.entries.get(reference)
  if (entry === undefined) throw new Error('there is no such payment')
  // The provider does not know its own payment for a while.
  stands.psptwo.ledger.entries.delete(reference)
  await expect(world.runJobs(1)).rejects.toMatchObject({ name: 'ProviderRefused' })
  expect(await statesOf()).toEqual(['pending'])
  await expect(world.runJobs(13)).rejects.toMatchObject({ name: 'ProviderRefused' })
  expect(await statesOf()).toEqual(['dead'])
  stands.psptwo.ledger.entries.set(reference, entry)
  world.wait(2)
  await billing.collector.reconcile()
  expect((await billing.entitlement(accountId)).plan.tier).toBe('pro')
})

test('a referrer is rewarded once, when the first paid period has ended, and not for a payment that was paid back', async () => {
  await using world = await createBillingWorld(http)
  const { db, accountId, referrals, stands, billing } = world
  const referrerId = randomUUID()
  await sql`insert into accounts (id, name, created_at) values (${referrerId}, 'Bo', now())`.execute(db.database.system)
  const { code } = await referrals.create(db.database.system, referrerId, undefined)
  await referrals.claim(accountId, code)
  const rewards = async () => {
    const { rewarded, pending, credits } = await referrals.me(referrerId)
    return { rewarded, pending, credits }
  }

  const reference = await buy(world, 'pro')
  await referrals.reward()
  expect(await rewards()).toEqual({ rewarded: 0, pending: 1, credits: [] })
  stands.psptwo.ledger.refund('dashboard', reference)
  world.wait(2)
  await billing.collector.reconcile()
  world.wait(30)
  await referrals.reward()
  expect(await rewards()).toEqual({ rewarded: 0, pending: 0, credits: [] })

  // The next paid period counts as the first.
  await billing.renewals.run()
  await world.runJobs()
  expect(await rewards()).toMatchObject({ rewarded: 0, pending: 1 })
  await live(world, 62)
  await Promise.all([referrals.reward(), referrals.reward()])
  await referrals.reward()
  expect(await rewards()).toEqual({ rewarded: 1, pending: 0, credits: [{ currency: 'EUR', amount: 580n }] })
  await expect(referrals.claim(accountId, code)).rejects.toMatchObject({
    code: 'referral_refused',
    message: expect.stringContaining('first payment'),
  })
})
