import { once } from 'node:events'
import { request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JOB_QUEUE } from '#platform/jobs/job-queue.ts'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const path = '/api/v1/triggers'
const applies = `input:
  schema:
    document:
      type: object
      required: [name, cv]
      additionalProperties: false
      properties:
        name: { type: string, minLength: 2 }
        cv: { type: string, format: file, title: Your CV, contentMediaType: 'application/pdf, image/*', maxBytes: 1000000 }
        photo: { type: string, format: file }
do:
  - read: { call: files.get, with: { name: '\${ .cv }', as: text }, output: { as: '\${ { text, contentType } }' } }
`
const pdf = (content: string, name = 'Ada Lovelace.pdf') => new File([content], name, { type: 'application/pdf' })

interface Form {
  readonly account: TestAccount
  readonly id: string
  readonly url: string
  send(fields: Record<string, string | File>, suffix?: string): Promise<{ readonly status: number; readonly text: string }>
  files(): Promise<readonly Record<string, unknown>[]>
  deliveries(query?: string): Promise<readonly Record<string, unknown>[]>
  ended(executionId: unknown): Promise<Record<string, unknown>>
}

async function createForm(account?: TestAccount, body = applies): Promise<Form> {
  const owner = account ?? (await server.registerAccount())
  const { id: workflowId } = await owner.client.workflows.create({ body: { definition: documentOf(body) } })
  const webhook = { signature: { scheme: 'none' }, form: {} }
  const created = await owner.send('POST', `${path}/webhook`, { workflowId, name: 'Apply', webhook })
  const url = `${server.url}${new URL(created.body.webhook.url).pathname}`
  return {
    account: owner,
    id: created.body.id,
    url,
    async send(fields, suffix = '') {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      const response = await fetch(`${url}${suffix}`, { method: 'POST', redirect: 'manual', body: form })
      return { status: response.status, text: await response.text() }
    },
    files: async () => (await owner.send('GET', '/api/v1/files')).body.data,
    deliveries: async (query = '') => (await owner.send('GET', `${path}/${created.body.id}/deliveries${query}`)).body.data,
    async ended(executionId) {
      const read = async () => (await owner.send('GET', `/api/v1/workflows/executions/${String(executionId)}`)).body
      await expect.poll(async () => (await read()).state).toBe('completed')
      return read()
    },
  }
}

/** Bytes that the account has stored, those of refused uploads included. */
async function storedBytes({ accountId }: TestAccount): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(octet_length(content)), 0)::int4 as bytes from file_chunks where account_id = ${accountId}`.execute(
    server.database.system,
  )
  return rows[0]?.bytes ?? -1
}

const submission = () => crypto.randomUUID()

async function accountWith(bytes: number): Promise<TestAccount> {
  const operator = await server.registerAccount()
  await sql`update users set is_operator = true where id = ${operator.userId}`.execute(server.database.system)
  const limits = { storage_bytes: { soft: bytes, hard: bytes } }
  await operator.send('PUT', '/api/v1/billing/plans/little', { name: 'little', rank: 1, limits, prices: [], isPublic: true })
  const account = await server.registerAccount()
  await account.send('POST', '/api/v1/billing/subscribe', { tier: 'little' })
  return account
}

test('a form with a file shows what it takes, in the language of its reader', async () => {
  const { url } = await createForm()
  const text = await (await fetch(url)).text()
  expect(text).toContain('<form method="post" accept-charset="utf-8" enctype="multipart/form-data">')
  expect(text).toMatch(/<input type="file" id="f1" name="cv" required aria-describedby="f1h" accept="application\/pdf,image\/\*">/)
  expect(text).toContain('Takes PDF, images. At most 1 MB.')
  expect(text).toMatch(/<input type="file" id="f2" name="photo" aria-describedby="f2h">/)
  expect(text).toContain('At most 10 MB.')
  const arabic = await (await fetch(url, { headers: { 'accept-language': 'ar' } })).text()
  expect(arabic).toContain('الأنواع المقبولة: PDF، صور. الحد الأقصى 1 ميغابايت')
})

describe('a file that is sent', () => {
  test('is a file of the account, whose name the workflow reads it by', async () => {
    const form = await createForm()
    expect((await form.send({ _id: submission(), name: 'Ada', cv: pdf('about me'), photo: new File([], '') })).status).toBe(303)
    const [file, ...others] = await form.files()
    expect(others).toEqual([])
    expect(file).toMatchObject({ contentType: 'application/pdf', size: 8, writtenBy: `trigger:${form.id}`, expiresAt: null })
    expect(file?.['name']).toMatch(/^forms\/[a-z]{16}\/Ada Lovelace\.pdf$/)
    const [delivery] = await form.deliveries()
    expect(delivery).toMatchObject({ outcome: 'started', replayable: true })
    expect(await form.ended(delivery?.['executionId'])).toMatchObject({
      input: { name: 'Ada', cv: file?.['name'] },
      output: { text: 'about me', contentType: 'application/pdf' },
    })
    const meters = (await form.account.send('GET', '/api/v1/billing/usage')).body.meters
    expect(meters.find(({ meter }: { meter: string }) => meter === 'storage_bytes').used).toBe(8)
  })

  test('may be missing at the end of a form as a browser sends it', async () => {
    const form = await createForm()
    const part = (disposition: string, content: string) =>
      `--b\r\ncontent-disposition: form-data; ${disposition}\r\ncontent-type: application/pdf\r\n\r\n${content}\r\n`
    const body = `${part('name="cv"; filename="a.pdf"', 'mine')}--b\r\ncontent-disposition: form-data; name="name"\r\n\r\nAda\r\n${part('name="photo"; filename=""', '')}--b--\r\n`
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    expect((await fetch(form.url, { method: 'POST', redirect: 'manual', headers, body })).status).toBe(303)
    expect(await form.files()).toMatchObject([{ size: 4 }])
  })

  test('twice with one form is stored once', async () => {
    const form = await createForm()
    const fields = { _id: submission(), name: 'Ada', cv: pdf('one') }
    const sent = await Promise.all([form.send(fields), form.send(fields), form.send(fields)])
    expect([...sent, await form.send(fields)].map(({ status }) => status)).toEqual([303, 303, 303, 303])
    expect(await form.files()).toHaveLength(1)
    const started = (await form.deliveries()).find(({ outcome }) => outcome === 'started')
    expect(await form.ended(started?.['executionId'])).toMatchObject({ output: { text: 'one' } })
    await form.send({ ...fields, cv: pdf('another') })
    expect(await form.files()).toHaveLength(2)
  })

  test.each<[sent: string, filename: string, stored: RegExp]>([
    ['a path', String.raw`C:\CVs\..\me.pdf`, /\/me\.pdf$/],
    ['quotes and a change of direction', 'a"b\u202Efdp.pdf', /\/a"bfdp\.pdf$/],
    ['nothing but dots', '...', /\/cv$/],
    ['more characters than a name has', `${'x'.repeat(300)}.pdf`, /\/x{116}\.pdf$/],
  ])('with %s in its name gets a name that a file can have', async (_what, filename, stored) => {
    const form = await createForm()
    expect((await form.send({ name: 'Ada', cv: pdf('x', filename) })).status).toBe(303)
    expect((await form.files())[0]?.['name']).toMatch(stored)
  })

  test('and has the name of another one of the form replaces nothing', async () => {
    const form = await createForm()
    await form.send({ name: 'Ada', cv: pdf('one', 'a.pdf'), photo: pdf('two', 'a.pdf') })
    expect((await form.files()).map(({ name }) => String(name).replace(/^.*\//, ''))).toEqual(['2-a.pdf', 'a.pdf'])
  })

  test('with personal data in its name is stored without it, where the privacy policy replaces such data', async () => {
    const form = await createForm()
    await form.account.client.privacy.putPolicy({ body: { purpose: 'hiring', legalBasis: 'contract', action: 'redact' } })
    expect((await form.send({ name: 'Me', cv: pdf('mine', 'ada@example.com.pdf') })).status).toBe(303)
    expect((await form.files())[0]?.['name']).toMatch(/^forms\/[a-z]{16}\/cv\.pdf$/)
    expect(await form.ended((await form.deliveries())[0]?.['executionId'])).toMatchObject({ output: { text: 'mine' } })
  })

  test('is downloaded, never shown, whatever type its sender says', async () => {
    const form = await createForm()
    const page = new File(['<script>alert(1)</script>'], 'photo.html', { type: 'text/html' })
    await form.send({ name: 'Ada', cv: pdf('x'), photo: page })
    const file = (await form.files()).find(({ contentType }) => contentType === 'text/html')
    const { url } = (await form.account.send('POST', `/api/v1/files/${String(file?.['id'])}/link`)).body
    const { headers } = await fetch(`${server.url}${url}`)
    expect(headers.get('content-disposition')).toMatch(/^attachment;/)
    expect([headers.get('x-content-type-options'), headers.get('content-security-policy')]).toEqual([
      'nosniff',
      expect.stringContaining("default-src 'none'"),
    ])
  })

  test('to the test URL is kept for a day', async () => {
    const form = await createForm()
    await form.account.send('POST', `${path}/${form.id}/test`, {})
    expect((await form.send({ name: 'Ada', cv: pdf('tried') }, '/test')).status).toBe(303)
    const [file] = await form.files()
    const lifeMs = Date.parse(String(file?.['expiresAt'])) - Date.parse(String(file?.['createdAt']))
    expect(lifeMs).toBe(24 * 60 * 60 * 1000)
    const [delivery] = await form.deliveries('?test=true')
    expect(await form.ended(delivery?.['executionId'])).toMatchObject({ trigger: 'test', output: { text: 'tried' } })
  })
})

describe('a form that is refused leaves no file', () => {
  test.each<[why: string, fields: { readonly name: string; readonly cv: string | File; readonly photo?: File }, message: string]>([
    ['because of another field', { name: 'A', cv: pdf('x') }, 'Must have at least 2 characters.'],
    [
      'because of a file that is too large',
      { name: 'Ada', cv: pdf('x'.repeat(1_000_001)), photo: pdf('x') },
      'Choose one of at most 1 MB.',
    ],
    [
      'because of the type of a file',
      { name: 'Ada', cv: new File(['x'], 'a.exe', { type: 'application/x-msdownload' }), photo: pdf('x') },
      'Choose one of these: PDF, images.',
    ],
    [
      'because of the type of a large file at its end',
      { name: 'Ada', photo: pdf('x'), cv: new File(['x'.repeat(900_000)], 'a.exe', { type: 'application/x-msdownload' }) },
      'Choose one of these: PDF, images.',
    ],
    ['because a file is missing', { name: 'Ada', cv: new File([], ''), photo: pdf('x') }, 'Choose a file.'],
    ['because a text stands for a file', { name: 'Ada', cv: 'reports/salaries.csv', photo: pdf('x') }, 'Choose a file.'],
  ])('%s', async (_why, fields, message) => {
    const form = await createForm()
    const { status, text } = await form.send(fields)
    expect([status, text]).toEqual([422, expect.stringContaining(message)])
    expect(text).toContain(`value="${fields.name}"`)
    expect(text.includes('Choose the file again')).toBe(true)
    expect(await storedBytes(form.account)).toBe(0)
    expect((await form.account.send('GET', `${path}/${form.id}`)).body).toMatchObject({ failures: 0 })
  })

  test('because the account has no room, and says so to its owner', async () => {
    const form = await createForm(await accountWith(100))
    const { status, text } = await form.send({ name: 'Ada', cv: pdf('x'.repeat(60)), photo: pdf('x'.repeat(60)) })
    expect([status, text]).toEqual([429, expect.stringContaining('Ask the person who gave you this address.')])
    expect(await storedBytes(form.account)).toBe(0)
    expect((await form.deliveries())[0]).toMatchObject({
      outcome: 'refused',
      replayable: false,
      reason: expect.stringContaining('storage'),
    })
  })

  test('because all its files are too large together', async () => {
    const form = await createForm()
    const { status, text } = await form.send({ name: 'Ada', cv: pdf('x'), photo: pdf('x'.repeat(25_000_000)) })
    expect([status, text]).toEqual([413, expect.stringContaining('The files are too large')])
    expect(await storedBytes(form.account)).toBe(0)
  })

  test('because its mapping fails after the files were stored', async () => {
    const form = await createForm()
    await form.account.send('PATCH', `${path}/${form.id}`, { mapping: 'error("no")' })
    expect((await form.send({ name: 'Ada', cv: pdf('x') })).status).toBe(422)
    expect([await storedBytes(form.account), await form.files()]).toEqual([0, []])
    expect((await form.deliveries())[0]).toMatchObject({ outcome: 'failed', replayable: false })
  })

  test('because it is closed, or a program filled it in', async () => {
    const form = await createForm()
    expect((await form.send({ _website: 'spam', name: 'Ada', cv: pdf('x') })).status).toBe(303)
    expect((await form.send({ name: 'Ada', cv: pdf('x') }, '/test')).status).toBe(409)
    await form.account.send('PATCH', `${path}/${form.id}/toggle`, { enabled: false })
    expect((await form.send({ name: 'Ada', cv: pdf('x') })).status).toBe(409)
    expect(await storedBytes(form.account)).toBe(0)
  })

  test('because one field has two files', async () => {
    const form = await createForm()
    const sent = (accept: string) => {
      const body = new FormData()
      body.append('name', 'Ada')
      body.append('photo', pdf('x'))
      for (const content of ['one', 'two']) body.append('cv', pdf(content))
      return fetch(form.url, { method: 'POST', redirect: 'manual', headers: { accept }, body })
    }
    const refused = await sent('*/*')
    expect(refused.headers.get('content-type')).toContain('application/problem+json')
    expect(await refused.json()).toMatchObject({
      status: 400,
      code: 'request_invalid',
      errors: [{ pointer: '/cv', detail: 'Takes one file, and several were sent.' }],
    })
    const page = await sent('text/html')
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('value="Ada"')])
    expect(await storedBytes(form.account)).toBe(0)
    expect((await form.deliveries())[0]).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('cv') })
    expect((await form.account.send('GET', `${path}/${form.id}`)).body).toMatchObject({ failures: 0 })
  })

  test('because its sender breaks off', async () => {
    const form = await createForm()
    const head = '--b\r\ncontent-disposition: form-data; name="photo"; filename="a"\r\n\r\n'
    const breaks = new AbortController()
    async function* half() {
      yield Buffer.from(head)
      yield Buffer.alloc(2_000_000, 'x')
      await expect.poll(() => storedBytes(form.account)).toBeGreaterThan(1_000_000)
      breaks.abort()
    }
    const init = { method: 'POST', body: half(), duplex: 'half' as const, headers: { 'content-type': 'multipart/form-data; boundary=b' } }
    await expect(fetch(form.url, { ...init, signal: breaks.signal })).rejects.toMatchObject({ name: 'AbortError' })
    await expect.poll(() => storedBytes(form.account)).toBe(0)
  })

  test('because it was deleted while its files arrived', async () => {
    const form = await createForm()
    async function* slow() {
      yield Buffer.from('--b\r\ncontent-disposition: form-data; name="cv"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n')
      await form.account.send('DELETE', `${path}/${form.id}`)
      // Longer than a webhook that was read counts as it was.
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      yield Buffer.from('mine\r\n--b\r\ncontent-disposition: form-data; name="name"\r\n\r\nAda\r\n--b--\r\n')
    }
    const init = { method: 'POST', body: slow(), duplex: 'half' as const, headers: { 'content-type': 'multipart/form-data; boundary=b' } }
    const response = await fetch(form.url, { ...init, redirect: 'manual' })
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('closed')])
    expect(await storedBytes(form.account)).toBe(0)
    expect((await form.account.send('GET', '/api/v1/executions')).body.data).toEqual([])
  })

  test.each([
    ['published version', true, ''],
    ['draft', false, '/test'],
  ])('because JSON names a file of the account, also while the %s makes no form', async (_which, publish, suffix) => {
    const form = await createForm()
    const { workflowId } = (await form.account.send('GET', `${path}/${form.id}`)).body
    const definition = documentOf(applies.replace('photo:', 'rows: { type: array, items: { type: object } }\n        photo:'))
    await form.account.client.workflows.update({ params: { id: workflowId }, body: { definition, publish } })
    await form.account.send('POST', `${path}/${form.id}/test`, {})
    const response = await fetch(`${form.url}${suffix}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ada', cv: 'reports/salaries.csv' }),
    })
    expect(await response.json()).toMatchObject({ code: 'form_invalid' })
  })

  test('because JSON names a file of the account, which its sender may not see', async () => {
    const form = await createForm()
    const response = await fetch(form.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ada', cv: 'reports/salaries.csv' }),
    })
    expect(await response.json()).toMatchObject({ status: 422, code: 'input_invalid', errors: [{ pointer: '/input/cv' }] })
  })
})

test('senders of a form who fall silent keep no place for long, and others learn when to try again', { timeout: 40_000 }, async () => {
  const form = await createForm()
  const head = '--b\r\ncontent-disposition: form-data; name="cv"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n'
  const silent = Array.from({ length: 11 }, async () => {
    const sent = request(form.url, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=b' } })
    const responds = once(sent, 'response')
    sent.write(head)
    const [response] = await responds
    return { headers: response.headers, ...JSON.parse(await textOf(response)) }
  })
  const send = (headers: Record<string, string>) => {
    const body = new FormData()
    body.append('name', 'Ada')
    body.append('cv', pdf('mine'))
    return fetch(form.url, { method: 'POST', redirect: 'manual', headers, body })
  }
  // The others have the ten places of the address.
  expect(await Promise.race(silent)).toMatchObject({ status: 503, code: 'overloaded', headers: { 'retry-after': '10' } })
  const page = await send({ accept: 'text/html' })
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '10'])
  expect(await page.text()).toContain('Wait a minute and try again.')
  const codes = (await Promise.all(silent)).map(({ code }) => code)
  expect(codes.filter((code) => code === 'request_timeout')).toHaveLength(10)
  expect((await send({})).status).toBe(303)
})

describe('a file whose process died between storing it and the start', () => {
  /** As the process leaves it. */
  async function undecide(form: Form, name: unknown): Promise<void> {
    const [delivery] = await form.deliveries()
    const { rows } = await sql<{ key: string }>`
      select key from execution_keys where account_id = ${form.account.accountId} and key like 'trigger:%'`.execute(server.database.system)
    expect(delivery?.['outcome']).toBe('started')
    await sql`update account_files set start_key = ${rows[0]?.key}, updated_at = now() - interval '2 hours'
      where account_id = ${form.account.accountId} and name = ${String(name)}`.execute(server.database.system)
  }

  test('is kept if an execution has it, and deleted otherwise', async () => {
    const form = await createForm()
    await form.send({ _id: submission(), name: 'Ada', cv: pdf('sent') })
    const [sent] = await form.files()
    const headers = { authorization: `Bearer ${form.account.token}` }
    await fetch(`${server.url}/api/v1/files?name=forms/abc/other.pdf`, { method: 'PUT', headers, body: 'lost' })
    await undecide(form, sent?.['name'])
    await undecide(form, 'forms/abc/other.pdf')
    const boss = new PgBoss({ connectionString: server.databaseUrl, max: 1, supervise: false, schedule: false, migrate: false })
    await boss.start()
    await boss.insert(JOB_QUEUE, [{ data: { name: 'maintenance.form-files', payload: {} }, retryLimit: 0 }])
    await boss.stop()
    const undecided = () => sql`select from account_files where start_key is not null`.execute(server.database.system)
    await expect.poll(async () => (await undecided()).rows).toEqual([])
    expect(await form.files()).toMatchObject([{ name: sent?.['name'] }])
  })
})

test.each([
  ['maxBytes: 30000000', 'a `maxBytes` that is no whole number from 1 to 20000000'],
  ['contentMediaType: pdf', 'a `contentMediaType` that is no list'],
])('a form whose schema says %s for a file is refused', async (keyword, problem) => {
  const account = await server.registerAccount()
  const body = `input: { schema: { document: { type: object, properties: { cv: { type: string, format: file, ${keyword} } } } } }\n`
  const { id: workflowId } = await account.client.workflows.create({
    body: { definition: documentOf(`${body}do:\n  - done: { set: { done: true } }\n`) },
  })
  const webhook = { signature: { scheme: 'none' }, form: {} }
  const refused = await account.send('POST', `${path}/webhook`, { workflowId, name: 'Apply', webhook })
  expect(refused.body).toMatchObject({ code: 'form_invalid', errors: [{ detail: expect.stringContaining(problem) }] })
})
