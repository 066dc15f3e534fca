import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromTypeId } from '#platform/ids.ts'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { startWebhookReceiver } from '#testing/webhook-receiver.ts'

let server: TestServer
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  server = await createTestServer()
})
afterAll(async () => {
  await server.close()
  await receiver[Symbol.asyncDispose]()
})

const path = '/api/v1/privacy/persons/reports'
const email = 'zelda.quux@example.net'
const secret = 'sesame-opens-it'

async function report(account: TestAccount, values: readonly string[], more: Readonly<Record<string, unknown>> = {}) {
  const { status, body } = await account.send('POST', path, { values, ...more })
  expect(status, JSON.stringify(body)).toBe(200)
  const read = async () => (await account.send('GET', `${path}/${body.id}`)).body
  await expect.poll(async () => (await read()).state, { interval: 100 }).toBe('ready')
  return read()
}

const linkTo = async (account: TestAccount, id: string) => (await account.send('POST', `${path}/${id}/link`)).body.url

/** The files of a report by their paths. */
async function download(account: TestAccount, id: string): Promise<ReadonlyMap<string, string>> {
  const response = await fetch(`${server.url}${await linkTo(account, id)}`)
  expect(response.status).toBe(200)
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
  return new Map(Object.entries(files).map(([name, content]) => [name.replace(`${id}/data/`, ''), Buffer.from(content).toString()]))
}

const charges = (url: string) => `use: { secrets: [shopKey] }
do:
  - charge:
      call: http
      with: { method: post, endpoint: '${url}', headers: { x-key: '\${ $secrets.shopKey }' }, body: { email: '\${ .email }' } }
  - keep: { set: { email: '\${ $workflow.input.email }' } }
`

/** A run, a setting and files with the data of the person. */
async function leaveTraces(account: TestAccount) {
  await account.send('POST', '/api/v1/variables', { name: 'shopKey', kind: 'secret', value: secret })
  const { id: workflowId } = await account.client.workflows.create({ body: { definition: documentOf(charges(receiver.url)) } })
  const input = { email, card: { password: 'open-says-me' }, note: `the key is ${secret}`, order: 12345678901234567890n.toString() }
  const { body } = await account.send('POST', `/api/v1/workflows/${workflowId}/execute`, { input }, { prefer: 'wait=20' })
  expect(body.state, JSON.stringify(body)).toBe('completed')
  await account.send('POST', '/api/v1/variables', { name: 'contact', kind: 'text', value: `${'x'.repeat(500)} ${email}` })
  await account.send('PUT', '/api/v1/files?name=letter.txt', `Dear ${email}`)
  await account.send('PUT', '/api/v1/files?name=photo.png', '\u{0}PNG')
  return { workflowId, executionId: body.id }
}

test('a report has the records of the person with where, when and why, their files, and no secret', async () => {
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  const { workflowId, executionId } = await leaveTraces(account)
  await other.send('POST', '/api/v1/variables', { name: 'elsewhere', kind: 'text', value: `${email} of another account` })
  await account.send('PUT', '/api/v1/privacy/policies', {
    point: 'input',
    action: 'detect',
    purpose: 'Orders of customers',
    legalBasis: 'contract',
    retention: 'P90D',
  })
  const made = await report(account, [email], { note: 'Request 17' })
  expect(made).toMatchObject({
    values: 1,
    note: 'Request 17',
    records: expect.arrayContaining([
      { category: 'executions', records: 1 },
      { category: 'variables', records: 1 },
      { category: 'attached files', records: 1 },
    ]),
    review: [{ kind: 'unreadable', count: 1, files: [{ name: 'photo.png' }] }],
  })
  const files = await download(account, made.id)
  const executions = JSON.parse(files.get('records/executions.json') ?? '')
  expect(executions).toMatchObject([
    {
      id: executionId,
      workflowId,
      workflow: expect.any(String),
      at: expect.any(String),
      fields: expect.arrayContaining(['input', 'output']),
      why: [{ purpose: 'Orders of customers', legalBasis: 'contract', retention: 'P90D' }],
      data: { input: { email, card: { password: '***' }, note: 'the key is ***' }, output: { email } },
    },
  ])
  // Of a setting, only where the person is named.
  expect(JSON.parse(files.get('records/variables.json') ?? '')).toMatchObject([
    {
      name: 'contact',
      why: [{ reason: expect.stringMatching(/setting/) }],
      data: { value: [{ at: '', text: expect.stringMatching(/^…x{1,60} /) }] },
    },
  ])
  expect(files.get('files/1-letter.txt')).toBe(`Dear ${email}`)
  expect(files.get('summary.html')).toContain('Orders of customers')
  expect(files.get('READ-ME-FIRST.txt')).toContain('data of other persons')
  const all = [...files.values()].join('\n')
  for (const text of [secret, 'open-says-me', 'of another account', account.password]) expect(all).not.toContain(text)
})

test('a report is downloaded by links that work once, in its account alone, and each download is audited', async () => {
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  await account.send('PUT', '/api/v1/files?name=letter.txt', `Dear ${email}`)
  const { id } = await report(account, [email], { locale: 'ar' })
  expect((await download(account, id)).get('summary.html')).toContain('<html lang="ar" dir="rtl">')
  const link = await linkTo(account, id)
  expect((await fetch(`${server.url}${link}`)).status).toBe(200)
  expect((await fetch(`${server.url}${link}`)).status).toBe(404)
  expect((await other.send('POST', `${path}/${id}/link`)).status).toBe(404)
  expect((await other.send('GET', path)).body.data).toEqual([])
  const { body } = await account.send('GET', `/api/v1/audit/query?event=privacy.report_downloaded&target=${id}`)
  expect(body.data).toHaveLength(2)
  expect(JSON.stringify((await account.send('GET', '/api/v1/audit/query')).body)).not.toContain(email)
})

test('the values are removed when the report is ready, and it expires after a week', async () => {
  const account = await server.registerAccount()
  const { id, expiresAt, createdAt } = await report(account, [email])
  expect(Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / (24 * 60 * 60 * 1000))).toBe(7)
  const db = server.database.system
  const uuid = fromTypeId('pdr', id)
  const { rows } = await sql<{ readonly sealed: Buffer | null }>`select sealed from privacy_reports where id = ${uuid}`.execute(db)
  expect(rows).toEqual([{ sealed: null }])
  await sql`update privacy_reports set expires_at = now() - interval '1 second' where id = ${uuid}`.execute(db)
  await sql`update files set expires_at = now() - interval '1 second' where owner = ${`report:${uuid}`}`.execute(db)
  expect((await account.send('GET', `${path}/${id}`)).body.state).toBe('expired')
  expect((await account.send('POST', `${path}/${id}/link`)).status).toBe(409)
})

const filesOf = async (id: string) =>
  (await sql`select from files where owner = ${`report:${fromTypeId('pdr', id)}`}`.execute(server.database.system)).rows.length

test('a report is deleted with its file, by a person and by an erasure', async () => {
  const account = await server.registerAccount()
  const [first, second] = [await report(account, [email]), await report(account, [email])]
  expect([await filesOf(first.id), await filesOf(second.id)]).toEqual([1, 1])
  const link = await linkTo(account, second.id)
  expect((await account.send('DELETE', `${path}/${first.id}`)).status).toBe(200)
  expect(await filesOf(first.id)).toBe(0)
  const { body: erasure } = await account.send('POST', '/api/v1/privacy/erasures', { values: ['another person'] })
  const state = async () => (await account.send('GET', `/api/v1/privacy/erasures/${erasure.id}`)).body
  await expect.poll(async () => (await state()).state, { interval: 100 }).toBe('done')
  expect((await state()).erased).toContainEqual({ category: 'privacy reports', records: 1 })
  expect((await account.send('GET', `${path}/${second.id}`)).status).toBe(404)
  expect((await fetch(`${server.url}${link}`)).status).toBe(404)
  expect(await filesOf(second.id)).toBe(0)
})

test('an erasure waits for a report that is being made, so that it deletes it when it is ready', async () => {
  const account = await server.registerAccount()
  await sql`
    insert into privacy_reports (id, account_id, sealed, given, locale, includes_forms, created_at, created_by, expires_at)
    values (gen_random_uuid(), ${account.accountId}, '\\x01', 1, 'en', false, now(), 'user:test', now() + interval '7 days')`.execute(
    server.database.system,
  )
  const { body } = await account.send('POST', '/api/v1/privacy/erasures', { values: [email] })
  const read = async () => (await account.send('GET', `/api/v1/privacy/erasures/${body.id}`)).body
  await expect.poll(async () => (await read()).state, { interval: 100 }).toBe('waiting')
  expect((await read()).kept).toEqual([{ category: 'privacy reports', records: 1, reason: 'It is being prepared.' }])
})

test('a report has the events of the audit log that name the person, and nothing of mails that are shown in development', async () => {
  const account = await server.registerAccount()
  const invited = 'fred.waldo@example.net'
  expect((await account.send('POST', '/api/v1/account/invitations', { email: invited, role: 'viewer' })).status).toBe(200)
  const made = await report(account, [invited])
  expect(made.records.map(({ category }: { readonly category: string }) => category)).toEqual(['invitations', 'audit events'])
  const files = await download(account, made.id)
  expect(JSON.parse(files.get('records/audit-events.json') ?? '')).toMatchObject([
    {
      category: 'audit events',
      id: expect.stringMatching(/^aud_/),
      name: 'invitation.created',
      fields: ['details'],
      why: [{ reason: expect.stringContaining('Proof') }],
      data: { address: '127.0.0.1', details: { email: invited, role: 'viewer' } },
    },
  ])
  // A mail has the link by which the person accepts.
  expect([...files.keys()].filter((name) => name.includes('outbox'))).toEqual([])
})
