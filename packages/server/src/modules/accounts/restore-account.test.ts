import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountDeletionOf } from '#testing/account-deletion.ts'
import { documentOf, greets, waits } from '#testing/definitions.ts'
import { linkTo, readOutbox } from '#testing/outbox.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const auth = '/api/v1/auth'
const dayMs = 24 * 60 * 60 * 1000
const unsigned = { signature: { scheme: 'none' } }

/** Sends a request without a credential. */
async function post(path: string, body: unknown) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(`${server.url}${path}`, init)
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const login = ({ email, password }: TestAccount) => post(`${auth}/login`, { email, password })
const restore = (token: string) => post(`${auth}/me/restore`, { token })
const tokenOf = ({ email }: TestAccount) => linkTo(server.url, email, 'was deleted')
const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b)
const remove = async (account: TestAccount) => (await account.send('DELETE', `${auth}/me`)).body

/** An account with a workflow, a schedule, a webhook and a key. */
async function furnish() {
  const account = await server.registerAccount()
  const { id: workflowId } = await account.client.workflows.create({ body: { definition: documentOf(greets), publish: true } })
  const schedule = { workflowId, name: 'yearly', schedule: { cron: '0 0 1 1 *' } }
  const { id: scheduleId } = (await account.send('POST', '/api/v1/triggers/schedule', schedule)).body
  const hook = (await account.send('POST', '/api/v1/triggers/webhook', { workflowId, name: 'hook', webhook: unsigned })).body
  await account.send('POST', '/api/v1/variables', { name: 'MODE', value: 'a', environment: 'production' })
  await account.send('PATCH', '/api/v1/account', { retentionDays: 90 })
  await account.send('PUT', '/api/v1/notifications/preferences', { webhook: { url: 'https://chat.example/hook' } })
  const { secret: key } = await account.client.apiKeys.create({ body: { name: 'ci', scopes: ['workflows:read', 'executions:run'] } })
  return { account, workflowId, scheduleId, hookPath: new URL(hook.webhook.url).pathname, key }
}

/** All rows of an account, by table, without those of sessions and others that end with a deletion. */
async function rowsOf(accountId: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const ended =
    /^(?:deleted_rows|sessions|api_keys|api_key_secrets|mail_links|audit_.*|workflows|account_changes|idempotency_keys|.*_p\d+.*)$/
  const { rows: tables } = await sql<{ name: string }>`
    select distinct table_name as name from information_schema.columns c join pg_class k on k.relname = c.table_name and k.relkind in ('r', 'p')
    where table_schema = 'public' and column_name = 'account_id'`.execute(server.database.system)
  const read = async (name: string) => {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(name)} t where account_id = ${accountId} order by 1`.execute(server.database.system)
    return [name, rows.map(({ row }) => row)] as const
  }
  const all = await Promise.all(tables.filter(({ name }) => !ended.test(name)).map(({ name }) => read(name)))
  return Object.fromEntries(all.filter(([, rows]) => rows.length > 0))
}

test('a deleted account starts nothing, and the link of the mail brings back what it had, with its schedules and webhooks', async () => {
  const { account, workflowId, scheduleId, hookPath, key } = await furnish()
  const before = await rowsOf(account.accountId)
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining(['account_retention', 'notification_webhooks', 'triggers', 'user_passwords', 'users', 'variables']),
  )
  const { restorableUntil } = await remove(account)
  expect(Math.abs(Date.parse(restorableUntil) - Date.now() - 7 * dayMs)).toBeLessThan(60_000)

  const bearer = { authorization: `Bearer ${key}` }
  const refused = () =>
    Promise.all([
      account.send('GET', `${auth}/me`),
      account.send('POST', `/api/v1/execute/${workflowId}/run`, {}, bearer),
      account.send('GET', '/api/v1/workflows', undefined, bearer),
    ])
  expect(statuses(await refused())).toEqual([401, 401, 401])
  expect((await post(hookPath, {})).status).toBe(404)
  const { rows } = await sql`select from triggers where account_id = ${account.accountId}`.execute(server.database.system)
  expect(rows).toEqual([])

  expect(await restore(await tokenOf(account))).toMatchObject({ status: 200, body: { restored: true, email: account.email } })
  expect(await rowsOf(account.accountId)).toEqual(before)
  // What has ended does not return.
  expect(statuses(await refused())).toEqual([401, 401, 401])
  const { status, body } = await login(account)
  expect(status).toBe(200)
  const session = { authorization: `Bearer ${body.accessToken}` }
  const found = (await account.send('GET', '/api/v1/workflows', undefined, session)).body.data
  expect(found).toMatchObject([{ id: workflowId }])
  expect((await account.send('GET', '/api/v1/api-keys', undefined, session)).body.data).toEqual([])
  expect((await post(hookPath, { name: 'A' })).status).toBeLessThan(300)
  await sql`update triggers set next_at = now() - interval '2 seconds' where kind = 'schedule' and account_id = ${account.accountId}`.execute(
    server.database.system,
  )
  const trigger = async () => (await account.send('GET', `/api/v1/triggers/${scheduleId}`, undefined, session)).body
  await expect.poll(async () => (await trigger()).lastExecutionId).toMatch(/^exec_/)
})

test('a restored account has its JSON as it was, also with the character NUL and with backslashes before the text u0000', async () => {
  const { account, scheduleId } = await furnish()
  const input = String.raw`{ "a\u0000": ["\u0000\u0000b", "\\u0000", "\\\u0000"], "c": {"d":1.0} }`
  await sql`update triggers set input = ${input}::json where kind = 'schedule' and account_id = ${account.accountId}`.execute(
    server.database.system,
  )
  const before = await rowsOf(account.accountId)
  expect(before['triggers']?.join('')).toContain(String.raw`\\\u0000`)
  await remove(account)
  expect(await restore(await tokenOf(account))).toMatchObject({ status: 200 })
  expect(await rowsOf(account.accountId)).toEqual(before)
  const session = { authorization: `Bearer ${(await login(account)).body.accessToken}` }
  const { body } = await account.send('GET', `/api/v1/triggers/${scheduleId}`, undefined, session)
  expect(body.input).toEqual(JSON.parse(input))
})

test('the sign-in of a deleted user says so after the right password alone, and its link works once', async () => {
  const account = await server.registerAccount()
  const { restorableUntil } = await remove(account)
  expect(await login(account)).toMatchObject({ status: 401, body: { code: 'account_deleted', restorableUntil } })
  const wrong = await login({ ...account, password: 'not this one' })
  const unknown = await login({ ...account, email: 'no-one@example.com' })
  expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
  expect({ ...wrong.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
  expect(await restore('mll_wrong')).toMatchObject({ status: 401, body: { code: 'link_invalid' } })
  const token = await tokenOf(account)
  const answers = await Promise.all(Array.from({ length: 6 }, () => restore(token)))
  expect(statuses(answers)).toEqual([200, 401, 401, 401, 401, 401])
  expect((await login(account)).status).toBe(200)
  expect((await restore(token)).status).toBe(401)
})

test('the address of a deleted user can be registered at once, and the account is restored only once it is free again', async () => {
  const account = await server.registerAccount()
  const { email, password } = account
  await remove(account)
  const next = await post(`${auth}/register`, { email, password })
  expect(next.status).toBe(200)
  const token = await tokenOf(account)
  expect(await restore(token)).toMatchObject({ status: 409, body: { code: 'email_taken' } })
  expect((await login(account)).body.user.id).toBe(next.body.user.id)
  await sql`delete from accounts where id in (select account_id from users where email = ${email})`.execute(server.database.system)
  expect((await restore(token)).status).toBe(200)
  expect((await login(account)).body.user.id).not.toBe(next.body.user.id)
})

const maintenance = (now: () => number) => accountDeletionOf(server.database, { now })

const isKept = async (accountId: string) => {
  const { rows } = await sql<{ workflows: number; kept: number }>`
    select (select count(*)::int from workflows where account_id = ${accountId}) as workflows,
      (select count(*)::int from deleted_rows where account_id = ${accountId}) as kept`.execute(server.database.system)
  return rows[0]
}

test('the data stays until the time is over, and is deleted then; the link is refused from then on', async () => {
  const { account } = await furnish()
  await remove(account)
  const token = await tokenOf(account)
  await maintenance(Date.now).purge()
  expect(await isKept(account.accountId)).toEqual({ workflows: 1, kept: expect.any(Number) })
  await maintenance(() => Date.now() + 8 * dayMs).purge()
  expect(await isKept(account.accountId)).toEqual({ workflows: 0, kept: 0 })
  expect(await restore(token)).toMatchObject({ status: 401, body: { code: 'link_invalid' } })
  expect((await login(account)).body.code).toBe('invalid_credentials')
})

test('an account that is restored while another process deletes it for good is whole or gone', async () => {
  const outcomes: string[] = []
  for (let round = 0; round < 8; round++) {
    const { account } = await furnish()
    await remove(account)
    const token = await tokenOf(account)
    const purging = maintenance(() => Date.now() + 8 * dayMs).purge()
    const [answer] = await Promise.all([restore(token), purging])
    outcomes.push(`${answer.status}`)
    const whole = { workflows: 1, kept: 0 }
    expect(await isKept(account.accountId)).toEqual(answer.status === 200 ? whole : { workflows: 0, kept: 0 })
    expect((await login(account)).status).toBe(answer.status)
  }
  expect(outcomes.every((status) => status === '200' || status === '401')).toBe(true)
})

test('what another user has taken since stays there, and columns that are new since have their defaults', async () => {
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  const db = server.database.system
  const number = '+4915112345678'
  const give = ({ userId, accountId }: TestAccount) =>
    sql`insert into user_phones (user_id, account_id, number, second_factor, verified_at) values (${userId}, ${accountId}, ${number}, false, now())`.execute(
      db,
    )
  await give(account)
  await remove(account)
  await give(other)
  await sql`alter table users add column later integer not null default 7`.execute(db)
  try {
    expect((await restore(await tokenOf(account))).status).toBe(200)
    const { rows } = await sql`select later from users where id = ${account.userId}`.execute(db)
    expect(rows).toEqual([{ later: 7 }])
  } finally {
    await sql`alter table users drop column later`.execute(db)
  }
  const { rows } = await sql`select user_id from user_phones where number = ${number}`.execute(db)
  expect(rows).toEqual([{ user_id: other.userId }])
})

test('running executions of an account that is restored stay cancelled', async () => {
  const account = await server.registerAccount()
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(waits) } })
  const { id: executionId } = await account.client.workflows.execute({ params: { id }, body: {} })
  await remove(account)
  expect((await restore(await tokenOf(account))).status).toBe(200)
  const { accessToken } = (await login(account)).body
  const state = async () =>
    (await account.send('GET', `/api/v1/workflows/executions/${executionId}`, undefined, { authorization: `Bearer ${accessToken}` })).body
      .state
  await expect.poll(state).toBe('cancelled')
})

test('without a time for it nothing restores an account, and no mail says so', async () => {
  await using immediate = await createTestServer({ MILLRACE_DELETION_GRACE: '0' })
  const account = await immediate.registerAccount()
  expect((await account.client.auth.methods()).deletionGraceDays).toBe(0)
  expect(await remove(account)).toMatchObject({ deleted: true, restorableUntil: null })
  const { rows } =
    await sql`select restorable_until, email, (select count(*)::int from deleted_rows) as kept from deleted_accounts`.execute(
      immediate.database.system,
    )
  expect(rows).toEqual([{ restorable_until: null, email: null, kept: 0 }])
  expect((await readOutbox(immediate.url)).filter(({ subject }) => subject.includes('deleted'))).toEqual([])
})
