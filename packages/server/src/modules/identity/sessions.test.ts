import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fromTypeId, newId, toTypeId } from '#platform/ids.ts'
import { type Called, type IdentityServer, startIdentityServer } from '#testing/identity-server.ts'
import { sessionLimitsDefault } from './model.ts'
import { deleteExpiredSessions } from './session-store.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

interface SignedIn {
  readonly accessToken: string
  readonly refreshToken: string
  readonly jti: string
}

let server: IdentityServer
let ada: SignedIn
beforeAll(async () => {
  server = await startIdentityServer()
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  await server.reset()
  ada = await server.register('ada@example.com', {}, { userAgent: firefox })
})

const list = (token: string, query = ''): Promise<Called> => server.call('GET', `/api/v1/auth/sessions${query}`, { token })
const end = (token: string, jti: string): Promise<Called> => server.call('DELETE', `/api/v1/auth/sessions/${jti}`, { token })
const meStatus = async (token: string) => (await server.call('GET', '/api/v1/auth/me', { token })).status
const refreshStatus = async (refreshToken: string) => (await server.call('POST', '/api/v1/auth/refresh', { body: { refreshToken } })).status

async function login(options = {}): Promise<SignedIn> {
  const { status, body } = await server.login('ada@example.com', undefined, options)
  if (status !== 200) throw new Error(`login answered ${status}`)
  return body
}

async function expectEnded({ accessToken, refreshToken }: SignedIn): Promise<void> {
  expect(await meStatus(accessToken)).toBe(401)
  expect(await refreshStatus(refreshToken)).toBe(401)
}

test('a session is listed with its device, its address and its times', async () => {
  const { status, body } = await list(ada.accessToken)
  expect(status).toBe(200)
  expect(body).toEqual({
    data: [
      {
        jti: ada.jti,
        current: true,
        device: 'Firefox on Linux',
        ip: '192.0.2.1',
        createdAt: '2026-03-01T12:00:00.000Z',
        lastUsedAt: '2026-03-01T12:00:00.000Z',
        expiresAt: '2026-03-08T12:00:00.000Z',
      },
    ],
    nextCursor: null,
  })
})

test('the newest session comes first, and the one of the request is marked', async () => {
  const second = await login()
  const { body } = await list(ada.accessToken)
  expect(body.data).toMatchObject([
    { jti: second.jti, current: false },
    { jti: ada.jti, current: true },
  ])
  expect((await server.call('GET', '/auth/sessions', { token: ada.accessToken })).body).toEqual(body)
})

test('pages contain every session once, even when another is opened between two pages', async () => {
  for (let i = 0; i < 6; i++) await login()
  const seen: string[] = []
  let query = '?limit=3'
  for (let page = 0; page < 3; page++) {
    const { body } = await list(ada.accessToken, query)
    seen.push(...body.data.map(({ jti }: SignedIn) => jti))
    query = `?limit=3&cursor=${body.nextCursor}`
    if (page === 0) await login()
    if (body.nextCursor === null) break
  }
  expect(seen).toHaveLength(7)
  expect(new Set(seen).size).toBe(7)
})

test('a cursor of another origin is refused with its pointer', async () => {
  for (const cursor of ['x', 'eyJhIjoxfQ', Buffer.from('["1"]').toString('base64url'), Buffer.from(`["' or 1=1"]`).toString('base64url')])
    expect(await list(ada.accessToken, `?cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/cursor', in: 'query' }] },
    })
})

test('signing out ends the session of the request at once, and no other', async () => {
  const other = await login()
  const reply = await server.call('POST', '/api/v1/auth/logout', { token: ada.accessToken })
  expect(reply).toMatchObject({ status: 200, body: { revoked: 1 } })
  await expectEnded(ada)
  expect(await meStatus(other.accessToken)).toBe(200)
  expect(server.audits.at(-1)).toMatchObject({ event: 'session.closed', target: ada.jti })
})

test('signing out everywhere ends all sessions of the user and of no other user', async () => {
  const other = await login()
  const eve = await server.register('eve@example.com')
  const reply = await server.call('POST', '/api/v1/auth/logout-all', { token: ada.accessToken })
  expect(reply).toMatchObject({ status: 200, body: { revoked: 2 } })
  await expectEnded(ada)
  await expectEnded(other)
  expect(await meStatus(eve.accessToken)).toBe(200)
})

test('the unprefixed aliases sign out alike', async () => {
  const other = await login()
  expect((await server.call('POST', '/auth/logout', { token: other.accessToken })).body).toEqual({ revoked: 1 })
  expect((await server.call('POST', '/auth/logout-all', { token: ada.accessToken })).body).toEqual({ revoked: 1 })
})

test('a session is ended by its jti at once, its tokens with it', async () => {
  const lost = await login()
  expect(await end(ada.accessToken, lost.jti)).toMatchObject({ status: 200, body: { jti: lost.jti, revoked: true } })
  await expectEnded(lost)
  expect((await list(ada.accessToken)).body.data).toHaveLength(1)
  expect(await end(ada.accessToken, lost.jti)).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('a session of another account is not there', async () => {
  const eve = await server.register('eve@example.com')
  expect(await end(eve.accessToken, ada.jti)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await meStatus(ada.accessToken)).toBe(200)
  expect((await list(eve.accessToken)).body.data.map(({ jti }: SignedIn) => jti)).toEqual([eve.jti])
})

test('a session of another user of the account is not there either', async () => {
  const bob = await server.join('ada@example.com', 'bob@example.com', 'admin')
  expect((await end(bob.accessToken, ada.jti)).status).toBe(404)
  expect((await list(bob.accessToken)).body.data.map(({ jti }: SignedIn) => jti)).toEqual([bob.jti])
  expect((await server.call('POST', '/api/v1/auth/logout-all', { token: bob.accessToken })).body).toEqual({ revoked: 1 })
  expect(await meStatus(ada.accessToken)).toBe(200)
})

test('an id of another kind is a 404', async () => {
  const uuid = fromTypeId('ses', ada.jti) ?? ''
  for (const jti of [toTypeId('ses', newId()), toTypeId('usr', uuid), uuid, 'ses_', 'x', '%00'])
    expect([400, 404]).toContain((await end(ada.accessToken, jti)).status)
  expect(await meStatus(ada.accessToken)).toBe(200)
})

test('a session past its idle limit is neither listed nor accepted, nor can it be ended', async () => {
  const other = await login()
  server.clock.at += sessionLimitsDefault.idleMs
  const fresh = await login()
  expect((await list(fresh.accessToken)).body.data).toMatchObject([{ jti: fresh.jti }])
  expect((await end(fresh.accessToken, other.jti)).status).toBe(404)
  expect((await server.call('POST', '/api/v1/auth/logout-all', { token: fresh.accessToken })).body).toEqual({ revoked: 1 })
})

test('using an access token is use of the session, written later and to the minute', async () => {
  server.clock.at += 59_000
  await server.call('GET', '/api/v1/auth/me', { token: ada.accessToken, ip: '198.51.100.2' })
  await server.sessionUses.flush()
  expect((await list(ada.accessToken)).body.data).toMatchObject([{ lastUsedAt: '2026-03-01T12:00:00.000Z', ip: '192.0.2.1' }])
  server.clock.at += 1000
  await server.call('GET', '/api/v1/auth/me', { token: ada.accessToken, ip: '198.51.100.2' })
  await server.sessionUses.flush()
  expect((await list(ada.accessToken)).body.data).toMatchObject([
    { lastUsedAt: '2026-03-01T12:01:00.000Z', ip: '198.51.100.2', expiresAt: '2026-03-08T12:01:00.000Z' },
  ])
})

test('the clock of a use never goes back', async () => {
  server.clock.at += 120_000
  await server.call('GET', '/api/v1/auth/me', { token: ada.accessToken, ip: '198.51.100.2' })
  server.clock.at += 120_000
  await server.call('POST', '/api/v1/auth/refresh', { body: { refreshToken: ada.refreshToken } })
  await server.sessionUses.flush()
  expect((await list(ada.accessToken)).body.data).toMatchObject([{ lastUsedAt: '2026-03-01T12:04:00.000Z', ip: '192.0.2.1' }])
})

test('a change of role applies to the next request', async () => {
  const scopesOf = async () => (await server.call('GET', '/api/v1/auth/me', { token: ada.accessToken })).body.scopes
  expect(await scopesOf()).toContain('workflows:write')
  await sql`update users set role = 'viewer' where email = 'ada@example.com'`.execute(server.db)
  expect(await scopesOf()).not.toContain('workflows:write')
})

test('sessions that ended long ago are deleted, the others stay', async () => {
  server.clock.at += sessionLimitsDefault.absoluteMs + 1
  const fresh = await login()
  expect(await deleteExpiredSessions(server.db, server.now(), 100)).toBe(1)
  expect(await deleteExpiredSessions(server.db, server.now(), 100)).toBe(0)
  expect(await meStatus(fresh.accessToken)).toBe(200)
})
