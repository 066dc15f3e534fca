import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { createGuardedFetch } from '#platform/net/guarded-fetch.ts'
import { type BillingWorld, createBillingWorld } from './testing/billing-world.ts'

const providerNames = ['pspone', 'psptwo'] as const
const numRuns = inject('deep') ? 1000 : 15

const http = createGuardedFetch({ allow: ['127.0.0.0/8'] })
afterAll(() => http.close())

/** A repeated notification of a payment must not end the checks by which a later refund is found. */
const repeatedSuccess = [
  { act: 'pay', pick: 0 },
  { act: 'checkout', provider: 'pspone', tier: 'pro' },
  { act: 'deliver', pick: 0, forged: false },
  { act: 'refund', pick: 0 },
] as const

const step = fc.oneof(
  fc.record({
    act: fc.constant('checkout' as const),
    provider: fc.constantFrom(...providerNames),
    tier: fc.constantFrom('pro', 'business'),
  }),
  fc.record({ act: fc.constant('pay' as const), pick: fc.nat(5) }),
  fc.record({ act: fc.constant('expire' as const), pick: fc.nat(5) }),
  fc.record({ act: fc.constant('refund' as const), pick: fc.nat(5) }),
  fc.record({
    act: fc.constant('change' as const),
    tier: fc.constantFrom('free', 'pro', 'business'),
    term: fc.constantFrom('month' as const, 'year' as const),
  }),
  fc.record({ act: fc.constant('decline' as const), count: fc.nat(2) }),
  fc.record({ act: fc.constant('cancel' as const), when: fc.constantFrom('now' as const, 'period_end' as const) }),
  fc.record({ act: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }),
  // Delivers any event so far: late, again, out of order.
  fc.record({ act: fc.constant('deliver' as const), pick: fc.nat(10), forged: fc.boolean() }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const entriesOf = ({ stands }: BillingWorld) => providerNames.flatMap((name) => [...stands[name].ledger.entries.values()])

async function perform(world: BillingWorld, given: Step): Promise<void> {
  const { accountId, billing, stands } = world
  switch (given.act) {
    case 'checkout': {
      const request = {
        tier: given.tier,
        interval: 'month',
        currency: 'EUR',
        country: 'DE',
        successUrl: undefined,
        cancelUrl: undefined,
      } as const
      return void (await billing.checkouts.create(accountId, given.provider, request).catch(ignoreRefusal))
    }
    case 'change': {
      const request = { tier: given.tier, interval: given.term, when: 'now', onlyUp: false } as const
      return billing.changes.change(accountId, request).catch(ignoreRefusal)
    }
    case 'cancel':
      return billing.lifecycle.cancel(accountId, given.when).catch(ignoreRefusal)
    case 'decline':
      return providerNames.forEach((name) => stands[name].ledger.decline(given.count))
    case 'wait':
      world.wait(given.days)
      return billing.renewals.run()
    case 'deliver':
      return deliver(world, given)
    case 'pay':
    case 'expire':
    case 'refund': {
      const entries = entriesOf(world)
      const entry = entries[given.pick % Math.max(1, entries.length)]
      for (const name of providerNames) {
        const { ledger } = stands[name]
        if (entry === undefined || !ledger.entries.has(entry.id)) continue
        if (given.act === 'pay') ledger.pay(entry.id)
        else if (given.act === 'expire') ledger.expire(entry.id)
        else ledger.refund(`dashboard-${entry.id}`, entry.id)
      }
    }
  }
}

async function deliver(
  { stands, inbound }: BillingWorld,
  { pick, forged }: { readonly pick: number; readonly forged: boolean },
): Promise<void> {
  for (const name of providerNames) {
    const { ledger, signed } = stands[name]
    const happening = ledger.happenings[pick % Math.max(1, ledger.happenings.length)]
    if (happening === undefined) continue
    const { body, headers } = signed(happening)
    const received = inbound.receive(name, { body: Buffer.from(forged ? body.replace('succeeded', 'failed') + ' ' : body), headers })
    if (forged) await expect(received).rejects.toMatchObject({ code: 'signature_invalid' })
    else await received
  }
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'Fault') throw error
}

/** Compares our books with those of the providers, payment by payment. */
async function expectAgreement(world: BillingWorld): Promise<void> {
  const { db } = world
  const { rows } = await sql<{ reference: string; state: string; amount: number; refunded: number; invoice: number; credited: number }>`
    select p.reference, p.state, p.amount, p.refunded,
      coalesce((select i.due from invoices i where i.id = p.invoice_id and i.state = 'paid'), 0)::bigint as invoice,
      coalesce((select sum(c.total) from invoices c where c.corrects = p.invoice_id), 0)::bigint as credited
    from billing_payments p where p.account_id = ${world.accountId}`.execute(db.database.system)
  const ours = new Map(rows.map((row) => [row.reference, row]))
  for (const entry of entriesOf(world)) {
    const row = ours.get(entry.id)
    const wasBought = (row?.invoice ?? 0) > 0 && row?.state !== 'failed' && row?.state !== 'expired'
    const state = entry.status !== 'succeeded' ? entry.status : entry.refunded > 0 ? 'refunded' : 'succeeded'
    expect(row).toMatchObject({ state, amount: entry.amount, refunded: entry.refunded })
    if (entry.status !== 'succeeded') continue
    // Either an invoice was paid, less what was paid back, or everything was paid back without an invoice.
    if (wasBought) expect([row?.invoice, row?.credited]).toEqual([entry.amount, entry.refunded])
    else expect(entry.refunded).toBe(entry.amount)
  }
  expect(rows.filter(({ state }) => state === 'refunding')).toEqual([])
  const { rows: gaps } = await sql`
    select max(number) - count(*) as gap from invoices where issuer = ${world.accountId} having max(number) <> count(*)`.execute(
    db.database.system,
  )
  expect(gaps).toEqual([])
}

test(`after any sequence of payments and late, repeated, reordered, forged or lost notifications our books agree with those of the provider (${numRuns} sequences)`, {
  timeout: inject('deep') ? 3_600_000 : 600_000,
}, async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), fc.boolean(), async (steps, runsJobs) => {
      await using world = await createBillingWorld(http)
      const first = { act: 'checkout', provider: 'psptwo', tier: 'pro' } as const
      for (const each of [first, ...steps]) {
        await perform(world, each)
        if (runsJobs) await world.runJobs()
      }
      // Whatever was not delivered, the reconciliation finds.
      for (let round = 0; round < 3; round++) {
        world.wait(2)
        await world.billing.collector.reconcile()
      }
      await expectAgreement(world)
      compared += entriesOf(world).length
    }),
    { numRuns, examples: [[[...repeatedSuccess], true]] },
  )
  expect(compared).toBeGreaterThanOrEqual(numRuns)
})
