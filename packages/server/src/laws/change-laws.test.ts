import type { JsonValue } from '@millrace/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf, greets } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

type Body = Readonly<Record<string, JsonValue>>

interface ChangedKind {
  readonly path: string
  readonly create: Body
  /** A whole request that repeats what the thing has, with one other member. */
  readonly update: Body
  readonly changes: Readonly<Record<string, { readonly before?: JsonValue; readonly after?: JsonValue }>>
}

const hook = { methods: ['POST'], signature: { scheme: 'hmac', secret: 'a-secret-of-the-sender', header: 'x-sign' }, ratePerMinute: 60 }
const fillable = `input: { schema: { format: json, document: { type: object, properties: { name: { type: string } } } } }\n${greets}`
const page = { methods: ['POST'], signature: { scheme: 'none' } }
const cron = { cron: '0 8 * * *', timeZone: 'Europe/Berlin', missed: 'skip' }
const types = ['com.example.a']
const shop = { kind: 'bearer', url: 'https://api.example.com' }
const model = { url: 'http://127.0.0.1:9/v1', model: 'one', key: 'a-key-of-the-laws', roles: ['embedding'], name: 'own' }
const members = (workflowId: JsonValue) => [{ name: 'first', workflowId }]
const git = { url: 'https://git.example.com/a.git', branch: 'main', folder: 'flows' }
const triggers = '/api/v1/triggers'

const kinds = (workflowId: string): Readonly<Record<string, ChangedKind>> => ({
  'a schedule': {
    path: triggers,
    create: { kind: 'schedule', name: 'Daily', workflowId, schedule: cron, input: { name: 'Ada' } },
    update: { name: 'Daily', schedule: { ...cron, cron: '0 9 * * *' }, input: { name: 'Ada' } },
    changes: { 'schedule.cron': { before: '0 8 * * *', after: '0 9 * * *' } },
  },
  'a webhook': {
    path: triggers,
    create: { kind: 'webhook', name: 'Hook', workflowId, webhook: hook, filter: '.body != null' },
    update: { name: 'Hook', webhook: { ...hook, ratePerMinute: 30 }, filter: '.body != null' },
    changes: { 'webhook.ratePerMinute': { before: 60, after: 30 } },
  },
  'a form': {
    path: triggers,
    create: { kind: 'webhook', name: 'Form', workflowId, webhook: { ...page, form: { title: 'Order' } } },
    update: { webhook: { ...page, form: { title: 'Order now' } } },
    changes: { 'webhook.form': { before: { title: 'Order', timeZone: 'UTC' }, after: { title: 'Order now', timeZone: 'UTC' } } },
  },
  'a start by events': {
    path: triggers,
    create: { kind: 'event', name: 'Event', workflowId, event: { types } },
    update: { name: 'Event', event: { types: ['com.example.b'] }, mapping: '.data' },
    changes: { 'event.types': { before: types, after: ['com.example.b'] }, mapping: { before: null, after: '.data' } },
  },
  'a connection': {
    path: '/api/v1/connections',
    create: { name: 'shop', settings: shop, secrets: { token: 'a-token-of-the-shop' }, description: 'The shop' },
    update: { name: 'shop', description: 'Our shop' },
    changes: { description: { before: 'The shop', after: 'Our shop' } },
  },
  'a variable': {
    path: '/api/v1/variables',
    create: { name: 'rate', value: 'a-value-of-the-variable', kind: 'text', description: '' },
    update: { value: 'another-value-of-the-variable', description: 'In percent' },
    changes: { description: { before: '', after: 'In percent' } },
  },
  'a chain': {
    path: '/api/v1/chains',
    create: { name: 'months', members: members(workflowId) },
    update: { name: 'years', members: members(workflowId) },
    changes: { name: { before: 'months', after: 'years' } },
  },
  'a workflow': {
    path: '/api/v1/workflows',
    create: { definition: documentOf(greets, 'law'), name: 'Law', tags: ['a'] },
    update: { name: 'Law', tags: ['a', 'b'] },
    changes: { tags: { before: ['a'], after: ['a', 'b'] } },
  },
  'a subscription to events': {
    path: '/api/v1/events/subscriptions',
    create: { name: 'sink', url: 'https://sink.example.com', types },
    update: { name: 'sink', types, enabled: false },
    changes: { enabled: { before: true, after: false } },
  },
  'a model': {
    path: '/api/v1/models',
    create: model,
    update: { model: 'two', roles: ['embedding'], maxOutputTokens: 1000 },
    changes: { model: { before: 'one', after: 'two' }, maxOutputTokens: { before: 8192, after: 1000 } },
  },
  'a repository': {
    path: '/api/v1/git/repositories',
    create: git,
    update: { branch: 'main', pull: 'publish' },
    changes: { pull: { before: 'draft', after: 'publish' } },
  },
})

const secrets = ['a-secret-of-the-sender', 'a-token-of-the-shop', 'a-value-of-the-variable', 'another-value', 'a-key-of-the-laws']

test.each(Object.keys(kinds('')))('an update of %s states each member that changed with before and after, and no other', async (name) => {
  const account = await server.registerAccount()
  const { id: workflowId } = await account.client.workflows.create({ body: { definition: documentOf(fillable) } })
  const kind = kinds(workflowId)[name]
  if (kind === undefined) throw new Error(`there is no kind ${name}`)
  const { path, create, update, changes } = kind
  const created = await account.send('POST', path, create)
  expect(created.body).toMatchObject({ id: expect.any(String) })
  const updated = await change(account, `${path}/${created.body.id}`, update)
  expect(updated.body).not.toHaveProperty('code')
  expect(await latest(account)).toEqual(changes)
  await change(account, `${path}/${created.body.id}`, update)
  expect(await latest(account)).toBeNull()
})

test('an update of the own profile states what changed, and of preferences the names alone', async () => {
  const account = await server.registerAccount()
  await account.send('PATCH', '/api/v1/auth/me', { name: 'Ada', preferences: { theme: 'dark', density: 'high' } })
  await account.send('PATCH', '/api/v1/auth/me', { name: 'Ada King', preferences: { theme: 'light', density: 'high' } })
  expect(await latest(account)).toEqual({ name: { before: 'Ada', after: 'Ada King' } })
  const { body } = await account.send('GET', '/api/v1/audit/query?event=user.changed')
  expect(body.data[0].details).toEqual({ preferences: ['theme'], changes: { name: expect.anything() } })
})

/** With PUT or PATCH, as the operation has it. */
async function change(account: TestAccount, path: string, body: Body) {
  const put = await account.send('PUT', path, body)
  return put.status === 404 || put.status === 405 ? account.send('PATCH', path, body) : put
}

/** The changes of the newest event; no event may contain a secret. */
async function latest(account: TestAccount) {
  const { body } = await account.send('GET', '/api/v1/audit/query?limit=50')
  const text = JSON.stringify(body)
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  return body.data[0].changes
}
