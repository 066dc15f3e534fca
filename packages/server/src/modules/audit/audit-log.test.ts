import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf, greets } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const eventsOf = (account: TestAccount) =>
  server.database.account(account.accountId, (tx) => tx.selectFrom('audit_events').selectAll().orderBy('id').execute())

test('an audit row contains actor, event, target, time, address and request id', async () => {
  const account = await server.registerAccount()
  const { headers, body } = await account.send('POST', '/api/v1/workflows', { definition: documentOf(greets) })
  const [registered, created] = await eventsOf(account)
  expect(registered).toMatchObject({
    event: 'account.registered',
    account_id: account.accountId,
    actor: expect.stringMatching(/^user:usr_/),
  })
  expect(created).toMatchObject({
    event: 'workflow.created',
    actor: registered?.actor,
    target: body.id,
    request_id: headers.get('x-request-id'),
    ip: '127.0.0.1',
  })
  expect(Math.abs((created?.at.getTime() ?? 0) - Date.now())).toBeLessThan(180_000)
})

test('what is refused leaves no event', async () => {
  const account = await server.registerAccount()
  await account.send('POST', '/api/v1/workflows', { definition: documentOf('do: 1') })
  expect((await eventsOf(account)).map(({ event }) => event)).toEqual(['account.registered'])
})

test('a sign-in that is refused is kept, and belongs to the account that it was tried on', async () => {
  const account = await server.registerAccount()
  const attempt = server.client.auth.login({ body: { email: account.email, password: 'not the right phrase' } })
  await expect(attempt).rejects.toMatchObject({ status: 401 })
  await expect.poll(async () => (await eventsOf(account)).map(({ event }) => event)).toContain('auth.sign_in_refused')
})

test('events are seen by their own account alone', async () => {
  const [one, other] = [await server.registerAccount(), await server.registerAccount()]
  await one.send('POST', '/api/v1/workflows', { definition: documentOf(greets) })
  expect((await eventsOf(other)).map(({ account_id }) => account_id)).toEqual([other.accountId])
})

test('no event can be changed or deleted, not even by the owner of the database', async () => {
  await server.registerAccount()
  const { system } = server.database
  await expect(sql`update audit_events set actor = 'unknown'`.execute(system)).rejects.toThrow(/append-only/)
  await expect(sql`delete from audit_events`.execute(system)).rejects.toThrow(/append-only/)
})
