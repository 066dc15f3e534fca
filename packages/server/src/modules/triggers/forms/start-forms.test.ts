import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ MILLRACE_TRUST_PROXY: '127.0.0.1' })
})
afterAll(() => server.close())

const path = '/api/v1/triggers'
const leave = `input:
  schema:
    document:
      type: object
      title: Request for leave
      required: [email, days]
      additionalProperties: false
      properties:
        email: { type: string, format: email, title: Your address }
        days: { type: integer, minimum: 1, maximum: 30, title: Days }
        kind: { enum: [holiday, other], default: holiday }
        halves: { type: array, items: { enum: [first, last] } }
        urgent: { type: boolean }
`
const echoes = 'do:\n  - echo: { set: { got: "${ . }" } }\n'
const open = { signature: { scheme: 'none' }, form: {} }

interface Form {
  readonly account: TestAccount
  readonly id: string
  readonly workflowId: string
  readonly url: string
  show(init?: RequestInit & { readonly search?: string }): Promise<Page>
  send(fields: Record<string, string>, headers?: Record<string, string>): Promise<Page>
  deliveries(): Promise<readonly Record<string, unknown>[]>
  inputs(): Promise<readonly unknown[]>
}

interface Page {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The hidden one. */
  readonly id: string
}

async function pageOf(response: Response): Promise<Page> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, id: /name="_id" value="([^"]+)"/.exec(text)?.[1] ?? '' }
}

async function createForm(
  webhook: object = open,
  { body = leave + echoes, ...more }: { readonly body?: string; readonly mapping?: string } = {},
): Promise<Form> {
  const account = await server.registerAccount()
  const { id: workflowId } = await account.client.workflows.create({ body: { definition: documentOf(body) } })
  const created = await account.send('POST', `${path}/webhook`, { workflowId, name: 'Leave', webhook, ...more })
  expect(created.body).toMatchObject({ secret: null, webhook: { form: { timeZone: 'UTC' }, formProblem: null } })
  const url = `${server.url}${new URL(created.body.webhook.url).pathname}`
  const deliveries = async () => (await account.send('GET', `${path}/${created.body.id}/deliveries`)).body.data
  return {
    account,
    id: created.body.id,
    workflowId,
    url,
    deliveries,
    show: async ({ search = '', ...init } = {}) => pageOf(await fetch(`${url}${search}`, { redirect: 'manual', ...init })),
    send: async (fields, headers = {}) =>
      pageOf(await fetch(url, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) })),
    async inputs() {
      const started: { executionId: string | null; outcome: string }[] = await deliveries()
      const ids = started.filter(({ outcome }) => outcome === 'started').map(({ executionId }) => executionId)
      return Promise.all(ids.map(async (id) => (await account.send('GET', `/api/v1/workflows/executions/${id}`)).body.input))
    },
  }
}

const right = { email: 'ada@example.com', days: '3' }

describe('the page', () => {
  test('has a field for each property, and permits no script and no frame', async () => {
    const { status, headers, text } = await (await createForm()).show()
    expect([status, headers.get('content-type'), headers.get('x-robots-tag')]).toEqual([200, 'text/html; charset=utf-8', 'noindex'])
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(text).toContain('<h1 dir="auto">Request for leave</h1>')
    expect(text).toMatch(/<input type="email" id="f0" name="email" required/)
    expect(text).toMatch(/<input type="number" step="1" id="f1" name="days" required min="1" max="30"/)
    expect(text).toContain('<option value="holiday" selected>')
    expect(text.match(/type="checkbox"/g)).toHaveLength(3)
    expect(text).toMatch(/<html lang="en" dir="ltr">/)
  })

  test('has the title of the workflow where its schema has none, or its name, and else the name of the form', async () => {
    const body = leave.replace('      title: Request for leave\n', '') + echoes
    const form = await createForm(open, { body })
    expect((await form.show()).text).toContain('<h1 dir="auto">Leave</h1>')
    await form.account.client.workflows.update({ params: { id: form.workflowId }, body: { name: 'Time off' } })
    expect((await form.show()).text).toContain('<h1 dir="auto">Time off</h1>')
    const titled = `document: { dsl: 1.0.3, namespace: hr, name: leave, version: 1.0.0, title: Days off }\n${body}`
    await form.account.client.workflows.update({ params: { id: form.workflowId }, body: { definition: titled, publish: true } })
    expect((await form.show()).text).toContain('<h1 dir="auto">Days off</h1>')
  })

  test('takes GET, HEAD and POST, and no other method', async () => {
    const form = await createForm()
    const head = await form.show({ method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    const put = await form.show({ method: 'PUT' })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })

  test('has its frame in Arabic, from right to left, for those who read it', async () => {
    const { text } = await (await createForm()).show({ headers: { 'accept-language': 'fr,en;q=0.5,ar-EG;q=0.9' } })
    expect(text).toContain('<html lang="ar" dir="rtl">')
    expect(text).toContain('إرسال</button>')
  })

  test('is closed while the trigger or the workflow is disabled, and takes nothing', async () => {
    const form = await createForm()
    await form.account.send('PATCH', `${path}/${form.id}/toggle`, { enabled: false })
    const [shown, sent] = [await form.show(), await form.send(right)]
    expect([shown.status, sent.status]).toEqual([409, 409])
    expect(shown.text).toContain('This form is closed')
    expect(sent.text).not.toContain('<form')
    await form.account.send('PATCH', `${path}/${form.id}/toggle`, { enabled: true })
    await form.account.client.workflows.update({ params: { id: form.workflowId }, body: { enabled: false } })
    expect([(await form.show()).status, (await form.send(right)).status]).toEqual([409, 409])
    expect(await form.inputs()).toEqual([])
    expect((await form.account.send('GET', `${path}/${form.id}`)).body).toMatchObject({ failures: 0 })
  })

  test('is refused to other addresses, and over the rate', async () => {
    const strange = await createForm({ ...open, addresses: ['192.0.2.1'] })
    expect([(await strange.show()).status, (await strange.send(right)).status]).toEqual([403, 403])
    const slow = await createForm({ ...open, ratePerMinute: 1 })
    await slow.show()
    const limited = await slow.send(right)
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
    expect(limited.text).toContain('Too many requests')
  })

  test('is refused to one visitor who asks too often, and to no other visitor and no program', async () => {
    const form = await createForm()
    const shown = (address: string) => form.show({ headers: { 'x-forwarded-for': address } })
    const statuses = await Promise.all(Array.from({ length: 61 }, async () => (await shown('192.0.2.7')).status))
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
    expect((await shown('192.0.2.8')).status).toBe(200)
    const body = JSON.stringify({ email: 'ada@example.com', days: 3 })
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.7' }
    expect((await fetch(form.url, { method: 'POST', headers, body })).status).toBe(200)
  })

  test('that one address sends too slowly leaves room for those of others', async () => {
    const form = await createForm()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    const send = async (address: string, end: Promise<void>) => {
      async function* body() {
        yield Buffer.from('--b\r\ncontent-disposition: form-data; name="days"\r\n\r\n')
        await end
        yield Buffer.from('3\r\n--b\r\ncontent-disposition: form-data; name="email"\r\n\r\nada@example.com\r\n--b--\r\n')
      }
      const init = { method: 'POST', body: body(), duplex: 'half' as const, headers: { ...type, 'x-forwarded-for': address } }
      return (await fetch(form.url, { ...init, redirect: 'manual' })).status
    }
    const slow = Array.from({ length: 11 }, () => send('192.0.2.7', released))
    expect(await Promise.race(slow)).toBe(503)
    expect(await send('192.0.2.8', Promise.resolve())).toBe(303)
    release()
    expect((await Promise.all(slow)).filter((status) => status === 303)).toHaveLength(10)
  })

  test('that is filled in with too much gets a page, and a program a problem', async () => {
    const form = await createForm()
    const much = 'x'.repeat(2 * 1024 * 1024)
    const page = await form.send({ ...right, email: much })
    expect([page.status, page.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8'])
    expect(page.text).toContain('Too much was filled in')
    const program = await fetch(form.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(much) })
    expect([program.status, program.headers.get('content-type')]).toEqual([413, expect.stringContaining('application/problem+json')])
  })
})

test('an object of the input schema is a group on the page, and an object of the input', async () => {
  const body = `input:
  schema:
    document:
      type: object
      required: [address]
      properties:
        address:
          type: object
          title: Where you live
          required: [street]
          properties: { street: { type: string, minLength: 3 }, floor: { type: integer } }
`
  const form = await createForm(open, { body: body + echoes })
  expect((await form.show()).text).toContain('<legend><span dir="auto">Where you live</span></legend>')
  const short = await form.send({ '/address/street': 'Ma', '/address/floor': '2' })
  expect([short.status, short.text]).toEqual([422, expect.stringContaining('Must have at least 3 characters.')])
  expect((await form.send({ '/address/street': 'Main', '/address/floor': '2' })).status).toBe(303)
  expect(await form.inputs()).toEqual([{ address: { street: 'Main', floor: 2 } }])
})

describe('what is filled in', () => {
  test('is the input with the types of the schema, and the page after it can be reloaded', async () => {
    const form = await createForm({ ...open, form: { thanks: 'HR will write to you.' } })
    const { id } = await form.show()
    const body = new URLSearchParams([
      ...Object.entries({ ...right, _id: id, _website: '', kind: 'other', urgent: 'true' }),
      ['halves', 'first'],
      ['halves', 'last'],
    ])
    const sent = await form.show({ method: 'POST', body })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, '?sent=1'])
    expect((await form.show({ search: '?sent=1' })).text).toContain('HR will write to you.')
    expect(await form.inputs()).toEqual([{ email: 'ada@example.com', days: 3, kind: 'other', halves: ['first', 'last'], urgent: true }])
    const [delivery] = await form.deliveries()
    expect(delivery).toMatchObject({ outcome: 'started', deliveryId: id, replayable: true })
    const replayed = await form.account.send('POST', `${path}/deliveries/${String(delivery?.['id'])}/replay`)
    const again = await form.account.send('GET', `/api/v1/workflows/executions/${replayed.body.executionId}`)
    expect(again.body).toMatchObject({ trigger: 'replay', input: { email: 'ada@example.com', days: 3 } })
  })

  test('and is sent twice starts once; after a change it starts again', async () => {
    const form = await createForm()
    const fields = { ...right, _id: (await form.show()).id }
    const sent = await Promise.all([form.send(fields), form.send(fields), form.send(fields)])
    expect(sent.map(({ status }) => status)).toEqual([303, 303, 303])
    expect(await form.inputs()).toHaveLength(1)
    await form.send({ ...fields, days: '4' })
    expect((await form.inputs()).map((input) => Object(input).days)).toEqual([4, 3])
  })

  test('wrongly comes back with its values and a message at each field, and counts as no failure', async () => {
    const form = await createForm()
    const id = (await form.show()).id
    const unread = await form.send({ _id: id, email: '', days: '1.5', kind: 'other', halves: 'last' })
    expect([unread.status, unread.id]).toEqual([422, id])
    expect(unread.text).toMatch(/name="email" required[^>]*aria-invalid="true"/)
    expect(unread.text).toMatch(/<input type="number"[^>]*aria-invalid="true"[^>]*value="1.5">/)
    expect(unread.text).toContain('Must be a whole number.')
    expect(unread.text).toContain('<option value="other" selected>')
    expect(unread.text).toContain('value="last" checked')
    const invalid = await form.send({ email: '"><script>', days: '31' })
    expect(invalid.status).toBe(422)
    expect(invalid.text).toContain('Must be at most 30.')
    expect(invalid.text).toContain('Must be an email address')
    expect(invalid.text).toContain('value="&quot;&gt;&lt;script&gt;"')
    const arabic = await form.send({ ...right, days: '0' }, { 'accept-language': 'ar' })
    expect(arabic.text).toContain('يجب ألا يقل عن 1.')
    for (let days = 40; days < 50; days++) await form.send({ ...right, days: String(days) })
    const { body } = await form.account.send('GET', `${path}/${form.id}`)
    expect(body).toMatchObject({ enabled: true, failures: 0 })
    expect((await form.deliveries())[0]).toMatchObject({
      outcome: 'refused',
      status: 422,
      reason: expect.stringContaining('/input/days'),
      replayable: false,
    })
    expect(await form.inputs()).toEqual([])
  })

  test('with an address without a whole domain, or a year that no one means, is refused to people and programs', async () => {
    const dates = '        from: { type: string, format: date }\n        at: { type: string, format: date-time }\n'
    const form = await createForm(open, { body: leave.replace('        urgent:', `${dates}        urgent:`) + echoes })
    expect((await form.show()).text).toContain('<input type="date" id="f4" name="from" min="1900-01-01" max="2200-12-31"')
    const wrong = { email: 'joerg@example', from: '0026-08-03', at: '0026-08-03T10:00' }
    const page = await form.send({ ...right, ...wrong })
    expect([page.status, page.text.match(/Must have a year from 1900 to 2200|Must be an email address/g)?.length]).toEqual([422, 3])
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ ...right, days: 3, ...wrong, at: '0026-08-03T10:00:00Z' })
    const response = await fetch(form.url, { method: 'POST', headers, body })
    const pointers = ['/input/email', '/input/from', '/input/at']
    expect(await response.json()).toMatchObject({ code: 'input_invalid', errors: pointers.map((pointer) => ({ pointer })) })
    expect((await form.account.send('GET', `${path}/${form.id}`)).body).toMatchObject({ failures: 0 })
    expect(await form.inputs()).toEqual([])
  })

  test('is shown back at its field where the privacy policy takes no personal data, which counts as no failure', async () => {
    const form = await createForm()
    await form.account.client.privacy.putPolicy({ body: { purpose: 'leave', legalBasis: 'contract', action: 'block' } })
    const { status, text } = await form.send(right)
    expect([status, text.includes('does not take personal data')]).toEqual([422, true])
    expect(text).toMatch(/name="email" required[^>]*aria-invalid="true"/)
    expect(await form.deliveries()).toMatchObject([{ outcome: 'refused', replayable: false }])
    expect((await form.account.send('GET', `${path}/${form.id}`)).body).toMatchObject({ failures: 0 })
  })

  test('by a program, in the field that people do not see, starts nothing and looks like a success', async () => {
    const form = await createForm()
    expect((await form.send({ ...right, _website: 'https://spam.example' })).status).toBe(303)
    expect(await form.inputs()).toEqual([])
    expect(await form.deliveries()).toMatchObject([{ outcome: 'refused', reason: expect.stringContaining('hidden field') }])
  })

  test('goes through the mapping, whose failures count', async () => {
    const form = await createForm(open, { mapping: '.body | if .days > 9 then error("too long") else . + { kind: "other" } end' })
    await form.send(right)
    expect(await form.inputs()).toEqual([{ email: 'ada@example.com', days: 3, kind: 'other', urgent: false }])
    const failed = await form.send({ ...right, days: '10' })
    expect([failed.status, failed.text.includes('value="10"')]).toEqual([422, true])
    expect((await form.account.send('GET', `${path}/${form.id}`)).body).toMatchObject({ failures: 1 })
  })

  test('can be sent as JSON by a program, which gets JSON', async () => {
    const form = await createForm({ ...open, reply: 'end' })
    const send = async (body: object) => {
      const response = await fetch(form.url, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      })
      return { status: response.status, body: await response.json() }
    }
    expect(await send({ ...right, days: 3 })).toEqual({ status: 200, body: { got: { ...right, days: 3 } } })
    expect((await send({ days: 3 })).body).toMatchObject({ status: 422, code: 'input_invalid', errors: [{ pointer: '/input' }] })
    expect((await form.account.send('GET', `${path}/${form.id}`)).body).toMatchObject({ failures: 0 })
  })

  test('at the test URL starts a test of the draft, while someone listens', async () => {
    const form = await createForm()
    const visit = async (init: RequestInit = {}) => pageOf(await fetch(`${form.url}/test`, { redirect: 'manual', ...init }))
    expect([(await visit()).status, (await visit({ method: 'POST', body: new URLSearchParams(right) })).status]).toEqual([409, 409])
    await form.account.send('POST', `${path}/${form.id}/test`, {})
    expect((await visit()).text).toContain('This is a test of the form.')
    expect((await visit({ method: 'POST', body: new URLSearchParams({ ...right, days: '99' }) })).status).toBe(422)
    expect((await visit({ method: 'POST', body: new URLSearchParams(right) })).status).toBe(303)
    const { data } = (await form.account.send('GET', `${path}/${form.id}/deliveries?test=true&outcome=started`)).body
    const { body } = await form.account.send('GET', `/api/v1/workflows/executions/${data[0].executionId}`)
    expect(body).toMatchObject({ trigger: 'test', input: { ...right, days: 3, urgent: false } })
  })
})

describe('a form', () => {
  test.each<[what: string, webhook: object, body: string, problem: object]>([
    ['of signed requests', { form: {} }, leave, { status: 400, errors: [{ pointer: '/webhook/signature/scheme' }] }],
    ['that is started by GET', { ...open, methods: ['GET', 'POST'] }, leave, { status: 400, errors: [{ pointer: '/webhook/methods' }] }],
    [
      'in an unknown zone',
      { ...open, form: { timeZone: 'Mars' } },
      leave,
      { status: 400, errors: [{ pointer: '/webhook/form/timeZone' }] },
    ],
    ['without a schema', open, '', { code: 'form_invalid', errors: [{ pointer: '/webhook/form' }] }],
    [
      'for a property that it cannot show',
      open,
      'input: { schema: { document: { type: object, properties: { where: { type: object } } } } }\n',
      { status: 422, code: 'form_invalid', errors: [{ detail: expect.stringContaining('"where" is an object') }] },
    ],
  ])('%s is refused', async (_what, webhook, body, problem) => {
    const account = await server.registerAccount()
    const { id: workflowId } = await account.client.workflows.create({ body: { definition: documentOf(body + echoes) } })
    expect((await account.send('POST', `${path}/webhook`, { workflowId, name: 'Leave', webhook })).body).toMatchObject(problem)
    const plain = await account.send('POST', path, {
      workflowId,
      name: 'Leave',
      kind: 'webhook',
      webhook: { signature: { scheme: 'none' } },
    })
    expect((await account.send('PATCH', `${path}/${plain.body.id}`, { webhook })).body).toMatchObject(problem)
  })

  test('of a workflow that is not published, or of another account, is refused', async () => {
    const [account, other] = [await server.registerAccount(), await server.registerAccount()]
    const { id: workflowId } = await account.client.workflows.create({ body: { definition: documentOf(leave + echoes), publish: false } })
    const wanted = { workflowId, name: 'Leave', webhook: open }
    expect((await account.send('POST', `${path}/webhook`, wanted)).body).toMatchObject({ code: 'workflow_not_published' })
    expect((await other.send('POST', `${path}/webhook`, wanted)).status).toBe(404)
  })

  test('whose workflow got a schema that it cannot show says so to both sides', async () => {
    const form = await createForm()
    const { revision, definition } = await form.account.client.workflows.get({ params: { id: form.workflowId } })
    expect(revision).toBeGreaterThan(0)
    const changed = JSON.parse(JSON.stringify(definition))
    changed.document.version = '1.0.1'
    changed.input.schema.document.properties.where = { type: 'object' }
    await form.account.client.workflows.update({ params: { id: form.workflowId }, body: { definition: changed, publish: true } })
    const shown = await form.show()
    expect([shown.status, shown.text.includes('cannot be shown')]).toEqual([409, true])
    expect((await form.send(right)).status).toBe(422)
    const { body } = await form.account.send('GET', `${path}/${form.id}`)
    expect(body.webhook.formProblem).toContain('"where" is an object')
    expect((await form.account.send('GET', path)).body.data[0].webhook.formProblem).toContain('"where"')
  })
})
