import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf, labelled } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { startWebhookReceiver } from '#testing/webhook-receiver.ts'
import { describeTables } from './describe-tables.ts'
import { rules } from './table-rules.ts'

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
const number = 966501234987

/** Every record of the database as text; bytes as hexadecimal digits. */
async function dump(): Promise<string> {
  const db = server.database.system
  const { rows: tables } = await sql<{ readonly name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`.execute(
    db,
  )
  const texts: string[] = []
  for (const table of tables) {
    const { rows } = await sql<{ readonly record: string }>`select t::text as record from ${sql.raw(table.name)} t`.execute(db)
    texts.push(...rows.map(({ record }) => record))
  }
  return texts.join('\n').toLowerCase()
}

const traces = [email, encodeURIComponent(email), name, String(number)].flatMap((text) => {
  const lower = text.toLowerCase()
  return [lower, Buffer.from(lower).toString('hex'), Buffer.from(text).toString('hex')]
})

const copies = (url: string) => `do:
  - hello: { set: { greeting: '\${ "Hello, " + .name }', input: '\${ . }' } }
  - ask: { call: http, with: { method: post, endpoint: '${url}?of={email}', body: '\${ .input }', output: response } }
`

/** Leaves the person in as many places as the product has. */
async function leaveTraces(account: TestAccount): Promise<{ readonly ended: string; readonly open: string }> {
  const input = { name, email: email.toUpperCase(), phone: number, nested: [{ [name]: true }] }
  const run = async (definition: string) => {
    const { id } = await account.client.workflows.create({
      body: { definition: labelled(documentOf(definition), "{ customer: '${ .email }' }") },
    })
    return (await account.send('POST', `/api/v1/workflows/${id}/execute`, { input }, { prefer: 'wait=20' })).body
  }
  const ended = await run(copies(receiver.url))
  expect(ended.state).toBe('completed')
  await account.send('POST', '/api/v1/events', {
    specversion: '1.0',
    id: 'z-1',
    source: '/shop',
    type: 'a.b',
    data: { email, note: `From ${name}` },
  })
  await account.send('POST', '/api/v1/assistant/messages', { message: `What did ${name} (${email}) order?` })
  const invited = await account.send('POST', '/api/v1/account/invitations', { email, role: 'viewer' })
  await account.send('DELETE', `/api/v1/account/invitations/${invited.body.id}`)
  const open = await account.client.workflows.create({ body: { definition: documentOf('do:\n  - sleep: { wait: { hours: 1 } }\n') } })
  const waiting = await account.send('POST', `/api/v1/workflows/${open.id}/execute`, { input })
  return { ended: ended.id, open: waiting.body.id }
}

async function erase(account: TestAccount, values: readonly string[]) {
  const { body } = await account.send('POST', '/api/v1/privacy/erasures', { values, reason: 'Request of the person' })
  const read = async () => (await account.send('GET', `/api/v1/privacy/erasures/${body.id}`)).body
  await expect.poll(async () => (await read()).state, { interval: 100 }).not.toBe('running')
  return read()
}

test('after an erasure no byte of the person is in the database, and the audit log verifies', async () => {
  const account = await server.registerAccount()
  const { ended, open } = await leaveTraces(account)
  const values = [email, name, String(number)]
  const before = await dump()
  expect([email, name.toLowerCase(), String(number)].filter((text) => !before.includes(text.toLowerCase()))).toEqual([])

  const first = await erase(account, values)
  expect(first).toMatchObject({ state: 'waiting', values: 3, endedAt: null })
  expect(first.kept).toContainEqual({ category: 'executions', records: 1, reason: 'The execution has not ended.' })
  await account.send('POST', `/api/v1/workflows/executions/${open}/cancel`)
  await expect.poll(async () => (await account.send('GET', `/api/v1/workflows/executions/${open}`)).body.state).toBe('cancelled')
  const second = await erase(account, values)
  expect(second).toMatchObject({ state: 'done', kept: [] })
  const categories = [...first.erased, ...second.erased].map(({ category }: { readonly category: string }) => category)
  expect(categories).toEqual(
    expect.arrayContaining(['executions', 'execution labels', 'journal', 'events', 'assistant messages', 'audit events']),
  )

  const after = await dump()
  expect(traces.filter((trace) => after.includes(trace))).toEqual([])
  expect(server.log.join('').toLowerCase()).not.toContain(email)
  const verified = await account.send('GET', '/api/v1/audit/verify')
  expect(verified.body).toMatchObject({ verified: true })
  const { body } = await account.send('GET', `/api/v1/workflows/executions/${ended}`)
  expect(body.output).toBeDefined()
  expect(JSON.stringify(body)).toContain('[erased:')
})

test('an erasure reaches no other account, and names what it keeps and why', async () => {
  const [own, other] = [await server.registerAccount(), await server.registerAccount()]
  for (const account of [own, other]) await account.send('POST', '/api/v1/assistant/messages', { message: 'Call Quentin Xyzzy' })
  const done = await erase(own, ['Quentin Xyzzy', own.email])
  expect(done, JSON.stringify(done)).toMatchObject({
    state: 'done',
    erased: expect.arrayContaining([{ category: 'assistant messages', records: 1 }]),
  })
  expect(done.kept).toContainEqual({ category: 'users', records: 1, reason: 'Belongs to a user of the account: delete the user.' })
  const { rows } = await sql<{ account_id: string }>`
    select account_id from assistant_messages where text like '%Quentin%'`.execute(server.database.system)
  expect(rows).toEqual([{ account_id: other.accountId }])
  expect((await other.send('GET', `/api/v1/privacy/erasures/${done.id}`)).status).toBe(404)
})

test('every table of the account that has texts has a rule, and every rule has a table', async () => {
  const tables = await describeTables(server.database.system)
  const ruled = tables.filter(({ hasAccount, texts }) => hasAccount && texts.length > 0).map(({ name: table }) => table)
  expect(ruled.filter((table) => !rules.has(table))).toEqual([])
  const names = new Set(tables.map(({ name: table }) => table))
  expect([...rules.keys()].filter((table) => !names.has(table))).toEqual([])
})

test('an erasure leaves settings as they are, and says which of them have the data', async () => {
  const account = await server.registerAccount()
  const [at, id] = [new Date(), randomUUID()]
  const url = 'https://git.example.com/odette-frobnitz/flows'
  await sql`
    insert into git_repositories (id, account_id, url, branch, folder, pull, automatic, created_by, created_at)
    values (${id}, ${account.accountId}, ${url}, 'main', '', 'draft', false, 'user:test', ${at})`.execute(server.database.system)
  const done = await erase(account, ['odette-frobnitz'])
  expect(done).toMatchObject({ state: 'done', erased: [], kept: [expect.objectContaining({ category: 'git repositories', records: 1 })] })
  const { rows } = await sql<{ readonly url: string }>`select url from git_repositories where id = ${id}`.execute(server.database.system)
  expect(rows).toEqual([{ url }])
})
