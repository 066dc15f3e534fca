import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Called, type IdentityServer, startIdentityServer } from '#testing/identity-server.ts'

let server: IdentityServer
let owner: { readonly accessToken: string; readonly refreshToken: string; readonly user: { readonly id: string } }
beforeAll(async () => {
  server = await startIdentityServer()
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  await server.reset()
  owner = await server.register('ada@example.com')
})

const leave = (token: string): Promise<Called> => server.call('DELETE', '/api/v1/auth/me', { token })
const meStatus = async (token: string) => (await server.call('GET', '/api/v1/auth/me', { token })).status

async function left(table: string): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(server.db)
  return rows[0]?.count ?? 0
}

test('the only user of an account takes it along, with all that is theirs', async () => {
  await server.call('POST', '/api/v1/api-keys', { token: owner.accessToken, body: { name: 'ci', scopes: ['workflows:read'] } })
  expect(await leave(owner.accessToken)).toMatchObject({ status: 200, body: { id: owner.user.id, deleted: true } })
  for (const table of ['accounts', 'users', 'user_passwords', 'sessions', 'api_keys', 'api_key_secrets'])
    expect(await left(table), table).toBe(0)
  expect(await meStatus(owner.accessToken)).toBe(401)
  expect((await server.call('POST', '/api/v1/auth/refresh', { body: { refreshToken: owner.refreshToken } })).status).toBe(401)
  expect((await server.login('ada@example.com')).status).toBe(401)
  expect(server.audits.at(-1)).toMatchObject({ event: 'user.deleted', target: owner.user.id })
})

test('nothing of another account goes with it', async () => {
  const eve = await server.register('eve@example.com')
  await leave(owner.accessToken)
  expect(await meStatus(eve.accessToken)).toBe(200)
  expect(await left('users')).toBe(1)
})

test('the address of a deleted user can register again', async () => {
  await leave(owner.accessToken)
  const { user } = await server.register('ada@example.com')
  expect(user.id).not.toBe(owner.user.id)
})

test('a member leaves, and the account stays', async () => {
  const bob = await server.join('ada@example.com', 'bob@example.com', 'member')
  expect(await leave(bob.accessToken)).toMatchObject({ status: 200, body: { restorableUntil: null } })
  expect(await meStatus(bob.accessToken)).toBe(401)
  expect(await meStatus(owner.accessToken)).toBe(200)
})

test('the last owner cannot leave others behind', async () => {
  await server.join('ada@example.com', 'bob@example.com', 'admin')
  expect(await leave(owner.accessToken)).toMatchObject({ status: 409, body: { code: 'last_owner' } })
  expect(await meStatus(owner.accessToken)).toBe(200)
})

test('one of two owners who leave concurrently is refused', async () => {
  await server.join('ada@example.com', 'bob@example.com', 'owner')
  await server.join('ada@example.com', 'cy@example.com', 'member')
  const { rows } = await sql<{ readonly id: string; readonly account_id: string }>`
    select id, account_id from users where role = 'owner'`.execute(server.db)
  const [first, second] = rows
  if (first === undefined || second === undefined) throw new Error('There are no two owners.')
  const gone = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const leaves = server.database.account(first.account_id, async (tx) => {
    await server.identity.deleteMe(tx, first.account_id, first.id)
    gone.resolve()
    await commit.promise
  })
  await gone.promise
  const follows = server.database.account(second.account_id, (tx) => server.identity.deleteMe(tx, second.account_id, second.id))
  await server.someoneWaits(follows)
  commit.resolve()
  await expect(Promise.all([leaves, follows])).rejects.toMatchObject({ code: 'last_owner' })
  expect(await left('users')).toBe(2)
})

test('the data of other modules for a deleted account is deleted in the same transaction', async () => {
  const cleared: string[] = []
  await using own = await startIdentityServer({
    async clearAccount(tx, { accountId }) {
      const { rows } = await sql<{ readonly id: string }>`select id from accounts`.execute(tx)
      cleared.push(accountId, ...rows.map(({ id }) => id))
      return { restorableUntil: undefined, afterCommit: () => undefined }
    },
  })
  const { accessToken } = await own.register('ada@example.com')
  await own.call('DELETE', '/api/v1/auth/me', { token: accessToken })
  expect(cleared).toHaveLength(2)
  expect(cleared[0]).toBe(cleared[1])
})

test('what follows the deletion of an account happens after its commit, and not at all if it fails', async () => {
  const followed: number[] = []
  const count = async (): Promise<number> => (await sql`select from accounts`.execute(own.db)).rows.length
  await using own = await startIdentityServer({
    clearAccount: () => Promise.resolve({ restorableUntil: undefined, afterCommit: async () => void followed.push(await count()) }),
  })
  const { accessToken } = await own.register('ada@example.com')
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`.execute(own.db)
  await sql`create trigger refuse before delete on accounts for each row execute function refuse()`.execute(own.db)
  expect((await own.call('DELETE', '/api/v1/auth/me', { token: accessToken })).status).toBe(500)
  expect(followed).toEqual([])
  await sql`drop trigger refuse on accounts`.execute(own.db)
  expect((await own.call('DELETE', '/api/v1/auth/me', { token: accessToken })).status).toBe(200)
  expect(followed).toEqual([0])
})

test('a clearing that fails deletes nothing', async () => {
  await using own = await startIdentityServer({ clearAccount: () => Promise.reject(new Error('executions are running')) })
  const { accessToken } = await own.register('ada@example.com')
  expect((await own.call('DELETE', '/api/v1/auth/me', { token: accessToken })).status).toBe(500)
  expect((await own.call('GET', '/api/v1/auth/me', { token: accessToken })).status).toBe(200)
})

test('only a session can delete the user', async () => {
  const { body } = await server.call('POST', '/api/v1/api-keys', {
    token: owner.accessToken,
    body: { name: 'ci', scopes: ['account:read', 'workflows:write'] },
  })
  expect(await leave(body.secret)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
})
