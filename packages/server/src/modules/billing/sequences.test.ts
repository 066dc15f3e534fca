import { createIdSource } from '#platform/ids.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { createInbound, createPspone, createPsptwo, type PaymentProvider, type ProviderName } from '#modules/payments/index.ts'
import { createGuardedFetch } from '#platform/net/guarded-fetch.ts'
import { createTestDatabase } from '#testing/database.ts'
import { startPsptwoStandIn } from '#testing/payments/psptwo-stand-in.ts'
import { startStripeStandIn } from '#testing/payments/stripe-stand-in.ts'
import { createBilling } from './service.ts'

const providerNames = ['pspone', 'psptwo'] as const
const dayMs = 24 * 60 * 60 * 1000
const numRuns = inject('deep') ? 1000 : 40

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

/** An account with its providers, a clock, and jobs that run when the test says so. */
async function createWorld() {
  // A database for each: the reconciliation asks for the payments of all accounts.
  const db = await createTestDatabase()
  const accountId = randomUUID()
  await sql`insert into accounts (id, name) values (${accountId}, 'Ada')`.execute(db.database.system)
  const pspone = await startStripeStandIn()
  const psptwo = await startPsptwoStandIn()
  const stands = { pspone, psptwo }
  let nowMs = Date.now()
  const queue: { readonly name: string; readonly payload: never }[] = []
  const jobs = {
    send: async (_tx: unknown, { name }: { readonly name: string }, payload: unknown) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The handler of the same name parses it again.
      queue.push({ name, payload: payload as never })
      return randomUUID()
    },
  }
  const settings = (stand: { readonly url: string; readonly webhookSecret: string }) => ({
    url: stand.url,
    secretKey: 'stand-in',
    webhookSecrets: [stand.webhookSecret],
  })
  const providers = new Map<ProviderName, PaymentProvider>([
    ['pspone', createPspone(settings(pspone), http)],
    ['psptwo', createPsptwo(settings(psptwo), http)],
  ])
  const newId = createIdSource({ now: () => nowMs, randomBytes })
  const billing = createBilling({
    db: db.database.system,
    jobs,
    providers,
    now: () => new Date(nowMs),
    newId,
    settings: {
      issuer: accountId,
      defaultPlan: 'free',
      graceDays: 14,
      taxRates: [{ country: 'DE', basisPoints: 1900 }],
      publicUrl: 'http://x',
    },
    closing: new AbortController().signal,
    onPaid: async () => undefined,
    onPlanChanged: () => undefined,
  })
  const refresh = async (id: string, signal: AbortSignal) => void (await billing.collector.refresh(id, signal))
  const inbound = createInbound({ db: db.database.system, jobs, providers, now: Date.now, newId, refresh })
  const handlers = [billing.collector.job, ...inbound.jobs]
  const attempt = { id: 'x', attempt: 1, signal: new AbortController().signal, report: async () => undefined }
  return {
    db,
    accountId,
    billing,
    inbound,
    stands,
    wait: (days: number) => void (nowMs += days * dayMs),
    async runJobs() {
      for (const { name, payload } of queue.splice(0)) await handlers.find(({ job }) => job.name === name)?.handle(payload, attempt)
    },
    async [Symbol.asyncDispose]() {
      await pspone[Symbol.asyncDispose]()
      await psptwo[Symbol.asyncDispose]()
      await db.drop()
    },
  }
}
type World = Awaited<ReturnType<typeof createWorld>>

const entriesOf = ({ stands }: World) => providerNames.flatMap((name) => [...stands[name].ledger.entries.values()])

async function perform(world: World, given: Step): Promise<void> {
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

async function deliver({ stands, inbound }: World, { pick, forged }: { readonly pick: number; readonly forged: boolean }): Promise<void> {
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
async function expectAgreement(world: World): Promise<void> {
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
      await using world = await createWorld()
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
