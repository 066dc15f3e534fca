import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IdentityServer, startIdentityServer } from '#testing/identity-server.ts'

interface Owner {
  readonly id: string
  readonly account_id: string
}

let server: IdentityServer
let ada: Owner
let eve: Owner
beforeAll(async () => {
  server = await startIdentityServer()
  for (const email of ['ada@example.com', 'eve@example.com']) {
    const { accessToken } = await server.register(email)
    await server.call('POST', '/api/v1/api-keys', { token: accessToken, body: { name: 'x', scopes: ['account:read'] } })
  }
  ada = await ownerOf('ada@example.com')
  eve = await ownerOf('eve@example.com')
})
afterAll(() => server[Symbol.asyncDispose]())

async function ownerOf(email: string): Promise<Owner> {
  const { rows } = await sql<Owner>`select id, account_id from users where email = ${email}`.execute(server.db)
  const [owner] = rows
  if (owner === undefined) throw new Error(`no user has the address ${email}`)
  return owner
}

/** Runs a statement as what works for Ada's account does. */
const asAda = (statement: ReturnType<typeof sql>) => server.database.account(ada.account_id, (tx) => statement.execute(tx))

const ofAccounts = ['users', 'user_passwords', 'sessions', 'api_keys', 'api_key_secrets']
const ofInstallation = ['login_throttles', 'operator_codes', 'signing_keys']

test.each(ofAccounts)('an account sees only its own rows of %s, even without a condition on the account', async (table) => {
  const { rows } = await asAda(sql`select account_id from ${sql.table(table)}`)
  expect(rows).toEqual([{ account_id: ada.account_id }])
})

test.each(ofAccounts)('an account cannot delete rows of another from %s', async (table) => {
  const count = async () =>
    (await sql<{ readonly n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(server.db)).rows[0]?.n
  const before = await count()
  await asAda(sql`delete from ${sql.table(table)} where account_id = ${eve.account_id}`)
  expect(await count()).toBe(before)
})

test.each(ofInstallation)('a transaction of an account cannot read %s', async (table) => {
  for (const statement of [sql`select 1 from ${sql.table(table)}`, sql`delete from ${sql.table(table)}`])
    await expect(asAda(statement)).rejects.toThrow('permission denied')
})

test('an account cannot put a user into another', async () => {
  const insert = sql`
    insert into users (id, account_id, email, role, created_at)
    values (gen_random_uuid(), ${eve.account_id}, 'spy@example.com', 'owner', now())`
  await expect(asAda(insert)).rejects.toThrow('row-level security')
  await expect(asAda(sql`update users set account_id = ${eve.account_id}`)).rejects.toThrow('row-level security')
})

test('an account cannot delete another account', async () => {
  await asAda(sql`delete from accounts where id = ${eve.account_id}`)
  expect(await ownerOf('eve@example.com')).toEqual(eve)
})

test('neither a session nor a key can refer to a user of another account, not even through the system pool', async () => {
  const session = sql`
    insert into sessions (id, account_id, user_id, created_at, last_used_at, expires_at, authenticated_at, token_hash)
    values (gen_random_uuid(), ${ada.account_id}, ${eve.id}, now(), now(), now(), now(), sha256('x'))`
  await expect(session.execute(server.db)).rejects.toThrow('foreign key')
  const key = sql`
    insert into api_keys (id, account_id, user_id, name, scopes, created_at)
    values (gen_random_uuid(), ${ada.account_id}, ${eve.id}, 'x', '{}', now())`
  await expect(key.execute(server.db)).rejects.toThrow('foreign key')
})

test('a hash can be set for an account without being read', async () => {
  const update = sql`update user_passwords set hash = 'another', changed_at = now() where user_id = ${ada.id} returning changed_at`
  expect((await asAda(update)).rows).toHaveLength(1)
  await expect(asAda(sql`update user_passwords set hash = 'x' where user_id = ${ada.id} returning hash`)).rejects.toThrow(
    'permission denied',
  )
  await expect(asAda(sql`select 1 from user_passwords where hash like '$argon2%'`)).rejects.toThrow('permission denied')
})
