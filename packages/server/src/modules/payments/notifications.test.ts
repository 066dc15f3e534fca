import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInbound } from './inbound.ts'
import { startPsptwoStandIn } from '#testing/payments/psptwo-stand-in.ts'
import { startStripeStandIn } from '#testing/payments/stripe-stand-in.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'

let pspone: Awaited<ReturnType<typeof startStripeStandIn>>
let psptwo: Awaited<ReturnType<typeof startPsptwoStandIn>>
let server: TestServer
beforeAll(async () => {
  pspone = await startStripeStandIn()
  psptwo = await startPsptwoStandIn()
  server = await createTestServer({ ...pspone.environment, ...psptwo.environment })
})
afterAll(async () => {
  await server.close()
  await pspone[Symbol.asyncDispose]()
  await psptwo[Symbol.asyncDispose]()
})

interface Message {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

async function deliver(provider: string, { body, headers }: Message) {
  const response = await fetch(`${server.url}/api/v1/webhooks/${provider}`, { method: 'POST', body, headers })
  const answer: { readonly duplicate?: boolean; readonly code?: string } = JSON.parse(await response.text())
  return { status: response.status, body: answer }
}

/** A paid checkout whose notification has not been sent yet. */
async function paidCheckout(provider: 'pspone' | 'psptwo') {
  const account = await server.registerAccount()
  const { body } = await account.send('POST', `/api/v1/billing/checkout/${provider}`, { tier: 'pro' })
  const stand = provider === 'pspone' ? pspone : psptwo
  for (const entry of stand.ledger.entries.values()) if (entry.ourId === body.id) stand.ledger.pay(entry.id)
  const happening = stand.ledger.happenings.at(-1)
  if (happening === undefined) throw new Error('nothing has happened')
  return { account, happening, signed: (at?: number) => stand.signed(happening, at) }
}

test.each(['pspone', 'psptwo'] as const)('a notification of %s takes effect once, however often it is delivered', async (provider) => {
  const { account, signed, happening } = await paidCheckout(provider)
  const answers = [await deliver(provider, signed()), await deliver(provider, signed()), await deliver(provider, signed())]
  expect(answers.map(({ status, body }) => [status, body.duplicate])).toEqual([
    [200, false],
    [200, true],
    [200, true],
  ])
  await expect.poll(async () => (await account.send('GET', '/api/v1/billing/subscription')).body.effectiveTier).toBe('pro')
  expect((await account.send('GET', '/api/v1/billing/invoices')).body.data).toHaveLength(1)
  const { rows } = await sql`select deliveries from payment_notifications where event_id = ${happening.id}`.execute(server.database.system)
  expect(rows).toEqual([{ deliveries: 3 }])
})

test.each(['pspone', 'psptwo'] as const)('a forged, changed or old notification of %s is a 401 and is not stored', async (provider) => {
  const { signed } = await paidCheckout(provider)
  const { body, headers } = signed()
  const now = Math.floor(Date.now() / 1000)
  const { 'content-type': contentType } = headers
  const refused = [
    await deliver(provider, { body: `${body} `, headers }),
    await deliver(provider, { body, headers: { 'content-type': contentType } }),
    await deliver(provider, signed(now - 400)),
    await deliver(provider, signed(now + 400)),
  ]
  expect(refused.map(({ status, body: problem }) => `${status} ${problem.code}`)).toEqual(Array(4).fill('401 signature_invalid'))
  const { rows } = await sql`select from payment_notifications where state = 'pending'`.execute(server.database.system)
  expect(rows).toEqual([])
})

test('a card number never reaches Millrace: the customer pays at the page of the provider', async () => {
  await paidCheckout('pspone')
  expect(new Set(pspone.requests.map((request) => request.replace(/cs_test_\w+/, 'ID')))).toEqual(
    new Set(['POST /v1/checkout/sessions', 'GET /v1/checkout/sessions/ID']),
  )
})

test.each(['pspone', 'psptwo'] as const)(
  'a delayed payment at %s that fails ends its checkout, and another one can begin',
  async (provider) => {
    const account = await server.registerAccount()
    const start = (tier: string) => account.send('POST', `/api/v1/billing/checkout/${provider}`, { tier })
    const first = (await start('pro')).body
    const { ledger } = provider === 'pspone' ? pspone : psptwo
    for (const entry of ledger.entries.values()) if (entry.ourId === first.id) expect(ledger.fail(entry.id)).toBe(true)
    expect((await start('business')).body).toMatchObject({ state: 'open', tier: 'business' })
    const { body } = await account.send('GET', `/api/v1/billing/checkout/${first.id}`)
    expect(body).toMatchObject({ state: 'failed', failure: expect.stringMatching(/declined|insufficient/) })
  },
)

test('old notifications are deleted, also those that were never processed', async () => {
  const day = 24 * 60 * 60 * 1000
  const at = (days: number) => new Date(Date.now() - days * day)
  await sql`insert into payment_notifications (id, provider, event_id, type, body, received_at, state) values
    (gen_random_uuid(), 'psptwo', 'old-pending', 'x', '', ${at(91)}, 'pending'),
    (gen_random_uuid(), 'psptwo', 'old-processed', 'x', '', ${at(91)}, 'processed'),
    (gen_random_uuid(), 'psptwo', 'new-pending', 'x', '', ${at(89)}, 'pending')`.execute(server.database.system)
  const inbound = createInbound({
    db: server.database.system,
    jobs: { send: () => Promise.reject(new Error('no job is sent')) },
    providers: new Map(),
    now: Date.now,
    newId: randomUUID,
    refresh: () => Promise.reject(new Error('no payment is refreshed')),
  })
  await inbound.sweep()
  const { rows } = await sql<{ event: string }>`
    select event_id as event from payment_notifications where type = 'x' order by 1`.execute(server.database.system)
  expect(rows).toEqual([{ event: 'new-pending' }])
  await sql`delete from payment_notifications where type = 'x'`.execute(server.database.system)
})
