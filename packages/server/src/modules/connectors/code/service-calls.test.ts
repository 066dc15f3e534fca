import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSmtpServer, type TestSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { type DatabaseGateway, openDatabaseGateway } from '#testing/database-gateway.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { runTasks } from '#testing/run-tasks.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const password = ['mail', 'pass', '4711'].join('-')

let server: TestServer
let account: TestAccount
let smtp: TestSmtpServer
let database: TestDatabase
let gateway: DatabaseGateway
beforeAll(async () => {
  smtp = await startSmtpServer({
    onAuth: ({ username, password: given }, _session, done) =>
      given === password ? done(null, { user: username }) : done(new Error('Wrong password')),
    onRcptTo: ({ address }, _session, done) => done(address.startsWith('gone') ? new Error(`No ${password} here`) : null),
  })
  database = await createTestDatabase()
  gateway = await openDatabaseGateway(database.url)
  server = await createTestServer()
  account = await server.registerAccount()
  const mail = { kind: 'smtp', host: '127.0.0.1', port: smtp.port, encrypted: false, username: 'ada', from: 'Shop <shop@example.com>' }
  await connect('office', mail, { password })
  await connect('orders', gateway.settings, gateway.secrets)
  await connect('mine', { ...gateway.settings, engine: 'mysql', port: 9 }, gateway.secrets)
  await connect('metadata', { ...gateway.settings, host: '169.254.169.254' }, gateway.secrets)
})
afterAll(async () => {
  await server.close()
  await gateway[Symbol.asyncDispose]()
  await database.drop()
  await smtp[Symbol.asyncDispose]()
})

async function connect(name: string, settings: object, secrets: object) {
  const made = await account.send('POST', '/api/v1/connections', { name, settings, secrets })
  expect([made.status, made.body.errors]).toEqual([200, undefined])
}

const run = (call: string, given: object, input: object = {}) => runTasks(account, [{ it: { call, with: given } }], input)
const query = (given: object, call = 'postgres.query') => run(call, { connection: 'orders', ...given })

describe('email with a connection', () => {
  const mail = { connection: 'office', to: 'ada@example.org', subject: 'Offer', text: 'See below.' }

  test('is sent by the server of the connection, from its sender', async () => {
    const attachments = [{ filename: 'a.txt', content: 'Thank you' }]
    const { state, output } = await run('email', { ...mail, cc: 'grace@example.org', html: '<p>See below.</p>', attachments })
    expect([state, output.accepted]).toEqual(['completed', ['ada@example.org', 'grace@example.org']])
    expect(smtp.deliveries).toMatchObject([
      {
        from: 'shop@example.com',
        user: 'ada',
        mail: { subject: 'Offer', html: expect.stringContaining('<p>'), attachments: [{ filename: 'a.txt' }] },
      },
    ])
  })

  test('fails with the words of the server, in which the password is masked', async () => {
    const { state, error } = await run('email', { ...mail, to: 'gone@example.org' })
    expect([state, error.detail]).toEqual(['faulted', expect.stringContaining('No *** here')])
  })

  test('takes no connection of another kind, and none that the account does not have', async () => {
    expect(await run('email', { ...mail, connection: 'orders' })).toMatchObject({
      error: { detail: expect.stringContaining('takes smtp') },
    })
    expect(await run('email', { ...mail, connection: 'other' })).toMatchObject({
      error: { detail: expect.stringContaining('no connection') },
    })
  })
})

describe('postgres.query', () => {
  test('gives rows, with parameters apart from the statement', async () => {
    const text = "'; drop table users; --"
    const parameters = ['${ .text }', [1, { a: 2 }]]
    const given = { connection: 'orders', statement: 'select $1::text as text, $2::jsonb as list', parameters }
    const { output } = await run('postgres.query', given, { text })
    expect(output).toEqual({ rows: [{ text, list: [1, { a: 2 }] }], rowCount: 1 })
  })

  test('changes rows and says how many', async () => {
    await query({ statement: 'create table orders (id int primary key)' })
    const { output } = await query({ statement: 'insert into orders select generate_series(1, 3)' })
    expect(output).toEqual({ rows: [], rowCount: 3 })
  })

  test.each<[string, object, number, string]>([
    ['a wrong statement', { statement: 'selec 1' }, 502, 'syntax error'],
    ['more rows than are wanted', { statement: 'select generate_series(1, 5)', rowsMax: 4 }, 502, 'more than 4 rows'],
    ['a statement that takes too long', { statement: 'select pg_sleep(30)', timeoutSeconds: 1 }, 408, 'too long'],
    ['a connection to MySQL', { statement: 'select 1', connection: 'mine' }, 400, 'not for postgresql'],
    ['a connection of another kind', { statement: 'select 1', connection: 'office' }, 400, 'takes database'],
    [
      'an address that workflows may not reach',
      { statement: 'select 1', connection: 'metadata' },
      403,
      'is not at an address that workflows may reach',
    ],
  ])('%s is an error that the workflow can catch', async (_what, given, status, words) => {
    expect(await query(given)).toMatchObject({ state: 'faulted', error: { status, detail: expect.stringContaining(words) } })
  })

  test('is described, and wrong arguments are reported when the workflow is saved', async () => {
    const { body } = await account.send('GET', '/api/v1/functions/postgres.query')
    expect(body).toMatchObject({ connector: 'postgres', origin: 'installation', input: { required: ['connection', 'statement'] } })
    const names = (await account.send('GET', '/api/v1/functions?connector=mysql')).body.data
    expect(names).toMatchObject([{ name: 'mysql.query', origin: 'installation' }])
    const task = { call: 'postgres.query', with: { connection: 'orders', statement: 'select 1', rowsMax: 1_000_000 } }
    const definition = { document: { dsl: '1.0.3', namespace: 'tests', name: 'wrong', version: '1.0.0' }, do: [{ a: task }] }
    const { status, body: problem } = await account.send('POST', '/api/v1/workflows', { definition, publish: true })
    expect([status, JSON.stringify(problem)]).toEqual([422, expect.stringContaining('invalid_argument')])
  })

  test('refuses arguments that do not fit before the query, where the function is known only when the definition runs', async () => {
    const named = (more: object) =>
      run('connector-call', {
        function: 'postgres.query',
        connection: 'orders',
        arguments: { statement: 'create table named (id int)', ...more },
      })
    const detail = expect.stringContaining('"postgres.query" do not fit its schema: /rowsMax')
    expect(await named({ rowsMax: 1_000_000 })).toMatchObject({ state: 'faulted', error: { status: 400, detail } })
    expect((await query({ statement: "select to_regclass('named') as found" })).output.rows).toEqual([{ found: null }])
    expect(await named({ rowsMax: 10 })).toMatchObject({ state: 'completed' })
  })

  test('keeps its name from connectors of accounts', async () => {
    const document = { openapi: '3.0.0', info: { title: 'A', version: '1' }, paths: { '/a': { get: { operationId: 'a', responses: {} } } } }
    const { status, body } = await account.send('POST', '/api/v1/connectors', { name: 'postgres', kind: 'openapi', document })
    expect([status, body.errors?.[0]?.pointer]).toEqual([422, '/name'])
  })
})

test('mysql.query says when a server cannot be reached', async () => {
  const end = await query({ connection: 'mine', statement: 'select 1' }, 'mysql.query')
  expect(end).toMatchObject({ state: 'faulted', error: { status: 503 } })
})
