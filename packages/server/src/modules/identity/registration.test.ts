import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goodPassword, type IdentityServer, startIdentityServer } from '#testing/identity-server.ts'

let server: IdentityServer
beforeAll(async () => {
  server = await startIdentityServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const post = (body: unknown) => server.call('POST', '/api/v1/auth/register', { body })

async function count(table: 'accounts' | 'users'): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(server.db)
  return rows[0]?.count ?? 0
}

test('a user who registers owns a new account and is signed in', async () => {
  const { status, body } = await post({
    email: 'ada@example.com',
    password: goodPassword,
    name: 'Ada Lovelace',
    accountName: 'Analytical Engines',
  })
  expect(status).toBe(200)
  expect(body.user).toMatchObject({ email: 'ada@example.com', name: 'Ada Lovelace', role: 'owner' })
  const me = await server.call('GET', '/api/v1/auth/me', { token: body.accessToken })
  expect(me.status).toBe(200)
  expect(me.body).toMatchObject({
    id: body.user.id,
    email: 'ada@example.com',
    role: 'owner',
    isOperator: false,
    credential: 'session',
    account: { id: body.user.accountId, name: 'Analytical Engines' },
  })
  expect(me.body.scopes).toContain('account:security')
})

test('registration is in the audit log of the new account', async () => {
  const { user, jti } = await server.register('audited@example.com')
  expect(server.audits.at(-1)).toEqual({ event: 'account.registered', target: jti, accountId: expect.any(String) })
  const { rows } = await sql<{ readonly id: string }>`select account_id as id from users where email = ${user.email}`.execute(server.db)
  expect(rows[0]?.id).toBe(server.audits.at(-1)?.accountId)
})

test('an account without a name of its own has that of its owner, or the address', async () => {
  const named = await server.register('named@example.com', { name: 'Grace Hopper' })
  const bare = await server.register('bare@example.com')
  const nameOf = async (token: string) => (await server.call('GET', '/api/v1/auth/me', { token })).body.account.name
  expect(await nameOf(named.accessToken)).toBe('Grace Hopper')
  expect(await nameOf(bare.accessToken)).toBe('bare@example.com')
})

test('the unprefixed alias registers alike', async () => {
  const { status, body } = await server.call('POST', '/auth/register', { body: { email: 'alias@example.com', password: goodPassword } })
  expect(status).toBe(200)
  expect(body.user.email).toBe('alias@example.com')
})

test('an address is taken in whatever case it is written, and nothing is left of the attempt', async () => {
  await server.register('taken@example.com')
  const before = await count('accounts')
  for (const email of ['taken@example.com', 'TAKEN@example.com', 'Taken@Example.COM'])
    expect(await post({ email, password: goodPassword })).toMatchObject({ status: 409, body: { code: 'email_taken' } })
  expect(await count('accounts')).toBe(before)
})

test('one of twenty concurrent registrations with one address succeeds', async () => {
  const before = await count('accounts')
  const all = await Promise.all(Array.from({ length: 20 }, () => post({ email: 'rush@example.com', password: goodPassword })))
  expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
  expect(await count('accounts')).toBe(before + 1)
})

test('a password that is short, common or about its user is refused with a pointer to it, and nothing is made', async () => {
  const before = await count('users')
  for (const password of ['short', 'iloveyou', 'weak.person99', 'Weak Person', 'Engines-2026'])
    expect(
      await post({ email: 'weak.person@example.com', password, name: 'Weak Person', accountName: 'Engines' }),
      `the password ${password}`,
    ).toMatchObject({ status: 422, body: { code: 'password_unacceptable', errors: [{ pointer: '/password' }] } })
  expect(await count('users')).toBe(before)
})

test('a password of 256 characters signs in, and one without the last of them does not', async () => {
  const password = 'ab cd '.repeat(43).slice(0, 256)
  expect(password).toHaveLength(256)
  await server.register('long@example.com', { password })
  expect((await server.login('long@example.com', password)).status).toBe(200)
  expect((await server.login('long@example.com', password.slice(0, -1))).status).toBe(401)
})

test('a body with members that registration does not know is refused', async () => {
  const reply = await post({ email: 'extra@example.com', password: goodPassword, role: 'owner', isOperator: true })
  expect(reply.status).toBe(400)
  expect(reply.body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual(['/isOperator', '/role'])
})

test('the same Idempotency-Key registers once and gives the same answer', async () => {
  const options = { body: { email: 'twice@example.com', password: goodPassword }, headers: { 'idempotency-key': 'register-twice' } }
  const first = await server.call('POST', '/api/v1/auth/register', options)
  const second = await server.call('POST', '/api/v1/auth/register', options)
  expect(second).toMatchObject({ status: 200, body: first.body, headers: { 'idempotent-replayed': 'true' } })
})

test('neither passwords nor tokens lie in the database as they are', async () => {
  const { accessToken, refreshToken } = await server.register('secret@example.com')
  const { rows } = await sql<{ readonly dump: string }>`
    select (select jsonb_agg(u)::text from users u) || (select jsonb_agg(p)::text from user_passwords p)
      || (select jsonb_agg(s)::text from sessions s) || (select jsonb_agg(k)::text from signing_keys k) as dump`.execute(server.db)
  const dump = rows[0]?.dump ?? ''
  expect(dump).toContain('$argon2id$')
  for (const secret of [goodPassword, accessToken, refreshToken]) {
    expect(dump).not.toContain(secret)
    expect(dump).not.toContain(Buffer.from(secret).toString('hex'))
  }
})

test('a transaction of an account cannot read a password hash', async () => {
  const { user } = await server.register('unread@example.com')
  const { rows } = await sql<{ readonly id: string }>`select account_id as id from users where email = ${user.email}`.execute(server.db)
  const read = server.database.account(rows[0]?.id ?? '', (tx) => sql`select hash from user_passwords`.execute(tx))
  await expect(read).rejects.toThrow('permission denied')
})
