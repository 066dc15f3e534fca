import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { documentOf, greets, waits } from '#testing/definitions.ts'
import { accountDeletionOf } from '#testing/account-deletion.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const tables = [
  'account_retention',
  'attempt_logs',
  'workflows',
  'workflow_versions',
  'executions',
  'journal',
  'users',
  'sessions',
  'api_keys',
  'api_key_secrets',
  'events',
  'event_subscriptions',
  'event_deliveries',
  'dead_letters',
]

/** Rows that an account has in each table. */
async function rowsOf(server: TestServer, accountId: string): Promise<Readonly<Record<string, number>>> {
  const counts = tables.map(async (table) => {
    const { rows } = await sql<{
      count: number
    }>`select count(*)::int as count from ${sql.table(table)} where account_id = ${accountId}`.execute(server.database.system)
    return [table, rows[0]?.count ?? 0] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

const calls = (url: string) => `do:
  - call-it: { call: http, with: { method: post, endpoint: '${url}' } }
  - sleep: { wait: { hours: 1 } }
`

/** An event, a subscription with a delivery, and a dead letter. */
async function leaveEvents({ events, eventSubscriptions }: TestAccount['client']): Promise<void> {
  const { id } = await eventSubscriptions.create({ body: { name: 'x', url: 'http://127.0.0.1:9/', types: ['a'] } })
  const event = { specversion: '1.0' as const, id: '1', source: '/a', type: 'a' }
  await events.publish({ body: { events: [event] } })
  await eventSubscriptions.update({ params: { id }, body: { enabled: false } })
  await eventSubscriptions.update({ params: { id }, body: { enabled: true } })
}

test('nothing is left of a deleted account once its executions have ended, and another account keeps everything', async () => {
  await using service = await startHttpStandIn(() => ({}))
  await using server = await createTestServer({ MILLRACE_DELETION_GRACE: '0' })
  const db = server.database.system
  const accounts = accountDeletionOf(server.database)
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  for (const { accountId, client, send } of [account, other]) {
    await send('PATCH', '/api/v1/account', { retentionDays: 90 })
    await sql`insert into attempt_logs (account_id, execution_id, position, text, truncated, made_at)
      values (${accountId}, ${accountId}, '/do/0/a', 'a', false, now())`.execute(db)
    await client.apiKeys.create({ body: { name: 'ci', scopes: ['workflows:read'] } })
    await leaveEvents(client)
    for (const body of [greets, calls(service.url)]) {
      const { id } = await client.workflows.create({ body: { definition: documentOf(body) } })
      await client.workflows.execute({ params: { id }, body: { input: { name: 'A' } } })
    }
  }
  await expect.poll(() => service.requests.length).toBe(2)
  await account.client.auth.deleteMe()
  await expect
    .poll(async () => {
      await accounts.purge()
      return rowsOf(server, account.accountId)
    })
    .toEqual(Object.fromEntries(tables.map((table) => [table, 0])))
  const { rows } = await sql`select from deleted_accounts`.execute(db)
  expect(rows).toEqual([])
  expect((await other.client.workflows.list()).data).toMatchObject([
    { lastExecution: { state: 'waiting' } },
    { lastExecution: { state: 'completed' } },
  ])
  expect(Math.min(...Object.values(await rowsOf(server, other.accountId)))).toBeGreaterThan(0)
})

test('a deleted account keeps its rows while one of its executions has not ended', async () => {
  await using server = await createTestServer()
  const account = await server.registerAccount()
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(waits) } })
  await account.client.workflows.execute({ params: { id }, body: {} })
  const cancelled: string[] = []
  const db = server.database.system
  await sql`insert into deleted_accounts (id, deleted_at) values (${account.accountId}, now())`.execute(db)
  const requestsCancel = {
    async cancel(accountId: string, executionId: string) {
      cancelled.push(executionId)
      await sql`update executions set cancel_requested_at = now() where account_id = ${accountId}`.execute(db)
      return 'requested' as const
    },
  }
  await accountDeletionOf(server.database, { engine: requestsCancel }).purge()
  expect(cancelled).toHaveLength(1)
  expect(await rowsOf(server, account.accountId)).toMatchObject({ workflows: 1, executions: 1 })
  expect((await sql`select from deleted_accounts`.execute(db)).rows).toHaveLength(1)
})

test('a start that was under way while the account was deleted is cancelled, though the account can be restored', async () => {
  await using server = await createTestServer()
  const account = await server.registerAccount()
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(waits) } })
  await account.client.workflows.execute({ params: { id }, body: {} })
  const db = server.database.system
  await sql`
    insert into deleted_accounts (id, deleted_at, restorable_until, user_id, email, token_hash)
    values (${account.accountId}, now(), now() + interval '7 days', ${account.userId}, 'a@example.com', sha256('a'))`.execute(db)
  const cancelled: string[] = []
  const cancels = {
    async cancel(accountId: string, executionId: string) {
      cancelled.push(executionId)
      await sql`update executions set cancel_requested_at = now() where account_id = ${accountId}`.execute(db)
      return 'requested' as const
    },
  }
  await accountDeletionOf(server.database, { engine: cancels }).purge()
  expect(cancelled).toHaveLength(1)
  expect(await rowsOf(server, account.accountId)).toMatchObject({ workflows: 1, executions: 1 })
})

test('a deleted account whose purge fails is logged and tried again, and delays no other', async () => {
  await using server = await createTestServer()
  const [broken, sound] = [await server.registerAccount(), await server.registerAccount()]
  const db = server.database.system
  for (const { client, accountId, userId, email } of [broken, sound]) {
    const { id } = await client.workflows.create({ body: { definition: documentOf(waits) } })
    await client.workflows.execute({ params: { id }, body: {} })
    await sql`
      insert into deleted_accounts (id, deleted_at, restorable_until, user_id, email, token_hash)
      values (${accountId}, now() - interval '1 hour', now() + interval '7 days', ${userId}, ${email}, sha256(${email}::text::bytea))`.execute(
      db,
    )
  }
  await sql`insert into deleted_accounts (id, deleted_at) values (gen_random_uuid(), now())`.execute(db)
  const cancelled: string[] = []
  const failures: unknown[] = []
  const engine = {
    async cancel(accountId: string) {
      if (accountId === broken.accountId && failures.length === 0) throw new Error('it cannot be cancelled')
      cancelled.push(accountId)
      await sql`update executions set cancel_requested_at = now() where account_id = ${accountId}`.execute(db)
      return 'requested' as const
    },
  }
  const logger = { warn: (details: unknown) => void failures.push(details) }
  const deletion = accountDeletionOf(server.database, { engine, logger })
  await deletion.purge()
  expect(cancelled).toEqual([sound.accountId])
  expect(failures).toMatchObject([{ accountId: broken.accountId, err: { message: 'it cannot be cancelled' } }])
  expect((await sql`select from deleted_accounts where restorable_until is null`.execute(db)).rows).toEqual([])
  await deletion.purge()
  expect(cancelled).toEqual([sound.accountId, broken.accountId])
  await deletion.purge()
  expect([cancelled.length, failures.length]).toEqual([2, 1])
})

test('keys, sessions and the address of a deleted account are refused, and a new account of that address is empty', async () => {
  await using server = await createTestServer()
  const account = await server.registerAccount()
  const { secret } = await account.client.apiKeys.create({ body: { name: 'ci', scopes: ['workflows:read', 'executions:run'] } })
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets) } })
  await account.client.auth.deleteMe()
  const as = (token: string, method: string, path: string) => account.send(method, path, undefined, { authorization: `Bearer ${token}` })
  for (const token of [secret, account.token]) {
    expect((await as(token, 'GET', '/api/v1/workflows')).status).toBe(401)
    expect((await as(token, 'POST', `/api/v1/execute/${id}/run`)).status).toBe(401)
  }
  const { email, password } = account
  await expect(server.client.auth.login({ body: { email, password } })).rejects.toMatchObject({ status: 401 })
  const { accessToken } = await server.client.auth.register({ body: { email, password } })
  expect((await as(accessToken, 'GET', '/api/v1/workflows')).body).toEqual({ data: [], nextCursor: null })
  expect((await as(accessToken, 'GET', `/api/v1/workflows/${id}`)).status).toBe(404)
})
