import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHttpStandIn, type StandInAnswer } from '#testing/http-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const from = (account: TestAccount, templateId: string, body: object = {}, headers = {}) =>
  account.send('POST', `/api/v1/workflows/from-template/${templateId}`, body, headers)

/** Creates a workflow from a template in an account of its own, and runs it. */
async function run(templateId: string, input: object) {
  const account = await server.registerAccount()
  const { body } = await from(account, templateId)
  const answer = await account.send('POST', `/api/v1/execute/${body.id}/run`, { input }, { prefer: 'wait=20' })
  return { account, id: String(body.id), status: answer.status, body: answer.body }
}

describe('creating from a template', () => {
  test('a template creates a published workflow with its title, description and tags', async () => {
    const account = await server.registerAccount()
    const { status, headers, body } = await from(account, 'order-processing')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Process an order',
      description: expect.stringContaining('ten percent off'),
      tags: ['orders', 'branching'],
      state: 'published',
      version: 1,
      warnings: [],
    })
    expect(headers.get('location')).toBe(`/api/v1/workflows/${body.id}`)
    expect(headers.get('etag')).toBe('"1"')
  })

  test('a template can be used several times with different names, which become document names', async () => {
    const account = await server.registerAccount()
    const names = ['Überweisung  No. 1!', 'null', '7', 'x'.repeat(200)]
    for (const name of names) expect(await from(account, 'invoice', { name }), name).toMatchObject({ status: 200, body: { name } })
    const { data } = await account.client.workflows.list()
    const documents = await Promise.all(data.map(({ id }) => account.client.workflows.get({ params: { id } })))
    expect(documents.map(({ definition }) => definition)).toMatchObject(
      ['x'.repeat(63), '7', 'null', 'uberweisung-no-1'].map((name) => ({ document: { namespace: 'templates', name, title: 'Invoice' } })),
    )
  })

  test('a further use of a template has a number, and a name that was asked for stays', async () => {
    const account = await server.registerAccount()
    const named = async (body: object) => (await from(account, 'invoice', body)).body
    const made = [{}, {}, { name: '発票' }, { name: 'Invoice 2' }]
    const bodies = []
    for (const body of made) bodies.push(await named(body))
    expect(bodies.map(({ name, definition }) => [name, definition.document.name])).toEqual([
      ['Invoice', 'invoice'],
      ['Invoice 2', 'invoice-2'],
      ['発票', 'invoice-3'],
      ['Invoice 2', 'invoice-2-2'],
    ])
  })

  test('uses at once get a name each', async () => {
    const account = await server.registerAccount()
    const names = await Promise.all(Array.from({ length: 8 }, async () => (await from(account, 'invoice', { publish: false })).body.name))
    expect(new Set(names).size).toBe(8)
  })

  test('a workflow from a template stays a draft with publish: false', async () => {
    const account = await server.registerAccount()
    const { body } = await from(account, 'invoice', { publish: false })
    expect(body).toMatchObject({ state: 'draft', version: null })
    expect(await account.send('POST', `/api/v1/execute/${body.id}/run`, {})).toMatchObject({ body: { code: 'workflow_not_published' } })
  })

  test.each(['nothing', '..%2Ftemplates%2Finvoice', 'constructor', 'invoice.yaml', 'y'.repeat(101)])(
    'that is not there is a 404: %s',
    async (id) => {
      const account = await server.registerAccount()
      expect(await from(account, id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    },
  )

  test('a creation from a template that is repeated with its Idempotency-Key returns the first workflow', async () => {
    const account = await server.registerAccount()
    const headers = { 'idempotency-key': 'once' }
    const first = await from(account, 'invoice', {}, headers)
    const second = await from(account, 'invoice', {}, headers)
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  test('a creation from a template writes an audit row', async () => {
    const account = await server.registerAccount()
    await from(account, 'invoice')
    const events = await server.database.system
      .selectFrom('audit_events')
      .select('event')
      .where('account_id', '=', account.accountId)
      .execute()
    expect(events.map(({ event }) => event)).toContain('workflow.created')
  })
})

describe('templates that need nothing from outside', () => {
  const line = { sku: 'tea', quantity: 3, price: 450 }
  test.each([
    [{ lines: [line] }, { subtotal: 1350, discount: 0, shipping: 'post', postage: 490, total: 1840 }],
    [{ lines: [line, { ...line, quantity: 20 }] }, { items: 23, subtotal: 10350, discount: 1035, postage: 0, total: 9315 }],
    [
      { lines: [line], express: true },
      { shipping: 'courier', total: 3250 },
    ],
  ])('order-processing adds up %j', async (input, expected) => {
    expect(await run('order-processing', { orderId: 'A-1', ...input })).toMatchObject({
      status: 200,
      body: { orderId: 'A-1', ...expected },
    })
  })

  test('order-processing refuses an empty order', async () => {
    const { status, body } = await run('order-processing', { orderId: 'A-2', lines: [{ ...line, quantity: 0 }] })
    expect([status, body.error]).toMatchObject([422, { title: 'Nothing ordered', detail: 'The order A-2 has no line with a quantity.' }])
  })

  test('order-checks finds every problem of an order', async () => {
    const order = { lines: [{ ...line, stock: 3 }], credit: 2000, address: { street: 'Elm 1', city: 'Ulm', country: 'DE' } }
    expect((await run('order-checks', order)).body).toEqual({ passed: true, problems: [] })
    const worse = { ...order, lines: [{ ...line, stock: 1 }], credit: 1, address: { street: 'Elm 1', city: '' } }
    expect((await run('order-checks', worse)).body).toEqual({
      passed: false,
      problems: ['tea: only 1 of 3 in stock', '1350 is over the credit of 1', 'the address has no city', 'the address has no country'],
    })
  })

  test('clean-contacts merges duplicates', async () => {
    const contacts = [{ name: ' Ada  L. ', email: 'ADA@Example.com ' }, { name: 'Ada', email: 'ada@example.com' }, { name: 'Bob' }]
    expect((await run('clean-contacts', { contacts })).body).toEqual({
      contacts: [{ name: 'Ada L.', email: 'ada@example.com' }],
      duplicates: 1,
      rejected: [{ name: 'Bob', email: '' }],
    })
  })

  test('invoice-batch lists invoice as a requirement, and runs it once for every customer', async () => {
    const account = await server.registerAccount()
    const { body } = await from(account, 'invoice-batch')
    const needs = () => account.client.workflows.executionRequirements({ params: { id: body.id } })
    expect(await needs()).toMatchObject({ ready: false, workflows: [{ name: 'templates/invoice:latest', missing: true }] })
    await from(account, 'invoice')
    expect(await needs()).toMatchObject({ ready: true })
    const customers = [
      { customer: 'Ada', hours: 2, rate: 1000 },
      { customer: 'Bob', hours: -1, rate: 1000 },
    ]
    expect((await account.send('POST', `/api/v1/execute/${body.id}/run`, { input: { customers } })).body).toEqual({
      invoices: [{ customer: 'Ada', net: 2000, tax: 380, gross: 2380 }],
      failed: [{ customer: 'Bob', reason: 'Negative hours' }],
      gross: 2380,
    })
  })
})

describe('templates that call services', () => {
  const away: StandInAnswer = { status: 503 }

  test('call-with-retry reads when the service is back, and takes the default when it stays away', async () => {
    await using service = await startHttpStandIn(() => (service.requests.length < 3 ? away : { body: { rate: 2 } }))
    expect((await run('call-with-retry', { url: service.url })).body).toEqual({ content: { rate: 2 }, fromDefault: false })
    expect(service.requests).toHaveLength(3)
    await using gone = await startHttpStandIn(() => away)
    expect((await run('call-with-retry', { url: gone.url, default: 1 })).body).toEqual({ content: 1, fromDefault: true })
    expect(gone.requests).toHaveLength(4)
  })

  test('webhook-relay forwards matching events and drops the others', async () => {
    await using service = await startHttpStandIn(() => (service.requests.length < 2 ? away : { status: 202 }))
    const event = { id: '1', type: 'order.paid', data: { total: 5 } }
    expect((await run('webhook-relay', { event, target: service.url, types: ['order.sent'] })).body).toMatchObject({ forwarded: false })
    expect(service.requests).toEqual([])
    expect((await run('webhook-relay', { event, target: `${service.url}/in` })).body).toEqual({ forwarded: true, status: 202 })
    const sent = { method: 'POST', path: '/in', body: { id: '1', kind: 'order.paid', payload: { total: 5 } } }
    expect(service.requests).toEqual([sent, sent])
  })

  test('daily-report sums up what is given or read, and posts it', async () => {
    const rows = [
      { group: 'a', amount: 1 },
      { group: 'b', amount: 5 },
      { group: 'a', amount: 2 },
    ]
    await using service = await startHttpStandIn(({ method }) => ({ body: method === 'GET' ? rows : {} }))
    const text = '# Sales\n\n| group | rows | amount |\n|---|---|---|\n| b | 1 | 5 |\n| a | 2 | 3 |\n\nTotal: 8'
    expect((await run('daily-report', { title: 'Sales', rows })).body).toMatchObject({ amount: 8, text })
    expect(service.requests).toEqual([])
    const posted = await run('daily-report', { title: 'Sales', source: service.url, chat: `${service.url}/chat` })
    expect(posted.body).toMatchObject({ amount: 8, text })
    expect(service.requests.at(-1)).toEqual({ method: 'POST', path: '/chat', body: { text } })
  })

  test('answer-in-time returns the fallback when the service is too slow', async () => {
    const { promise: never, resolve } = Promise.withResolvers<StandInAnswer>()
    await using service = await startHttpStandIn(({ path }) => (path === '/slow' ? never : { body: { price: 3 } }))
    expect((await run('answer-in-time', { url: service.url })).body).toEqual({ answer: { price: 3 }, inTime: true })
    const late = await run('answer-in-time', { url: `${service.url}/slow`, fallback: 'later' })
    resolve({})
    expect(late.body).toMatchObject({ answer: 'later', inTime: false })
  })

  test('fastest-of-two takes the first answer', async () => {
    const { promise: never, resolve } = Promise.withResolvers<StandInAnswer>()
    await using service = await startHttpStandIn(({ path }) => (path === '/slow' ? never : { body: 'quick' }))
    const { body } = await run('fastest-of-two', { first: `${service.url}/slow`, second: service.url })
    resolve({})
    expect(body).toEqual({ by: 'second', content: 'quick' })
  })

  test('poll-until-ready polls until the job is done, and faults when it never is', async () => {
    await using service = await startHttpStandIn(({ path }) => ({
      body: { status: path === '/stuck' || service.requests.length < 3 ? 'running' : 'done', result: 4 },
    }))
    expect((await run('poll-until-ready', { url: service.url, every: 'PT0.01S' })).body).toEqual({ status: 'done', result: 4, attempts: 3 })
    const stuck = await run('poll-until-ready', { url: `${service.url}/stuck`, every: 'PT0.01S', attempts: 2 })
    expect([stuck.status, stuck.body.error]).toMatchObject([422, { title: 'Not ready', detail: 'The job is running after 2 questions.' }])
  })

  test('paged-import reads up to the last page or to its limit', async () => {
    await using service = await startHttpStandIn(({ path }) => {
      const page = Number(path.slice(1))
      return { body: { items: [page], next: page < 3 ? `${service.url}/${page + 1}` : null } }
    })
    expect((await run('paged-import', { url: `${service.url}/1` })).body).toEqual({ items: [1, 2, 3], pages: 3, complete: true })
    expect((await run('paged-import', { url: `${service.url}/1`, pagesMax: 2 })).body).toEqual({ items: [1, 2], pages: 2, complete: false })
  })

  test('trip-booking cancels the bookings in reverse order when a service refuses', async () => {
    await using service = await startHttpStandIn(({ path }) => (path === '/book/full' ? { status: 409 } : {}))
    const step = (name: string) => ({ name, book: `${service.url}/book/${name}`, cancel: `${service.url}/cancel/${name}` })
    expect((await run('trip-booking', { steps: [step('flight'), step('hotel')] })).body).toEqual({
      confirmed: true,
      booked: ['flight', 'hotel'],
    })
    service.requests.length = 0
    expect((await run('trip-booking', { steps: [step('flight'), step('hotel'), step('full')] })).body).toMatchObject({
      confirmed: false,
      takenBack: ['hotel', 'flight'],
    })
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/book/flight',
      '/book/hotel',
      '/book/full',
      '/cancel/hotel',
      '/cancel/flight',
    ])
  })
})
