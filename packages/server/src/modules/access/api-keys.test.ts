import { grantableScopes } from '@millrace/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fromTypeId, newId, toTypeId } from '#platform/ids.ts'
import { type Called, type IdentityServer, startIdentityServer } from '#testing/identity-server.ts'
import { keysOfUserMax } from './model.ts'

interface Issued {
  readonly id: string
  readonly secret: string
  readonly start: string
}

let server: IdentityServer
let session: string
beforeAll(async () => {
  server = await startIdentityServer()
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  await server.reset()
  session = (await server.register('ada@example.com')).accessToken
})

const post = (body: unknown, token = session): Promise<Called> => server.call('POST', '/api/v1/api-keys', { token, body })
const list = (token = session, query = ''): Promise<Called> => server.call('GET', `/api/v1/api-keys${query}`, { token })
const revoke = (id: string, token = session): Promise<Called> => server.call('DELETE', `/api/v1/api-keys/${id}`, { token })
const rotate = (id: string, body: unknown = {}, token = session): Promise<Called> =>
  server.call('POST', `/api/v1/api-keys/${id}/rotate`, { token, body })
const meStatus = async (token: string) => (await server.call('GET', '/api/v1/auth/me', { token })).status

async function issue(more: Readonly<Record<string, unknown>> = {}, token = session): Promise<Issued> {
  const { status, body } = await post({ name: 'ci', scopes: ['account:read'], ...more }, token)
  if (status !== 200) throw new Error(`issuing answered ${status}: ${JSON.stringify(body)}`)
  return body
}

test('a key is issued with its secret, and acts for its user within its scopes', async () => {
  const { status, body } = await post({ name: 'Deploys', scopes: ['account:read', 'workflows:read'], expiresAt: '2026-06-01T00:00:00Z' })
  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.stringMatching(/^key_/),
    name: 'Deploys',
    start: body.secret.slice(0, 12),
    secret: expect.stringMatching(/^mlr_[0-9A-Za-z]{36}$/),
    scopes: ['account:read', 'workflows:read'],
    workflowIds: null,
    createdAt: '2026-03-01T12:00:00.000Z',
    expiresAt: '2026-06-01T00:00:00.000Z',
    lastUsedAt: null,
  })
  const me = await server.call('GET', '/api/v1/auth/me', { token: body.secret })
  expect(me.body).toMatchObject({ email: 'ada@example.com', credential: 'api_key', scopes: ['account:read', 'workflows:read'] })
  expect(server.audits.at(-1)).toMatchObject({ event: 'api_key.issued', target: body.id })
})

test('a secret is in no list, and not in the database as it is', async () => {
  const { secret, id } = await issue()
  const listed = await list()
  expect(listed.body.data).toMatchObject([{ id, start: secret.slice(0, 12) }])
  expect(JSON.stringify(listed.body)).not.toContain(secret.slice(12))
  const { rows } = await sql<{ readonly dump: string }>`
    select (select jsonb_agg(k)::text from api_keys k) || (select jsonb_agg(s)::text from api_key_secrets s) as dump`.execute(server.db)
  expect(rows[0]?.dump).not.toContain(secret.slice(12))
  expect(rows[0]?.dump).not.toContain(Buffer.from(secret).toString('hex'))
})

test('a key reaches neither the key operations nor those of account security', async () => {
  const { id, secret } = await issue({ scopes: grantableScopes })
  const { jti } = (await server.login('ada@example.com')).body
  const replies = [
    await post({ name: 'child', scopes: ['account:read'] }, secret),
    await list(secret),
    await revoke(id, secret),
    await rotate(id, {}, secret),
    await server.call('POST', '/api/v1/auth/logout', { token: secret }),
    await server.call('POST', '/api/v1/auth/logout-all', { token: secret }),
    await server.call('GET', '/api/v1/auth/sessions', { token: secret }),
    await server.call('DELETE', `/api/v1/auth/sessions/${jti}`, { token: secret }),
    await server.call('DELETE', '/api/v1/auth/me', { token: secret }),
    await server.call('GET', '/auth/sessions', { token: secret }),
  ]
  expect(replies.map(({ status, body }) => [status, body.code])).toEqual(replies.map(() => [403, 'insufficient_scope']))
  expect((await list()).body.data).toHaveLength(1)
})

test('a scope that keys cannot have is refused, and helps nothing if it stands in the row', async () => {
  for (const scope of ['account:security', 'api-keys:manage', 'everything', '*'])
    expect((await post({ name: 'x', scopes: [scope] })).status).toBe(400)
  const { secret } = await issue()
  await sql`update api_keys set scopes = '{account:read,account:security,api-keys:manage}'`.execute(server.db)
  expect((await server.call('GET', '/api/v1/auth/me', { token: secret })).body.scopes).toEqual(['account:read'])
  expect((await list(secret)).status).toBe(403)
})

test('a scope that is refused is named, with the one that was probably meant, or why no key can have it', async () => {
  const details = await Promise.all(
    ['worklfows:read', 'approvals:decide'].map(async (scope) => (await post({ name: 'x', scopes: [scope] })).body.errors),
  )
  expect(details).toEqual([
    [{ pointer: '/scopes/0', detail: '"worklfows:read" is not known here. Did you mean "workflows:read"?' }],
    [{ pointer: '/scopes/0', detail: 'No API key can have "approvals:decide": only a signed-in person can do this.' }],
  ])
})

test('a user cannot give a key what the own role does not allow', async () => {
  const viewer = (await server.join('ada@example.com', 'vi@example.com', 'viewer')).accessToken
  const reply = await post({ name: 'x', scopes: ['workflows:read', 'workflows:write'] }, viewer)
  expect(reply).toMatchObject({ status: 403, body: { code: 'insufficient_role', detail: expect.stringContaining('workflows:write') } })
  expect((await post({ name: 'x', scopes: ['workflows:read'] }, viewer)).status).toBe(200)
})

test('an auditor gives a key what auditors read, and nothing with which others decide or run', async () => {
  const auditor = (await server.join('ada@example.com', 'auditor@example.com', 'auditor')).accessToken
  expect((await post({ name: 'audit', scopes: ['audit:read', 'privacy:read', 'executions:read'] }, auditor)).status).toBe(200)
  for (const scope of ['executions:run', 'privacy:use', 'workflows:write'])
    expect(await post({ name: 'x', scopes: [scope] }, auditor)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
})

test('a key can do no more than its user can today', async () => {
  const bob = await server.join('ada@example.com', 'bob@example.com', 'member')
  const { secret } = await issue({ scopes: ['account:read', 'workflows:write'] }, bob.accessToken)
  const scopesOf = async () => (await server.call('GET', '/api/v1/auth/me', { token: secret })).body.scopes
  expect(await scopesOf()).toEqual(['account:read', 'workflows:write'])
  await sql`update users set role = 'viewer' where email = 'bob@example.com'`.execute(server.db)
  expect(await scopesOf()).toEqual(['account:read'])
  await sql`delete from users where email = 'bob@example.com'`.execute(server.db)
  expect(await meStatus(secret)).toBe(401)
})

test('a revoked key cannot do anything, from the very next request on', async () => {
  const { id, secret } = await issue()
  expect(await meStatus(secret)).toBe(200)
  expect(await revoke(id)).toMatchObject({ status: 200, body: { id, revoked: true } })
  expect(await meStatus(secret)).toBe(401)
  expect((await list()).body.data).toEqual([])
  expect((await revoke(id)).status).toBe(404)
  expect((await rotate(id)).status).toBe(404)
  expect(server.audits.at(-1)).toMatchObject({ event: 'api_key.revoked', target: id })
})

test('a key works until it expires, and an expired key is distinguished from a wrong one', async () => {
  const { secret } = await issue({ expiresAt: '2026-03-01T13:00:00Z' })
  server.clock.at = Date.parse('2026-03-01T12:59:59.999Z')
  expect(await meStatus(secret)).toBe(200)
  server.clock.at += 1
  const { status, body } = await server.call('GET', '/api/v1/auth/me', { token: secret })
  expect([status, body.code, body.detail]).toEqual([
    401,
    'token_expired',
    'The API key has expired. Create a new one on the page API keys.',
  ])
})

test('an expiry that is not in the future is refused', async () => {
  for (const expiresAt of ['2026-03-01T12:00:00Z', '2020-01-01T00:00:00Z'])
    expect(await post({ name: 'x', scopes: ['account:read'], expiresAt })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/expiresAt' }] },
    })
  expect((await post({ name: 'x', scopes: ['account:read'], expiresAt: null })).body.expiresAt).toBeNull()
})

test('rotation gives a new secret, and the old one stops at once', async () => {
  const { id, secret, start } = await issue()
  const { status, body } = await rotate(id)
  expect(status).toBe(200)
  expect(body.secret).not.toBe(secret)
  expect(body.start).not.toBe(start)
  expect(await meStatus(secret)).toBe(401)
  expect(await meStatus(body.secret)).toBe(200)
  expect((await list()).body.data).toMatchObject([{ id, start: body.start }])
  expect(server.audits.at(-1)).toMatchObject({ event: 'api_key.rotated', target: id })
})

test('after a rotation with an overlap the old secret works for exactly that time', async () => {
  const { id, secret } = await issue()
  const { body } = await rotate(id, { overlap: 'PT1H' })
  server.clock.at += 3_600_000 - 1
  expect([await meStatus(secret), await meStatus(body.secret)]).toEqual([200, 200])
  server.clock.at += 1
  const late = await server.call('GET', '/api/v1/auth/me', { token: secret })
  expect(late).toMatchObject({ status: 401, body: { code: 'token_expired' } })
  const renewed = (await server.login('ada@example.com')).body.accessToken
  expect((await list(renewed)).body.data).toMatchObject([{ start: body.start }])
  expect(await meStatus(body.secret)).toBe(200)
})

test('a second rotation ends what the first one let live on', async () => {
  const { id, secret } = await issue()
  const second: string = (await rotate(id, { overlap: 'P7D' })).body.secret
  const third: string = (await rotate(id, { overlap: 'PT1M' })).body.secret
  expect([await meStatus(secret), await meStatus(second), await meStatus(third)]).toEqual([401, 200, 200])
  const fourth: string = (await rotate(id)).body.secret
  expect([await meStatus(second), await meStatus(third), await meStatus(fourth)]).toEqual([401, 401, 200])
})

test('revoking ends every secret of a key', async () => {
  const { id, secret } = await issue()
  const next: string = (await rotate(id, { overlap: 'P1D' })).body.secret
  await revoke(id)
  expect([await meStatus(secret), await meStatus(next)]).toEqual([401, 401])
})

test('an overlap of more than a week is refused', async () => {
  const { id, secret } = await issue()
  for (const overlap of ['P8D', 'P2W', 'PT169H'])
    expect(await rotate(id, { overlap })).toMatchObject({ status: 400, body: { errors: [{ pointer: '/overlap' }] } })
  expect(await meStatus(secret)).toBe(200)
})

test('ten rotations at the same time leave one secret that works', async () => {
  const { id } = await issue()
  const replies = await Promise.all(Array.from({ length: 10 }, () => rotate(id)))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  const statuses = await Promise.all(replies.map(({ body }) => meStatus(body.secret)))
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
})

test('the keys of another account are not there', async () => {
  const eve = (await server.register('eve@example.com')).accessToken
  const { id, secret } = await issue()
  for (const reply of [await revoke(id, eve), await rotate(id, {}, eve)])
    expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await list(eve)).body.data).toEqual([])
  expect(await meStatus(secret)).toBe(200)
})

test('a member sees the own keys alone, and those of others are not there', async () => {
  const bob = (await server.join('ada@example.com', 'bob@example.com', 'member')).accessToken
  const { id } = await issue()
  const own = await issue({}, bob)
  expect((await list(bob)).body.data).toMatchObject([{ id: own.id }])
  expect((await revoke(id, bob)).status).toBe(404)
  expect((await rotate(id, {}, bob)).status).toBe(404)
})

test('an administrator sees and revokes the keys of others, and cannot get their secrets', async () => {
  const bob = (await server.join('ada@example.com', 'bob@example.com', 'member')).accessToken
  const { id, secret } = await issue({}, bob)
  expect((await list()).body.data).toMatchObject([{ id }])
  expect(await rotate(id)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect(await meStatus(secret)).toBe(200)
  expect((await revoke(id)).status).toBe(200)
  expect(await meStatus(secret)).toBe(401)
})

test('an id of another kind is a 404', async () => {
  const { id } = await issue()
  const uuid = fromTypeId('key', id) ?? ''
  for (const wrong of [toTypeId('key', newId()), toTypeId('usr', uuid), uuid, 'x']) expect((await revoke(wrong)).status).toBe(404)
})

test('pages contain every key once, newest first', async () => {
  for (let i = 0; i < 5; i++) await issue({ name: `key ${i}` })
  const first = (await list(session, '?limit=2')).body
  const second = (await list(session, `?limit=2&cursor=${first.nextCursor}`)).body
  const third = (await list(session, `?limit=2&cursor=${second.nextCursor}`)).body
  const names = [first, second, third].flatMap(({ data }) => data.map(({ name }: { name: string }) => name))
  expect(names).toEqual(['key 4', 'key 3', 'key 2', 'key 1', 'key 0'])
  expect(third.nextCursor).toBeNull()
  expect((await list(session, '?cursor=bad')).status).toBe(400)
})

test('last used is written later and to the minute', async () => {
  const { id, secret } = await issue()
  const lastUsedAt = async () => (await list()).body.data[0].lastUsedAt
  await meStatus(secret)
  expect(await lastUsedAt()).toBeNull()
  await server.keyUses.flush()
  expect(await lastUsedAt()).toBe('2026-03-01T12:00:00.000Z')
  server.clock.at += 59_000
  await meStatus(secret)
  await server.keyUses.flush()
  expect(await lastUsedAt()).toBe('2026-03-01T12:00:00.000Z')
  server.clock.at += 1000
  await meStatus(secret)
  await server.keyUses.flush()
  expect(await lastUsedAt()).toBe('2026-03-01T12:01:00.000Z')
  expect(id).toMatch(/^key_/)
})

/** Gives Ada all keys but one that she can have. */
async function fillUp(): Promise<{ readonly id: string; readonly accountId: string }> {
  const { rows } = await sql<{ readonly id: string; readonly accountId: string }>`
    select id, account_id as "accountId" from users`.execute(server.db)
  const [user] = rows
  if (user === undefined) throw new Error('There is no user.')
  await sql`
    insert into api_keys (id, account_id, user_id, name, scopes, created_at)
    select gen_random_uuid(), ${user.accountId}, ${user.id}, 'filler', '{}', now() from generate_series(2, ${keysOfUserMax})`.execute(
    server.db,
  )
  return user
}

test('a user has a bounded number of keys', async () => {
  await fillUp()
  const { id } = await issue()
  expect(await post({ name: 'x', scopes: ['account:read'] })).toMatchObject({ status: 409, body: { code: 'conflict' } })
  await revoke(id)
  expect((await post({ name: 'x', scopes: ['account:read'] })).status).toBe(200)
})

test('a key that has expired takes no place of another one', async () => {
  await fillUp()
  await issue()
  expect((await post({ name: 'x', scopes: ['account:read'] })).status).toBe(409)
  await sql`
    update api_keys set expires_at = ${new Date(server.clock.at)} where id = (select id from api_keys where name = 'filler' limit 1)`.execute(
    server.db,
  )
  expect((await post({ name: 'x', scopes: ['account:read'] })).status).toBe(200)
  expect((await post({ name: 'x', scopes: ['account:read'] })).status).toBe(409)
})

test('two requests at the same time cannot both take the last place', async () => {
  const { id: userId, accountId } = await fillUp()
  const wanted = { name: 'x', scopes: ['account:read'] as const, workflowIds: undefined, expiresAt: undefined }
  const taken = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const first = server.database.account(accountId, async (tx) => {
    await server.access.issue(tx, accountId, { userId, role: 'owner' }, wanted)
    taken.resolve()
    await commit.promise
  })
  await taken.promise
  const second = server.database.account(accountId, (tx) => server.access.issue(tx, accountId, { userId, role: 'owner' }, wanted))
  await server.someoneWaits(second)
  commit.resolve()
  await expect(Promise.all([first, second])).rejects.toMatchObject({ code: 'conflict' })
})

test('a user who is deactivated gets no key from a request that was on its way, and no key of theirs works', async () => {
  const { secret } = await issue()
  const { id: userId, accountId } = await fillUp()
  await sql`delete from api_keys where name = 'filler'`.execute(server.db)
  const deactivated = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const deactivating = server.db.transaction().execute(async (tx) => {
    await sql`update users set deactivated_at = now() where id = ${userId}`.execute(tx)
    deactivated.resolve()
    await commit.promise
  })
  await deactivated.promise
  const wanted = { name: 'x', scopes: ['account:read'] as const, workflowIds: undefined, expiresAt: undefined }
  const issuing = server.database.account(accountId, (tx) => server.access.issue(tx, accountId, { userId, role: 'owner' }, wanted))
  await server.someoneWaits(issuing)
  commit.resolve()
  await deactivating
  await expect(issuing).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(await meStatus(secret)).toBe(401)
})

test('the same Idempotency-Key issues one key', async () => {
  const options = { token: session, body: { name: 'once', scopes: ['account:read'] }, headers: { 'idempotency-key': 'issue-once' } }
  const replies = await Promise.all([1, 2, 3].map(() => server.call('POST', '/api/v1/api-keys', options)))
  expect(new Set(replies.map(({ body }) => body.secret)).size).toBe(1)
  expect((await list()).body.data).toHaveLength(1)
})
