import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createRefreshTokens } from '#platform/auth/refresh-token.ts'
import { type Called, type IdentityServer, startIdentityServer } from '#testing/identity-server.ts'
import { sessionLimitsDefault } from './model.ts'

const { idleMs, absoluteMs, graceMs } = sessionLimitsDefault

let server: IdentityServer
let first: string
beforeAll(async () => {
  server = await startIdentityServer({ connectionsMax: 20 })
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  await server.reset()
  first = (await server.register('ada@example.com')).refreshToken
})

const refresh = (refreshToken: string, path = '/api/v1/auth/refresh'): Promise<Called> =>
  server.call('POST', path, { body: { refreshToken } })

/** Refreshes once, past the grace of the token before. */
async function rotate(refreshToken: string): Promise<string> {
  const { status, body } = await refresh(refreshToken)
  if (status !== 200) throw new Error(`refresh answered ${status}`)
  server.clock.at += graceMs + 1
  return body.refreshToken
}

const invalid = { status: 401, body: { code: 'refresh_token_invalid' } }
const isSignedIn = async (token: string) => (await server.call('GET', '/api/v1/auth/me', { token })).status === 200

test('refreshing gives a new pair of the same session', async () => {
  const { status, body } = await refresh(first)
  expect(status).toBe(200)
  expect(body.refreshToken).not.toBe(first)
  expect(body).toMatchObject({ tokenType: 'Bearer', expiresIn: 900 })
  expect(await isSignedIn(body.accessToken)).toBe(true)
  const listed = await server.call('GET', '/api/v1/auth/sessions', { token: body.accessToken })
  expect(listed.body.data).toMatchObject([{ jti: body.jti, current: true }])
})

test('the unprefixed alias refreshes alike', async () => {
  expect((await refresh(first, '/auth/refresh')).status).toBe(200)
})

test('fifty concurrent requests with one refresh token yield one successor, and the session stays active', async () => {
  const replies = await Promise.all(Array.from({ length: 50 }, () => refresh(first)))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  const successors = new Set(replies.map(({ body }) => body.refreshToken))
  expect(successors.size).toBe(1)
  for (const { body } of replies) expect(await isSignedIn(body.accessToken)).toBe(true)
  const [successor = ''] = successors
  server.clock.at += graceMs + 1
  expect((await refresh(successor)).status).toBe(200)
  expect(server.events).toEqual([])
})

test('fifty requests racing one refresh token rotate it once', async () => {
  await Promise.all(Array.from({ length: 50 }, () => refresh(first)))
  const { rows } = await sql<{ readonly generation: number }>`select generation from sessions`.execute(server.db)
  expect(rows).toEqual([{ generation: 1 }])
})

test('a refresh whose answer was lost can be repeated within the grace', async () => {
  const lost = await refresh(first)
  server.clock.at += graceMs
  const again = await refresh(first)
  expect(again.status).toBe(200)
  expect(again.body.refreshToken).toBe(lost.body.refreshToken)
})

test('a stolen token used after rotation ends the family', async () => {
  const current = await rotate(first)
  const { accessToken } = (await refresh(current)).body
  expect(await isSignedIn(accessToken)).toBe(true)
  expect(await refresh(first)).toMatchObject(invalid)
  expect(await isSignedIn(accessToken)).toBe(false)
  expect(await refresh(current)).toMatchObject(invalid)
  expect(server.events).toMatchObject([{ type: 'refresh_token_reused', sessionId: expect.any(String), ip: '192.0.2.1' }])
})

test('the last token before the current one ends the family too, once the grace is over', async () => {
  const current = await rotate(first)
  expect(await refresh(first)).toMatchObject(invalid)
  expect(await refresh(current)).toMatchObject(invalid)
})

test('a token two rotations old ends the family even within the grace', async () => {
  const second = (await refresh(first)).body.refreshToken
  const third = (await refresh(second)).body.refreshToken
  expect(await refresh(first)).toMatchObject(invalid)
  expect(await refresh(third)).toMatchObject(invalid)
})

test('reuse ends the one session alone', async () => {
  const other = (await server.login('ada@example.com')).body
  await rotate(first)
  await refresh(first)
  expect((await refresh(other.refreshToken)).status).toBe(200)
})

test('a forged refresh token is refused and ends no session', async () => {
  const { sessionId } = server.refreshTokens.read(first) ?? { sessionId: '' }
  const forged = createRefreshTokens(randomBytes(32), randomBytes).first(sessionId).text
  const unknown = server.refreshTokens.first(sessionId).text
  for (const token of ['x', forged, unknown, `${first}A`, first.slice(0, -1)]) expect(await refresh(token)).toMatchObject(invalid)
  expect((await refresh(first)).status).toBe(200)
})

test('an access token is no refresh token, and a refresh token no access token', async () => {
  const { body } = await refresh(first)
  expect(await refresh(body.accessToken)).toMatchObject(invalid)
  expect((await server.call('GET', '/api/v1/auth/me', { token: body.refreshToken })).status).toBe(401)
})

test('a session that was not used ends at its idle limit, and not before', async () => {
  server.clock.at += idleMs - 1
  const next = (await refresh(first)).body.refreshToken
  expect(next).toBeDefined()
  server.clock.at += idleMs
  expect(await refresh(next)).toMatchObject(invalid)
  expect(server.events).toEqual([])
})

test('a session that is used all the time ends at its absolute limit', async () => {
  let token = first
  const step = idleMs - 1
  for (let spent = 0; spent + step < absoluteMs; spent += step) {
    server.clock.at += step
    const { body } = await refresh(token)
    token = body.refreshToken
    expect(Date.parse(body.refreshExpiresAt)).toBeLessThanOrEqual(Date.UTC(2026, 2, 1, 12) + absoluteMs)
  }
  server.clock.at = Date.UTC(2026, 2, 1, 12) + absoluteMs
  expect(await refresh(token)).toMatchObject(invalid)
})

test('refreshing remembers when and from where the session was used', async () => {
  server.clock.at += 60_000
  const { body } = await server.call('POST', '/api/v1/auth/refresh', { body: { refreshToken: first }, ip: '198.51.100.7' })
  const listed = await server.call('GET', '/api/v1/auth/sessions', { token: body.accessToken })
  expect(listed.body.data).toMatchObject([
    { ip: '198.51.100.7', lastUsedAt: '2026-03-01T12:01:00.000Z', createdAt: '2026-03-01T12:00:00.000Z' },
  ])
})

test('refreshing and signing out at the same time leaves nothing that works', async () => {
  for (let round = 0; round < 10; round++) {
    const { accessToken, refreshToken } = (await server.login('ada@example.com')).body
    const [refreshed, signedOut] = await Promise.all([
      refresh(refreshToken),
      server.call('POST', '/api/v1/auth/logout', { token: accessToken }),
    ])
    expect(signedOut.body).toEqual({ revoked: 1 })
    if (refreshed.status !== 200) continue
    expect(await isSignedIn(refreshed.body.accessToken)).toBe(false)
    expect(await refresh(refreshed.body.refreshToken)).toMatchObject(invalid)
  }
})

test('every token pair names the end of the session, which never exceeds the absolute limit', async () => {
  const { body } = await refresh(first)
  expect(Date.parse(body.refreshExpiresAt)).toBe(server.clock.at + idleMs)
  server.clock.at += idleMs - 1000
  const later = await refresh(body.refreshToken)
  expect(Date.parse(later.body.refreshExpiresAt)).toBe(server.clock.at + idleMs)
})

test('the same Idempotency-Key gets the same pair, also when its token is long rotated', async () => {
  const once = () =>
    server.call('POST', '/api/v1/auth/refresh', { body: { refreshToken: first }, headers: { 'idempotency-key': 'refresh-once' } })
  const before = await once()
  server.clock.at += graceMs + 1
  const after = await once()
  expect(after).toMatchObject({ status: 200, body: before.body })
  expect(server.events).toEqual([])
})

test('a body with an empty, wrong or too long token is refused before anything is asked', async () => {
  for (const body of [{ refreshToken: '' }, { refreshToken: 1 }, { refreshToken: 'x'.repeat(513) }, { refreshToken: first, extra: 1 }])
    expect((await server.call('POST', '/api/v1/auth/refresh', { body })).status).toBe(400)
  expect((await refresh(first)).status).toBe(200)
})
