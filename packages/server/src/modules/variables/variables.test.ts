import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMember } from '#testing/approvals.ts'
import { documentOf, greets } from '#testing/definitions.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/variables'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

async function create(account: TestAccount, body: object) {
  const response = await account.send('POST', path, body)
  expect(response.status).toBe(200)
  return response.body
}

test('a secret is in no list and no reply, and only an administrator reveals it, which leaves an audit row', async () => {
  const account = await server.registerAccount()
  const made = await account.send('POST', path, { name: 'TOKEN', kind: 'secret', value: 'open sesame' })
  expect(made).toMatchObject({ status: 200, body: { name: 'TOKEN', kind: 'secret', masked: true, scope: 'account', revision: 1 } })
  expect(made.headers.get('etag')).toBe('"1"')
  const updated = await account.send('PUT', `${path}/${made.body.id}`, { value: 'open barley' })
  const listed = await account.send('GET', path)
  expect(JSON.stringify([made.body, updated.body, listed.body])).not.toMatch(/open/)
  const member = await addMember(server, account)
  await expect(member.client.variables.reveal({ params: { id: made.body.id } })).rejects.toMatchObject({ status: 403 })
  expect((await account.send('GET', `${path}/${made.body.id}/reveal`)).body).toEqual({
    id: made.body.id,
    name: 'TOKEN',
    kind: 'secret',
    value: 'open barley',
    revision: 2,
  })
  await sql`update sessions set authenticated_at = now() - interval '11 minutes' where user_id = ${account.userId}`.execute(
    server.database.system,
  )
  expect((await account.send('GET', `${path}/${made.body.id}/reveal`)).body.code).toBe('insufficient_authentication')
  const { rows } = await auditRows(account)
  expect(rows.map(({ event }) => event)).toEqual(['variable.created', 'variable.updated', 'variable.revealed'])
  expect(JSON.stringify(rows)).not.toMatch(/open/)
})

test('a value is of its kind, and an invalid one is refused with its pointer and without its text', async () => {
  const account = await server.registerAccount()
  const cases: readonly (readonly [string, unknown])[] = [
    ['text', 7],
    ['number', '7'],
    ['boolean', 'true'],
    ['secret', 'abc'],
    ['secret', 12345],
    ['secret', {}],
    ['text', 'x'.repeat(70_000)],
  ]
  for (const [kind, value] of cases) {
    const { status, body } = await account.send('POST', path, { name: 'A', kind, value })
    expect([kind, status, body.errors?.[0]?.pointer]).toEqual([kind, 400, '/value'])
    // The id of the request is random and may contain such letters.
    expect(JSON.stringify({ ...body, requestId: '' })).not.toMatch(/abc|12345|xxx/)
  }
  expect((await account.send('POST', path, { name: '1A', value: 'x' })).body.errors[0].pointer).toBe('/name')
  await create(account, { name: 'N', kind: 'number', value: 1.5 })
  await create(account, { name: 'J', kind: 'json', value: { a: [null] } })
  expect((await account.send('GET', `${path}?kind=json`)).body.data).toMatchObject([{ name: 'J', value: { a: [null] }, masked: false }])
  expect((await account.send('GET', `${path}?name=n`)).body.data).toMatchObject([{ name: 'N', value: 1.5 }])
})

test('a name is used once in each scope and environment', async () => {
  const account = await server.registerAccount()
  const { id: workflowId } = await account.client.workflows.create({ body: { definition: documentOf(greets) } })
  await create(account, { name: 'A', value: 'x' })
  expect(await account.send('POST', path, { name: 'A', kind: 'secret', value: 'xxxx' })).toMatchObject({ status: 409 })
  await create(account, { name: 'A', value: 'x', workflowId })
  await create(account, { name: 'A', value: 'x', environment: 'draft' })
  expect((await account.send('GET', `${path}?scope=workflow&workflowId=${workflowId}`)).body.data).toMatchObject([
    { scope: 'workflow', workflowId },
  ])
  const other = await server.registerAccount()
  expect(await other.send('POST', path, { name: 'A', value: 'x', workflowId })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/workflowId' }] },
  })
})

test('a change names the revision that it replaces, and a secret stays a secret', async () => {
  const account = await server.registerAccount()
  const { id } = await create(account, { name: 'A', value: 'x' })
  const stale = { 'if-match': '"7"' }
  expect(await account.send('PUT', `${path}/${id}`, { value: 'y' }, stale)).toMatchObject({
    status: 409,
    body: { code: 'revision_mismatch' },
  })
  expect(await account.send('DELETE', `${path}/${id}`, undefined, stale)).toMatchObject({
    status: 409,
    body: { code: 'revision_mismatch' },
  })
  expect(await account.send('PUT', `${path}/${id}`, { kind: 'number' })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/value' }] },
  })
  expect(await account.send('PUT', `${path}/${id}`, { kind: 'secret', value: 'now sealed' }, { 'if-match': '"1"' })).toMatchObject({
    status: 200,
    body: { revision: 2, masked: true },
  })
  expect(await account.send('PUT', `${path}/${id}`, { kind: 'text', value: 'x' })).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  })
  expect((await account.send('DELETE', `${path}/${id}`, undefined, { 'if-match': '"2"' })).body).toEqual({ id, deleted: true })
  expect((await account.send('GET', `${path}/${id}/reveal`)).status).toBe(404)
})

test('null is a value of JSON, and of no other kind', async () => {
  const account = await server.registerAccount()
  const { id } = await create(account, { name: 'J', kind: 'json', value: { a: 1 } })
  expect(await account.send('PUT', `${path}/${id}`, { value: null })).toMatchObject({ status: 200, body: { value: null, revision: 2 } })
  const text = await create(account, { name: 'T', value: 'x' })
  expect(await account.send('PUT', `${path}/${text.id}`, { value: null })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/value' }] },
  })
})

test('a run that uses secrets leaves none of them in the database, the log or a reply', async () => {
  const base64Of = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
  await using service = await startHttpStandIn(({ body, path: target }) => ({ body: { echo: body, again: base64Of(body), target } }))
  const account = await server.registerAccount()
  const secret = ['grün & blue', 'plain/secret+value'].join(' ')
  await create(account, { name: 'KEY', kind: 'secret', value: secret })
  const definition = documentOf(`use: { secrets: [KEY] }
do:
  - send:
      call: http
      with:
        method: post
        endpoint: { uri: '\${ "${service.url}/x?key=" + ($secrets.KEY | @uri) }' }
        body: { key: '\${ $secrets.KEY }' }
  - fail:
      raise: { error: { type: 'https://example.com/e', status: 500, title: '\${ "no " + $secrets.KEY }', detail: '\${ $secrets.KEY }' } }
`)
  const { id } = await account.client.workflows.create({ body: { definition } })
  const started = await account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: 'wait=30' })
  expect(started.body.state).toBe('faulted')
  expect(service.requests).toEqual([{ method: 'POST', path: `/x?key=${encodeURIComponent(secret)}`, body: { key: secret } }])
  const replies = [
    started.body,
    (await account.send('GET', `/api/v1/workflows/executions/${started.body.id}?values=inline`)).body,
    (await account.send('GET', `/api/v1/workflows/${id}/export`)).body,
    (await account.send('GET', path)).body,
  ]
  const everything = [JSON.stringify(replies), server.log.join('\n'), await databaseText()].join('\n')
  const bytes = Buffer.from(secret)
  for (const form of [secret, encodeURIComponent(secret), bytes.toString('base64'), bytes.toString('hex')])
    expect(everything.includes(form), form).toBe(false)
})

test('a changed secret counts for the next execution in every process, and one of the workflow goes before one of the account', async () => {
  await using service = await startHttpStandIn(({ path: target }) => ({ body: { length: target.length - '/x?'.length } }))
  const account = await server.registerAccount()
  const { id } = await create(account, { name: 'KEY', kind: 'secret', value: '1234' })
  const definition = documentOf(`use: { secrets: [KEY] }
do: [{ send: { call: http, with: { method: get, endpoint: { uri: '\${ "${service.url}/x?" + $secrets.KEY }' } } } }]
`)
  const { id: workflowId } = await account.client.workflows.create({ body: { definition } })
  const second = await server.startSecond()
  const run = async (url = server.url) => {
    const response = await fetch(`${url}/api/v1/execute/${workflowId}/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.token}` },
    })
    return response.json()
  }
  const needs = async () => (await account.send('GET', `/api/v1/workflows/${workflowId}/execution-requirements`)).body.secrets
  expect(await needs()).toMatchObject([{ name: 'KEY', missing: false }])
  expect(await run()).toEqual({ length: 4 })
  await account.send('PUT', `${path}/${id}`, { value: '12345' })
  expect([await run(), await run(second.url)]).toEqual([{ length: 5 }, { length: 5 }])
  await create(account, { name: 'KEY', kind: 'secret', value: '123456', workflowId })
  expect(await run(second.url)).toEqual({ length: 6 })
  for (const variable of (await account.send('GET', path)).body.data) await account.send('DELETE', `${path}/${variable.id}`)
  expect(await needs()).toMatchObject([{ name: 'KEY', missing: true }])
  expect(await run()).toMatchObject({ code: 'execution_faulted' })
})

async function auditRows({ accountId }: TestAccount) {
  return sql<{ event: string }>`
    select event, target, details from audit_events where account_id = ${accountId} and event like 'variable.%' order by id`.execute(
    server.database.system,
  )
}

/** Every row of every table, as text. */
async function databaseText(): Promise<string> {
  const { system } = server.database
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`.execute(system)
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(system)
      return rows.map(({ row }) => row).join('\n')
    }),
  )
  return texts.join('\n')
}
