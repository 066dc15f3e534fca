import { toTypeId } from '#platform/ids.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { documentOf, fails, greets } from '#testing/definitions.ts'
import { startPsptwoStandIn } from '#testing/payments/psptwo-stand-in.ts'
import { startStripeStandIn } from '#testing/payments/stripe-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/billing'
let pspone: Awaited<ReturnType<typeof startStripeStandIn>>
let psptwo: Awaited<ReturnType<typeof startPsptwoStandIn>>
let server: TestServer
let operator: TestAccount
beforeAll(async () => {
  pspone = await startStripeStandIn()
  psptwo = await startPsptwoStandIn()
  server = await createTestServer({
    ...pspone.environment,
    ...psptwo.environment,
    MILLRACE_FLAGS: 'isAutomatedBillingEnabled,isgovernedtyEvidenceEnabled',
    MILLRACE_TAX_RATES: 'DE:19',
  })
  operator = await server.registerAccount()
  await sql`update users set is_operator = true where id = ${operator.userId}`.execute(server.database.system)
})
afterAll(async () => {
  await server.close()
  await pspone[Symbol.asyncDispose]()
  await psptwo[Symbol.asyncDispose]()
})

/** Pays for a plan at the page of a provider, and reads the checkout until it has taken effect. */
async function buy(account: TestAccount, provider: 'pspone' | 'psptwo', body: object) {
  const made = await account.send('POST', `${path}/checkout/${provider}`, body)
  expect(made.body).toMatchObject({ state: 'open', url: expect.stringContaining('https://') })
  const { ledger } = provider === 'pspone' ? pspone : psptwo
  for (const entry of ledger.entries.values()) if (entry.ourId === made.body.id) ledger.pay(entry.id)
  return (await account.send('GET', `${path}/checkout/${made.body.id}`)).body
}

const subscriptionOf = async (account: TestAccount) => (await account.send('GET', `${path}/subscription`)).body
const invoicesOf = async (account: TestAccount) => (await account.send('GET', `${path}/invoices`)).body.data

test('an account without a subscription has the default plan without limits', async () => {
  const account = await server.registerAccount()
  expect(await subscriptionOf(account)).toMatchObject({ id: null, state: 'active', effectiveTier: 'unlimited', collection: 'none' })
  const { body } = await account.send('GET', `${path}/usage`)
  expect(body.meters.map(({ hard }: { hard: number | null }) => hard)).toEqual([null, null, null, null, null])
})

test('many changes of one account at once wait for each other, and leave the connections to others', async () => {
  const account = await server.registerAccount()
  await buy(account, 'pspone', { tier: 'pro', country: 'DE' })
  const tiers = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? 'pro' : 'none'))
  const answers = await Promise.all(tiers.map((tier) => account.send('POST', `${path}/upgrade`, { tier })))
  expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(['subscription_state', 'plan_invalid']))
})

describe.each(['pspone', 'psptwo'] as const)('a checkout at %s', (provider) => {
  test('begins the plan when it is paid, with an invoice and its tax', async () => {
    const account = await server.registerAccount()
    const paid = await buy(account, provider, { tier: 'pro', country: 'DE' })
    expect(paid).toMatchObject({ state: 'succeeded', amount: 3451, tax: 551, currency: 'EUR', url: null })
    expect(await subscriptionOf(account)).toMatchObject({ state: 'active', effectiveTier: 'pro', hasPaymentMethod: true, country: 'DE' })
    const [invoice] = await invoicesOf(account)
    expect(invoice).toMatchObject({ id: paid.invoiceId, state: 'paid', net: 2900, tax: 551, total: 3451, taxPercent: '19.00', due: 3451 })
    expect((await account.send('GET', `${path}/invoices/${invoice.id}`)).body).toEqual(invoice)
  })

  test('is the same one for the same request, and is replaced by another one', async () => {
    const account = await server.registerAccount()
    const start = (tier: string) => account.send('POST', `${path}/checkout/${provider}`, { tier })
    const [first, second] = await Promise.all([start('pro'), start('pro')])
    expect(second.body.id).toBe(first.body.id)
    const other = await start('business')
    expect(other.body).toMatchObject({ state: 'open', tier: 'business' })
    expect((await account.send('GET', `${path}/checkout/${first.body.id}`)).body).toMatchObject({ state: 'expired', url: null })
  })

  test('is charged again for an upgrade, once for two requests at the same time', async () => {
    const account = await server.registerAccount()
    await buy(account, provider, { tier: 'pro' })
    const { ledger } = provider === 'pspone' ? pspone : psptwo
    const chargesBefore = [...ledger.entries.values()].filter(({ kind }) => kind === 'charge').length
    const both = await Promise.all([1, 2].map(() => account.send('POST', `${path}/upgrade`, { tier: 'business' })))
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
    expect(['payment_in_progress', 'subscription_state']).toContain(both.find(({ status }) => status === 409)?.body.code)
    expect([...ledger.entries.values()].filter(({ kind }) => kind === 'charge')).toHaveLength(chargesBefore + 1)
    expect(await subscriptionOf(account)).toMatchObject({ effectiveTier: 'business', price: { amount: 14_900, currency: 'EUR' } })
    const [invoice] = await invoicesOf(account)
    expect(invoice.lines.map(({ net }: { net: number }) => Math.sign(net))).toEqual([-1, 1])
    expect(invoice.total).toBe([...ledger.entries.values()].at(-1)?.amount)
  })

  test('leaves everything as it was when a later charge is refused', async () => {
    const account = await server.registerAccount()
    await buy(account, provider, { tier: 'pro' })
    const { ledger } = provider === 'pspone' ? pspone : psptwo
    ledger.decline(1)
    expect((await account.send('POST', `${path}/upgrade`, { tier: 'business' })).body).toMatchObject({
      status: 409,
      code: 'payment_failed',
    })
    expect(await subscriptionOf(account)).toMatchObject({ effectiveTier: 'pro', state: 'active' })
    expect(await invoicesOf(account)).toHaveLength(1)
  })
})

describe('a currency whose amounts the provider writes in its own way', () => {
  test.each([
    ['ISK', 4200, 420_000, { total: 4200, credit: 0, due: 4200 }],
    ['MGA', 50_000, 500, { total: 50_000, credit: 0, due: 50_000 }],
    ['KWD', 5124, 5120, { total: 5124, credit: 4, due: 5120 }],
  ])('%s is charged as it is meant', async (currency, amount, charged, invoiced) => {
    const content = { name: 'Far', rank: 5, limits: {}, prices: [{ currency, interval: 'month', amount }], isPublic: true }
    expect((await operator.send('PUT', `${path}/plans/far`, content)).status).toBe(200)
    const account = await server.registerAccount()
    expect(await buy(account, 'pspone', { tier: 'far', currency })).toMatchObject({ state: 'succeeded', amount: invoiced.due, currency })
    expect([...pspone.ledger.entries.values()].at(-1)).toMatchObject({ amount: charged, currency })
    expect(await invoicesOf(account)).toMatchObject([{ state: 'paid', currency, ...invoiced }])
    expect((await subscriptionOf(account)).credits).toEqual([])
  })

  test('is not charged below what the provider charges at least, with both amounts in the problem', async () => {
    const content = { name: 'Small', rank: 5, limits: {}, prices: [{ currency: 'EUR', interval: 'month', amount: 40 }], isPublic: true }
    await operator.send('PUT', `${path}/plans/small`, content)
    const account = await server.registerAccount()
    expect((await account.send('POST', `${path}/checkout/pspone`, { tier: 'small' })).body).toMatchObject({
      code: 'payment_failed',
      detail: expect.stringMatching(/^EUR 0\.40 would be due, and pspone charges EUR 0\.50 at least/),
    })
    expect(await buy(account, 'psptwo', { tier: 'small' })).toMatchObject({ state: 'succeeded', amount: 40 })
  })
})

test('fifty requests at once to subscribe again make one charge and one invoice', async () => {
  const account = await server.registerAccount()
  await buy(account, 'psptwo', { tier: 'pro' })
  await account.send('POST', `${path}/cancel`, { when: 'now' })
  const charges = () => [...psptwo.ledger.entries.values()].filter(({ kind }) => kind === 'charge').length
  const before = charges()
  const subscribe = () => account.send('POST', `${path}/subscribe`, { tier: 'pro', trial: false })
  const answers = await Promise.all(Array.from({ length: 50 }, subscribe))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
  expect([charges() - before, (await invoicesOf(account)).length]).toEqual([1, 2])
})

describe('a change of plan', () => {
  test('to a lower plan now issues a credit note and credits what is left with its tax', async () => {
    const account = await server.registerAccount()
    await buy(account, 'psptwo', { tier: 'business', country: 'DE' })
    const { body } = await account.send('POST', `${path}/change-tier`, { tier: 'pro' })
    expect(body).toMatchObject({ effectiveTier: 'pro', price: { amount: 2900 } })
    const [note] = await invoicesOf(account)
    expect(note).toMatchObject({ kind: 'credit_note', state: 'paid', net: 12_000, tax: 2280, total: 14_280 })
    expect(body.credits).toEqual([{ currency: 'EUR', amount: 14_280 }])
  })

  test('at the end of the period is pending until then, and can be taken back', async () => {
    const account = await server.registerAccount()
    await buy(account, 'psptwo', { tier: 'business' })
    const later = await account.send('POST', `${path}/change-tier`, { tier: 'pro', when: 'period_end' })
    expect(later.body).toMatchObject({ effectiveTier: 'business', pendingChange: { tier: 'pro', interval: 'month' } })
    const back = await account.send('POST', `${path}/change-tier`, { tier: 'business', when: 'period_end' })
    expect(back.body).toMatchObject({ effectiveTier: 'business', pendingChange: null })
  })

  test('is refused with the reason and the way out', async () => {
    const account = await server.registerAccount()
    const refused = async (operation: string, body: object) => (await account.send('POST', `${path}/${operation}`, body)).body
    expect(await refused('upgrade', { tier: 'pro' })).toMatchObject({
      code: 'subscription_state',
      detail: expect.stringContaining('subscribe'),
    })
    expect(await refused('subscribe', { tier: 'gold' })).toMatchObject({
      code: 'plan_invalid',
      detail: expect.stringContaining('free, pro'),
    })
    expect(await refused('subscribe', { tier: 'pro', currency: 'XAF' })).toMatchObject({ code: 'plan_invalid' })
    expect(await refused('subscribe', { tier: 'pro', trial: false })).toMatchObject({ code: 'payment_method_required' })
    expect(await refused('cancel', {})).toMatchObject({ status: 409, code: 'subscription_state' })
  })
})

test('a trial begins once, can be cancelled and resumed, and ends at once on request', async () => {
  const account = await server.registerAccount()
  const trial = await account.send('POST', `${path}/subscribe`, { tier: 'pro' })
  expect(trial.body).toMatchObject({ state: 'trialing', effectiveTier: 'pro', trialEnd: expect.any(String) })
  expect((await account.send('POST', `${path}/cancel`, {})).body).toMatchObject({ state: 'cancelling', effectiveTier: 'pro' })
  expect((await account.send('POST', `${path}/resume`)).body).toMatchObject({ state: 'trialing' })
  expect((await account.send('POST', `${path}/cancel`, { when: 'now' })).body).toMatchObject({
    state: 'cancelled',
    effectiveTier: 'unlimited',
  })
  expect((await account.send('POST', `${path}/subscribe`, { tier: 'pro' })).body.code).toBe('payment_method_required')
})

test('an operator activates a plan by hand, with an invoice, and an owner who is not an operator cannot', async () => {
  const account = await server.registerAccount()
  const body = {
    accountId: toTypeId('acct', account.accountId),
    tier: 'enterprise',
    months: 12,
    price: { amount: 1_000_000, currency: 'JPY' },
  }
  expect((await account.send('POST', `${path}/manual-activate`, body)).body.code).toBe('insufficient_role')
  const { body: active } = await operator.send('POST', `${path}/manual-activate`, body)
  expect(active).toMatchObject({ state: 'active', collection: 'manual', effectiveTier: 'enterprise' })
  const [invoice] = await invoicesOf(account)
  expect(invoice).toMatchObject({ state: 'paid', total: 1_000_000, currency: 'JPY' })
  const note = await operator.send('POST', `${path}/credit-notes`, { invoiceId: invoice.id, net: 400_000, reason: 'Late start.' })
  expect(note.body).toMatchObject({ kind: 'credit_note', net: 400_000, corrects: invoice.id })
  const tooMuch = await operator.send('POST', `${path}/credit-notes`, { invoiceId: invoice.id, net: 600_001, reason: 'Too much.' })
  expect(tooMuch.body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('JPY 600000') })
})

test('numbers of invoices have no gaps, whatever is issued at once, and an invoice cannot be changed or deleted', async () => {
  const accounts = await Promise.all(Array.from({ length: 8 }, () => server.registerAccount()))
  const price = { amount: 100_000, currency: 'EUR' }
  const answers = await Promise.all(
    accounts.flatMap(({ accountId }) =>
      // The plan without a row is refused after others have taken their numbers.
      ['enterprise', 'no-such-plan'].map((tier) =>
        operator.send('POST', `${path}/manual-activate`, { accountId: toTypeId('acct', accountId), tier, months: 1, price }),
      ),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(8)
  const numbers = (await Promise.all(accounts.map(invoicesOf))).flat().map(({ number }: { number: string }) => Number(number))
  expect([new Set(numbers).size, Math.max(...numbers) - Math.min(...numbers)]).toEqual([8, 7])
  const [invoice] = await invoicesOf(accounts[0] ?? operator)
  const pdf = await fetch(`${server.url}${path}/invoices/${invoice.id}/pdf`, { headers: { authorization: `Bearer ${accounts[0]?.token}` } })
  expect([pdf.headers.get('content-type'), (await pdf.text()).slice(0, 5)]).toEqual(['application/pdf', '%PDF-'])
  const { rows } = await sql<{ gaps: number }>`
    select (max(number) - count(*))::int4 as gaps from invoices where issuer = 'Millrace'`.execute(server.database.system)
  expect(rows).toEqual([{ gaps: 0 }])
  await expect(sql`update invoices set total = total + 1, net = net + 1, due = due + 1`.execute(server.database.system)).rejects.toThrow(
    'immutable',
  )
  await expect(sql`delete from invoices`.execute(server.database.system)).rejects.toThrow('immutable')
})

test('a provider that is not configured or does not answer is a 503 that says so', async () => {
  const bare = await server.startSecond({ MILLRACE_PSPONE_SECRET_KEY: '', MILLRACE_PSPTWO_URL: 'http://127.0.0.1:9' })
  const account = await server.registerAccount()
  const start = async (provider: string) => {
    const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' }
    const response = await fetch(`${bare.url}${path}/checkout/${provider}`, { method: 'POST', headers, body: '{"tier":"pro"}' })
    return response.json()
  }
  expect(await start('pspone')).toMatchObject({
    status: 503,
    code: 'provider_not_configured',
    detail: expect.stringContaining('MILLRACE_PSPONE_SECRET_KEY'),
  })
  expect(await start('psptwo')).toMatchObject({ status: 503, code: 'provider_unavailable' })
})

test('without a payment provider no paid plan begins, not even by its trial, and the account keeps what it has', async () => {
  const bare = await server.startSecond({ MILLRACE_PSPONE_SECRET_KEY: '', MILLRACE_PSPTWO_URL: '', MILLRACE_PSPTWO_SECRET_KEY: '' })
  const account = await server.registerAccount()
  const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' }
  const response = await fetch(`${bare.url}${path}/subscribe`, { method: 'POST', headers, body: '{"tier":"pro"}' })
  expect(await response.json()).toMatchObject({ status: 503, code: 'provider_not_configured' })
  expect(await subscriptionOf(account)).toMatchObject({ id: null, effectiveTier: 'unlimited' })
  const plans = await (await fetch(`${bare.url}${path}/plans`, { headers })).json()
  expect(plans).toMatchObject({ providers: [], default: { tier: 'unlimited' } })
})

test('an account that paid nothing returns from a trial to the plan of the installation', async () => {
  const account = await server.registerAccount()
  await account.send('POST', `${path}/subscribe`, { tier: 'pro' })
  expect(await subscriptionOf(account)).toMatchObject({ state: 'trialing', effectiveTier: 'pro' })
  await account.send('POST', `${path}/cancel`, { when: 'now' })
  expect(await subscriptionOf(account)).toMatchObject({ state: 'cancelled', effectiveTier: 'unlimited' })
})

test('the unprefixed operations are closed until the owner opens their gates', async () => {
  const account = await server.registerAccount()
  for (const [operation, gate] of [
    ['/billing/checkout/pspone', 'checkout'],
    ['/billing/checkout/psptwo', 'checkout'],
    ['/billing/manual-activate', 'manual-activation'],
    ['/webhooks/pspone', 'payment-webhooks'],
    ['/webhooks/psptwo', 'payment-webhooks'],
  ] as const) {
    const { body } = await account.send('POST', operation, {})
    expect(body).toMatchObject({ status: 403, code: 'owner_gated', detail: expect.stringContaining(`MILLRACE_GATES=${gate}`) })
  }
  expect((await account.send('GET', '/billing/subscription')).status).toBe(200)
})

describe('the quota', () => {
  test('of executions is exact, refuses beyond the hard limit with plan, limit and reset, and notifies of both thresholds once', async () => {
    const limits = { executions: { soft: 5, hard: 5 } }
    await operator.send('PUT', `${path}/plans/tiny`, { name: 'Tiny', rank: 1, limits, prices: [], isPublic: true })
    const account = await server.registerAccount()
    expect((await account.send('POST', `${path}/subscribe`, { tier: 'tiny' })).body.effectiveTier).toBe('tiny')
    const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets) } })
    const run = () => account.send('POST', `/api/v1/workflows/${id}/execute`, { input: { name: 'A' } })
    const statuses = []
    for (let at = 0; at < 7; at++) statuses.push((await run()).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    const over = await run()
    expect(over.body).toMatchObject({ code: 'quota_exceeded', plan: 'tiny', limit: 5, meter: 'executions', resetAt: expect.any(String) })
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    const usage = (await account.send('GET', `${path}/usage`)).body
    expect(usage.meters[0]).toEqual({ meter: 'executions', used: 5, soft: 5, hard: 5, percent: 100 })
    const history = (await account.send('GET', `${path}/usage/history?meter=executions`)).body
    expect(history.data).toEqual([{ day: new Date().toISOString().slice(0, 10), meter: 'executions', amount: 5 }])
    const { rows } = await sql<{ percent: number }>`
      select percent from usage_notices where account_id = ${account.accountId} order by 1`.execute(server.database.system)
    expect(rows.map(({ percent }) => percent)).toEqual([80, 100])
    const notices = (await account.send('GET', '/api/v1/notifications?kind=quota.near')).body.data
    expect(notices.map(({ title, count }: { title: string; count: number }) => [title, count])).toEqual([
      ["The plan's executions are used up", 1],
      ["80 % of the plan's executions are used", 1],
    ])
  })

  const accountOn = async (tier: string, limits: object) => {
    await operator.send('PUT', `${path}/plans/${tier}`, { name: tier, rank: 1, limits, prices: [], isPublic: true })
    const account = await server.registerAccount()
    await account.send('POST', `${path}/subscribe`, { tier })
    return account
  }
  const usedOf = async (account: TestAccount, meter: string) =>
    (await account.send('GET', `${path}/usage`)).body.meters.find((each: { meter: string }) => each.meter === meter)?.used

  test('of executions is exact for a hundred starts at the same time in two processes', async () => {
    const second = await server.startSecond()
    const account = await accountOn('crowded', { executions: { soft: 30, hard: 30 } })
    const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets) } })
    const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' }
    const startOn = async (url: string) =>
      (await fetch(`${url}/api/v1/workflows/${id}/execute`, { method: 'POST', headers, body: '{"input":{"name":"A"}}' })).status
    const statuses = await Promise.all(Array.from({ length: 100 }, (_, index) => startOn(index % 2 === 0 ? server.url : second.url)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    expect(statuses.filter((status) => status === 429)).toHaveLength(70)
    expect(await usedOf(account, 'executions')).toBe(30)
    await second.close()
  })

  test('of executions refuses retries as it refuses starts', async () => {
    const account = await accountOn('few-retries', { executions: { soft: 2, hard: 2 } })
    const { id } = await account.client.workflows.create({ body: { definition: documentOf(fails) } })
    const post = (of: string) => account.send('POST', `/api/v1/workflows/${of}`, { input: { by: 'hand' } }, { prefer: 'wait=30' })
    const first = (await post(`${id}/execute`)).body.id
    const second = await post(`executions/${first}/retry`)
    expect(second).toMatchObject({ status: 200, body: { state: 'faulted', retryOf: first } })
    expect(await post(`executions/${second.body.id}/retry`)).toMatchObject({
      status: 429,
      body: { code: 'quota_exceeded', meter: 'executions', limit: 2, used: 2 },
    })
    expect(await usedOf(account, 'executions')).toBe(2)
  })

  test('of tasks counts what executions journal, and refuses the next start and no running one', async () => {
    const account = await accountOn('few-tasks', { tasks: { soft: 3, hard: 3 } })
    const { id } = await account.client.workflows.create({
      body: {
        definition: documentOf(
          `do:\n  - each:\n      for: { each: item, in: '\${ [1, 2, 3, 4] }' }\n      do: [{ note: { emit: { event: { with: { type: test.noted, source: https://example.com/test } } } } }]\n`,
        ),
      },
    })
    const run = () => account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: 'wait=30' })
    expect(await run()).toMatchObject({ status: 200, body: { state: 'completed' } })
    expect(await usedOf(account, 'tasks')).toBe(4)
    expect(await run()).toMatchObject({ status: 429, body: { code: 'quota_exceeded', meter: 'tasks', limit: 3, used: 4 } })
    expect(await usedOf(account, 'executions')).toBe(1)
  })

  test('of tokens refuses starts of workflows that ask a model, and no other', async () => {
    const account = await accountOn('no-tokens', { ai_tokens: { soft: 0, hard: 0 } })
    const asking = await account.client.workflows.create({
      body: { definition: documentOf(`do:\n  - ask: { call: model, with: { prompt: Hi } }\n`, 'asking') },
    })
    const greeting = await account.client.workflows.create({ body: { definition: documentOf(greets) } })
    const run = (id: string) => account.send('POST', `/api/v1/workflows/${id}/execute`, { input: { name: 'A' } })
    expect(await run(asking.id)).toMatchObject({ status: 429, body: { code: 'quota_exceeded', meter: 'ai_tokens' } })
    expect((await run(greeting.id)).status).toBe(200)
  })

  test('of storage counts kept files, and refuses a new evidence pack', async () => {
    const account = await accountOn('no-storage', { storage_bytes: { soft: 100, hard: 100 } })
    const at = new Date()
    await sql`insert into files (id, account_id, owner, name, media, bytes, sha256, created_at, expires_at) values
      (gen_random_uuid(), ${account.accountId}, 'test:x', 'x', 'text/plain', 100, '', ${at}, ${new Date(at.getTime() + 60_000)})`.execute(
      server.database.system,
    )
    expect(await usedOf(account, 'storage_bytes')).toBe(100)
    expect(await account.send('GET', '/api/v1/archivist/evidence-pack')).toMatchObject({
      status: 429,
      body: { code: 'quota_exceeded', meter: 'storage_bytes' },
    })
  })
})

describe('referrals', () => {
  const claim = (account: TestAccount, code: string) => account.send('POST', '/api/v1/referrals/claim', { code })

  test('a code is resolved without an account, and the first payment of who named it makes a reward pending', async () => {
    const [referrer, referred] = [await server.registerAccount(), await server.registerAccount()]
    const { code } = (await referrer.send('POST', '/api/v1/referrals', {})).body
    expect((await referred.send('GET', `/api/v1/referrals/resolve/${code}`)).body).toEqual({ code, valid: true })
    expect((await claim(referred, code)).status).toBe(200)
    await buy(referred, 'psptwo', { tier: 'pro' })
    expect((await referrer.send('GET', '/api/v1/referrals/me')).body).toMatchObject({
      codes: [{ code, visits: 1, signUps: 1 }],
      signUps: 1,
      rewarded: 0,
      pending: 1,
      credits: [],
    })
  })

  test('the own code, a ring, a second code and an unknown code are refused', async () => {
    const [one, two, three] = [await server.registerAccount(), await server.registerAccount(), await server.registerAccount()]
    const codes = await Promise.all([one, two, three].map(async (each) => (await each.send('POST', '/api/v1/referrals', {})).body.code))
    const [first = '', second = '', third = ''] = codes
    expect((await claim(one, first)).body.code).toBe('referral_refused')
    expect([(await claim(two, first)).status, (await claim(three, second)).status]).toEqual([200, 200])
    expect((await claim(one, third)).body).toMatchObject({ status: 422, code: 'referral_refused' })
    expect((await claim(two, third)).body.code).toBe('referral_refused')
    expect((await claim(one, 'NOSUCHCODE')).body.code).toBe('not_found')
    expect((await one.send('GET', '/api/v1/referrals/resolve/NOSUCHCODE')).status).toBe(404)
  })
})
