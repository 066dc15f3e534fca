import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf, labelled } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { createPersons } from './person-service.ts'
import { startWebhookReceiver } from '#testing/webhook-receiver.ts'

let server: TestServer
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
beforeAll(async () => {
  receiver = await startWebhookReceiver(() => ({ status: 200, headers: { 'x-customer': email } }))
  server = await createTestServer()
})
afterAll(async () => {
  await server.close()
  await receiver[Symbol.asyncDispose]()
})

const email = 'zelda.quux@example.net'
const name = 'Zelda Quux'
const values = [email, name]

const asks = (url: string) => `do:
  - look: { call: http, with: { method: post, endpoint: '${url}', output: response } }
  - ask: { call: approve, with: { excludeStarter: false, approvers: [{ role: owner }], title: '\${ "May " + $workflow.input.email + " have it?" }' } }
`

interface Found {
  readonly category: string
  readonly action: string
  readonly total: number
  readonly more: number
  readonly records: readonly Readonly<Record<string, unknown>>[]
}

async function find(account: TestAccount, of: readonly string[], limit = 20): Promise<readonly Found[]> {
  const { status, body } = await account.send('POST', '/api/v1/privacy/persons/find', { values: of, limit })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.categories
}

/** Leaves the person in ended and open runs, an approval, events, the audit log, files and settings. */
async function leaveTraces(account: TestAccount) {
  const { id: workflowId } = await account.client.workflows.create({
    body: { definition: labelled(documentOf(asks(receiver.url)), "{ customer: '${ .email }' }") },
  })
  const start = async () =>
    (await account.send('POST', `/api/v1/workflows/${workflowId}/execute`, { input: { name, email: email.toUpperCase() } })).body.id
  const [ended, open] = [await start(), await start()]
  const openApprovals = async () => (await account.send('GET', '/api/v1/approvals?state=open')).body.data.length
  await expect.poll(openApprovals, { interval: 100 }).toBe(2)
  await account.send('POST', `/api/v1/workflows/executions/${ended}/cancel`)
  await expect.poll(openApprovals, { interval: 100 }).toBe(1)
  for (let number = 0; number < 4; number++)
    await account.send('POST', '/api/v1/events', { specversion: '1.0', id: `z-${number}`, source: '/shop', type: 'a.b', data: { email } })
  await account.send('POST', '/api/v1/account/invitations', { email, role: 'viewer' })
  await account.send('PUT', `/api/v1/files?name=${encodeURIComponent(`of ${name}.txt`)}`, 'a letter')
  await account.send('POST', '/api/v1/variables', { name: 'contact', kind: 'text', value: `Write to ${email}` })
  // It is written in the background.
  await expect.poll(async () => (await find(account, values)).map(({ category }) => category), { interval: 100 }).toContain('notifications')
  return { workflowId, ended, open }
}

test('the search finds what the erasure of the same values touches and keeps, record by record', async () => {
  const account = await server.registerAccount()
  await leaveTraces(account)
  const found = await find(account, values, 100)
  const { body: preview } = await account.send('POST', '/api/v1/privacy/erasures/preview', { values })
  expect(preview.records).toEqual(found.map(({ category, total, action }) => ({ category, records: total, action })))
  for (const { total, records, more } of found) expect(total).toBe(records.length + more)

  const { body } = await account.send('POST', '/api/v1/privacy/erasures', { values })
  const read = async () => (await account.send('GET', `/api/v1/privacy/erasures/${body.id}`)).body
  await expect.poll(async () => (await read()).state, { interval: 100 }).toBe('waiting')
  const erasure = await read()
  const erased = new Map<string, number>()
  for (const { category, records } of [...erasure.erased, ...erasure.kept]) erased.set(category, (erased.get(category) ?? 0) + records)
  expect(Object.fromEntries(erased)).toEqual(Object.fromEntries(found.map(({ category, total }) => [category, total])))
  expect([...erased.keys()]).toEqual(
    expect.arrayContaining(['executions', 'journal', 'approvals', 'events', 'invitations', 'variables', 'account files', 'audit events']),
  )
  // What is left are the records of the open run, and those that an erasure keeps.
  const left = await find(account, values)
  expect(left.filter(({ action }) => action !== 'keep').map(({ category, total }) => ({ category, records: total }))).toEqual(
    erasure.kept
      .filter(({ reason }: { readonly reason: string }) => reason === 'The execution has not ended.')
      .map(({ category, records }: { readonly category: string; readonly records: number }) => ({ category, records })),
  )
})

test('the search names records with their run, workflow, approval or file, the newest first, and says how many more there are', async () => {
  const account = await server.registerAccount()
  const { workflowId, ended, open } = await leaveTraces(account)
  const found = await find(account, values, 2)
  const of = (category: string) => found.find((each) => each.category === category)
  expect(of('executions')).toMatchObject({ action: 'replace', total: 2, more: 0 })
  expect(of('executions')?.records).toMatchObject([
    { id: open, executionId: open, workflowId, fields: expect.arrayContaining(['input']), at: expect.any(String) },
    { id: ended, executionId: ended, workflowId },
  ])
  expect(of('approvals')?.records).toContainEqual(
    expect.objectContaining({ approvalId: expect.stringMatching(/^apr_/), executionId: open, workflowId }),
  )
  expect(of('account files')?.records).toMatchObject([
    { fileId: expect.stringMatching(/^file_/), name: `of ${name}.txt`, fields: ['name'] },
  ])
  expect(of('variables')).toMatchObject({ action: 'keep', reason: expect.stringMatching(/setting/), records: [{ name: 'contact' }] })
  const events = of('events')
  expect(events?.records).toHaveLength(2)
  expect(events?.more).toBe((events?.total ?? 0) - 2)
  const times = events?.records.map(({ at }) => String(at)) ?? []
  expect(times).toEqual(times.toSorted().toReversed())
})

test('the search reaches no other account, and leaves who searched in the audit log, without the values', async () => {
  const [own, other] = [await server.registerAccount(), await server.registerAccount()]
  await other.send('POST', '/api/v1/variables', { name: 'contact', kind: 'text', value: 'Quentin Xyzzy' })
  expect(await find(own, ['Quentin Xyzzy'])).toEqual([])
  const { body } = await own.send('GET', '/api/v1/audit/query?event=privacy.person_searched')
  expect(body.data).toMatchObject([{ details: { values: 1, records: 0 } }])
  expect(JSON.stringify(body)).not.toContain('Quentin')
})

test('files that were sent with a start form of the person are found, each once', async () => {
  const account = await server.registerAccount()
  const applies = `input:
  schema:
    document: { type: object, properties: { email: { type: string }, proof: { type: string, format: file } } }
do: [{ done: { set: { ok: true } } }]
`
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(applies) } })
  const { body: trigger } = await account.send('POST', '/api/v1/triggers/webhook', {
    workflowId: id,
    name: 'Apply',
    webhook: { signature: { scheme: 'none' }, form: {} },
  })
  const form = new FormData()
  form.set('email', email)
  form.set('proof', new File(['\u{0}a picture'], `${email}.png`, { type: 'image/png' }))
  const hook = new URL(trigger.webhook.url, server.url).pathname
  expect((await fetch(`${server.url}${hook}`, { method: 'POST', body: form, redirect: 'manual' })).status).toBeLessThan(400)
  await expect.poll(async () => (await account.send('GET', '/api/v1/executions?state=completed')).body.data.length).toBe(1)
  const files = (await find(account, values)).filter(({ category }) => category === 'account files')
  expect(files).toMatchObject([{ action: 'delete', total: 1, records: [{ executionId: expect.stringMatching(/^exec_/) }] }])
})

test('an account searches twice at once, and further searches are asked to wait', async () => {
  const account = await server.registerAccount()
  await account.send('POST', '/api/v1/variables', { name: 'contact', kind: 'text', value: 'Quentin Xyzzy' })
  const search = () => account.send('POST', '/api/v1/privacy/persons/find', { values: ['Quentin Xyzzy'], limit: 1 })
  const replies = await Promise.all(Array.from({ length: 12 }, search))
  const [found, refused] = [200, 503].map((status) => replies.filter((reply) => reply.status === status))
  expect((found?.length ?? 0) + (refused?.length ?? 0)).toBe(12)
  expect(found?.length).toBeGreaterThanOrEqual(2)
  expect(refused?.[0]).toMatchObject({ body: { code: 'overloaded', detail: expect.stringContaining('Another search') } })
  expect((await search()).status).toBe(200)
})

test('a search whose time is over ends also within a query, and leaves no query behind', async () => {
  const { accountId } = await server.registerAccount()
  const db = server.database.system
  const nothing = () => Promise.resolve([])
  const events = { count: () => Promise.resolve(0), list: nothing }
  const persons = createPersons({ db, files: { ofForm: nothing }, events, now: Date.now, newId: randomUUID }, 500)
  const search = () => persons.find(accountId, { values: ['Quentin Xyzzy'], includesForms: false, limit: 1 }, new AbortController().signal)
  await db.transaction().execute(async (tx) => {
    await sql`lock table variables in access exclusive mode`.execute(tx)
    await expect(search()).rejects.toMatchObject({ code: 'overloaded', message: expect.stringContaining('too much') })
    const { rows } = await sql`select from pg_locks where relation = 'variables'::regclass and not granted`.execute(tx)
    expect(rows).toEqual([])
  })
})
