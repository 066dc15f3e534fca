import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRecordingService } from '#testing/recording-service.ts'
import { runTasks } from '#testing/run-tasks.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { builtInConnectors } from './built-in-connectors.ts'

let server: TestServer
let service: Awaited<ReturnType<typeof startRecordingService>>
let account: TestAccount
/** Built in pieces: they are no secrets of anyone. */
const token = ['token', 'of the service', '4712'].join(' ')
const basic = `Basic ${Buffer.from(`user@example.com:${token}`).toString('base64')}`

beforeAll(async () => {
  service = await startRecordingService(() => ({ body: { id: '1' } }))
  server = await createTestServer()
  account = await server.registerAccount()
  const url = service.url
  const connections = [
    ['bearer', { kind: 'bearer', url }, { token }],
    ['basic', { kind: 'basic', url, username: 'user@example.com' }, { password: token }],
    ...['Authorization', 'PRIVATE-TOKEN', 'X-Shopify-Access-Token', 'x-api-key'].map(
      (keyName) => [keyName.toLowerCase(), { kind: 'api-key', url, keyName }, { key: token }] as const,
    ),
  ] as const
  for (const [name, settings, secrets] of connections) await account.send('POST', '/api/v1/connections', { name, settings, secrets })
})
afterAll(async () => {
  await server.close()
  await service[Symbol.asyncDispose]()
})

type Case = readonly [call: string, given: object, request: string, body?: object | undefined, headers?: object]

// Requests as the documentation of each service shows them.
const cases: readonly Case[] = [
  [
    'airtable.createRecords',
    { baseId: 'app1', table: 'Orders', records: [{ fields: { Name: 'A' } }] },
    'POST /v0/app1/Orders',
    { records: [{ fields: { Name: 'A' } }] },
  ],
  [
    'airtable.listRecords',
    { baseId: 'app1', table: 'Open orders', filterByFormula: '{Paid}=1' },
    'GET /v0/app1/Open%20orders?filterByFormula=%7BPaid%7D%3D1',
  ],
  [
    'anthropic.createMessage',
    { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
    'POST /v1/messages',
    { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
    { 'x-api-key': token, 'anthropic-version': '2023-06-01' },
  ],
  ['asana.createTask', { data: { name: 'Call', projects: ['1'] } }, 'POST /api/1.0/tasks', { data: { name: 'Call', projects: ['1'] } }],
  ['discord.sendMessage', { channel_id: '42', content: 'Hi' }, 'POST /channels/42/messages', { content: 'Hi' }, { authorization: token }],
  [
    'gitlab.createIssue',
    { id: 'group/shop', title: 'T' },
    'POST /api/v4/projects/group%2Fshop/issues',
    { title: 'T' },
    { 'private-token': token },
  ],
  ['gmail.sendMessage', { raw: 'VG86IGE' }, 'POST /gmail/v1/users/me/messages/send', { raw: 'VG86IGE' }],
  [
    'google-calendar.listEvents',
    { calendarId: 'primary', timeMin: '2026-01-01T00:00:00Z', singleEvents: true },
    'GET /calendar/v3/calendars/primary/events?timeMin=2026-01-01T00%3A00%3A00Z&singleEvents=true',
  ],
  [
    'google-drive.createFolder',
    { name: 'A', mimeType: 'application/vnd.google-apps.folder' },
    'POST /drive/v3/files',
    { name: 'A', mimeType: 'application/vnd.google-apps.folder' },
  ],
  [
    'hubspot.createContact',
    { properties: { email: 'a@example.com' } },
    'POST /crm/v3/objects/contacts',
    { properties: { email: 'a@example.com' } },
  ],
  [
    'jira.commentOnIssue',
    { issueIdOrKey: 'SHOP-1', body: 'Done' },
    'POST /rest/api/2/issue/SHOP-1/comment',
    { body: 'Done' },
    { authorization: basic },
  ],
  [
    'jira.searchIssues',
    { jql: 'project = SHOP', maxResults: 5 },
    'GET /rest/api/3/search/jql?jql=project%20%3D%20SHOP&maxResults=5',
    undefined,
    { authorization: basic },
  ],
  [
    'microsoft-365.sendTeamsMessage',
    { teamId: 't', channelId: '19:c@thread.tacv2', body: { content: 'Hi' } },
    'POST /teams/t/channels/19%3Ac%40thread.tacv2/messages',
    { body: { content: 'Hi' } },
  ],
  ['microsoft-365.listMessages', { $top: 5, $filter: 'isRead eq false' }, 'GET /me/messages?%24filter=isRead%20eq%20false&%24top=5'],
  [
    'notion.queryDatabase',
    { database_id: 'd1', page_size: 5 },
    'POST /v1/databases/d1/query',
    { page_size: 5 },
    { authorization: `Bearer ${token}`, 'notion-version': '2022-06-28' },
  ],
  ['openai.createEmbeddings', { model: 'm', input: ['a'] }, 'POST /embeddings', { model: 'm', input: ['a'] }],
  [
    'sendgrid.sendMail',
    { personalizations: [{ to: [{ email: 'a@example.com' }] }], from: { email: 'b@example.com' }, subject: 'S' },
    'POST /v3/mail/send',
    { personalizations: [{ to: [{ email: 'a@example.com' }] }], from: { email: 'b@example.com' }, subject: 'S' },
  ],
  ['shopify.getOrder', { order_id: '7' }, 'GET /admin/api/2025-01/orders/7.json', undefined, { 'x-shopify-access-token': token }],
  ['todoist.closeTask', { task_id: '8' }, 'POST /tasks/8/close'],
  ['trello.createCard', { idList: 'l', name: 'A b' }, 'POST /cards?idList=l&name=A%20b', undefined, { authorization: token }],
  [
    'twilio.sendMessage',
    { AccountSid: 'AC1', To: '+491', From: '+492', Body: 'Hi you' },
    'POST /2010-04-01/Accounts/AC1/Messages.json',
    { To: '+491', From: '+492', Body: 'Hi you' },
    { authorization: basic },
  ],
  [
    'whatsapp.sendMessage',
    { phoneNumberId: '5', messaging_product: 'whatsapp', to: '491', type: 'text', text: { body: 'Hi' } },
    'POST /5/messages',
    { messaging_product: 'whatsapp', to: '491', type: 'text', text: { body: 'Hi' } },
  ],
  [
    'zendesk.updateTicket',
    { ticket_id: '3', ticket: { status: 'solved' } },
    'PUT /api/v2/tickets/3.json',
    { ticket: { status: 'solved' } },
    { authorization: basic },
  ],
]

function connectionOf(call: string): string {
  const manifest = Object(builtInConnectors.find(({ name }) => name === call.split('.')[0])?.manifest)
  return manifest.authentication.kind === 'apiKey' ? String(manifest.authentication.name).toLowerCase() : manifest.authentication.kind
}

test('functions of services send the requests that the services document', async () => {
  const tasks = cases.map(([call, given], index) => ({ [`t${index}`]: { call, with: { connection: connectionOf(call), ...given } } }))
  // The tests of the connections came first.
  const before = service.requests.length
  expect((await runTasks(account, tasks)).error).toBeUndefined()
  const sent = service.requests.slice(before)
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(cases.map(([, , request]) => request))
  for (const [index, [call, , , body, headers]] of cases.entries()) {
    const { body: text = '', headers: given = {} } = sent[index] ?? {}
    const read =
      given['content-type']?.startsWith('application/x-www-form') === true
        ? Object.fromEntries(new URLSearchParams(text))
        : text === ''
          ? undefined
          : JSON.parse(text)
    expect([call, read]).toEqual([call, body])
    expect(given).toMatchObject(headers ?? { authorization: `Bearer ${token}` })
  }
})

test('the manifest of an account has its constant headers and its refusals, and no header of credentials', async () => {
  const manifest = {
    connector: '1.0',
    title: 'Own service',
    servers: ['https://api.example.com'],
    headers: { 'x-version': '7' },
    refusal: { member: 'id', equals: '1', detail: 'id' },
    operations: [{ name: 'read', summary: 'Reads.', method: 'get', path: '/own' }],
  }
  const create = (document: object) => account.send('POST', '/api/v1/connectors', { name: 'own', kind: 'manifest', document })
  const { status, body } = await create({ ...manifest, headers: { authorization: 'Bearer x' } })
  expect([status, body.errors[0].pointer]).toEqual([422, expect.stringContaining('/document/headers')])
  expect((await create(manifest)).status).toBe(200)
  const { error } = await runTasks(account, [{ it: { call: 'own.read', with: { connection: 'bearer' } } }])
  expect(error).toMatchObject({ detail: 'Own service refused: 1.' })
  expect(service.requests.at(-1)).toMatchObject({ path: '/own', headers: { 'x-version': '7' } })
})
