import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mintApiKey } from '#platform/auth/api-key-secret.ts'
import { newId } from '#platform/ids.ts'
import { type IdentityServer, startIdentityServer } from '#testing/identity-server.ts'

let server: IdentityServer
beforeAll(async () => {
  server = await startIdentityServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const withHeader = (authorization: string) => server.call('GET', '/api/v1/auth/me', { headers: { authorization } })

test('without a credential an operation asks for one', async () => {
  const reply = await server.call('GET', '/api/v1/auth/me')
  expect(reply).toMatchObject({ status: 401, body: { code: 'unauthenticated', detail: expect.stringContaining('no `Authorization`') } })
  expect(reply.headers['www-authenticate']).toContain('Bearer')
})

test('whatever is no credential of ours is refused alike', async () => {
  const answers = new Set<string>()
  for (const authorization of [
    'x',
    'Basic YTpi',
    'Bearer',
    'Bearer x',
    'Bearer mlr_x',
    `Bearer ${mintApiKey(randomBytes)}`,
    'Bearer a.b.c',
    'Bearer "',
  ]) {
    const { status, body } = await withHeader(authorization)
    answers.add(`${status} ${body.code}`)
  }
  expect(answers).toEqual(new Set(['401 unauthenticated']))
})

test.each([
  ['Basic YTpi', 'The `Authorization` header has to be'],
  ['Bearer mlr_x', 'The API key is not valid'],
  [`Bearer ${mintApiKey(randomBytes)}`, 'The API key is not valid'],
  ['Bearer a.b.c', 'The access token is not one'],
])('a credential that is refused is named by its kind: %s', async (authorization, detail) => {
  expect((await withHeader(authorization)).body).toMatchObject({ code: 'unauthenticated', detail: expect.stringContaining(detail) })
})

test('a right token of a session that never was is refused', async () => {
  const { user } = await server.register('ada@example.com')
  expect(user.id).toBeDefined()
  const token = await server.tokens.issue({ userId: newId(), sessionId: newId() })
  expect((await withHeader(`Bearer ${token}`)).status).toBe(401)
})

test('a token that names another user than its session does is refused', async () => {
  const { jti } = await server.register('bob@example.com')
  const { rows } = await sql<{ readonly id: string }>`select id from sessions order by id desc limit 1`.execute(server.db)
  const token = await server.tokens.issue({ userId: newId(), sessionId: rows[0]?.id ?? '' })
  expect(jti).toBeDefined()
  expect((await withHeader(`Bearer ${token}`)).status).toBe(401)
})

test('a key whose first characters are those of another is not taken for it', async () => {
  const { accessToken } = await server.register('cy@example.com')
  const issued = await server.call('POST', '/api/v1/api-keys', { token: accessToken, body: { name: 'x', scopes: ['account:read'] } })
  const twin = twinOf(issued.body.secret)
  expect(twin.slice(0, 12)).toBe(issued.body.secret.slice(0, 12))
  expect((await withHeader(`Bearer ${twin}`)).status).toBe(401)
  expect((await withHeader(`Bearer ${issued.body.secret}`)).status).toBe(200)
})

test('two keys with the same first characters are distinguished', async () => {
  const { accessToken } = await server.register('dan@example.com')
  const make = async (name: string) =>
    (await server.call('POST', '/api/v1/api-keys', { token: accessToken, body: { name, scopes: ['account:read'] } })).body
  const [one, other] = [await make('one'), await make('other')]
  await sql`update api_key_secrets set prefix = ${one.start} where prefix = ${other.start}`.execute(server.db)
  const found = await server.authenticate({ authorization: `Bearer ${one.secret}`, ip: '192.0.2.1' })
  expect(found).toMatchObject({ credential: 'api_key', role: 'owner' })
})

test('a credential revoked among a hundred concurrent requests is refused from then on', async () => {
  const { accessToken } = await server.register('eve@example.com')
  const me = () => server.call('GET', '/api/v1/auth/me', { token: accessToken })
  const before = await Promise.all(Array.from({ length: 50 }, me))
  expect(new Set(before.map(({ status }) => status))).toEqual(new Set([200]))
  const during = Array.from({ length: 50 }, me)
  await server.call('POST', '/api/v1/auth/logout', { token: accessToken })
  const after = await Promise.all(Array.from({ length: 50 }, me))
  expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]))
  await Promise.all(during)
})

test('a key without the scope of an operation is known and not allowed', async () => {
  const { accessToken } = await server.register('fay@example.com')
  const { body } = await server.call('POST', '/api/v1/api-keys', { token: accessToken, body: { name: 'x', scopes: ['health:read'] } })
  expect(await withHeader(`Bearer ${body.secret}`)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
})

test('the scheme is understood in any case', async () => {
  const { accessToken } = await server.register('gil@example.com')
  for (const scheme of ['bearer', 'BEARER', 'Bearer ']) expect((await withHeader(`${scheme} ${accessToken}`)).status).toBe(200)
})

test('a database that is away makes no caller unknown', async () => {
  await using own = await startIdentityServer()
  const { accessToken } = await own.register('ada@example.com')
  await sql`alter table sessions rename to sessions_away`.execute(own.db)
  const reply = await own.call('GET', '/api/v1/auth/me', { token: accessToken })
  expect(reply.status).toBeGreaterThanOrEqual(500)
  await sql`alter table sessions_away rename to sessions`.execute(own.db)
  expect((await own.call('GET', '/api/v1/auth/me', { token: accessToken })).status).toBe(200)
})

/** A key with the same prefix and another rest, and a checksum that is right. */
function twinOf(secret: string): string {
  let given = 0
  // The alphabet's index of each character that the twin shall begin with; what follows is left to chance.
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const wanted = Array.from(secret.slice(4, 12), (character) => alphabet.indexOf(character))
  return mintApiKey((size) => {
    const bytes = randomBytes(size)
    if (given++ === 0) bytes.set(wanted)
    return bytes
  })
}
