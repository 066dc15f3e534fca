import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Called, goodPassword, type IdentityServer, startIdentityServer } from '#testing/identity-server.ts'

let server: IdentityServer
beforeAll(async () => {
  server = await startIdentityServer()
  await server.register('ada@example.com')
})
afterAll(() => server[Symbol.asyncDispose]())

const body = { email: 'ada@example.com', password: goodPassword, session: 'cookie' }
const cookieIn = ({ headers: { 'set-cookie': cookie } }: Called) => (typeof cookie === 'string' ? cookie : '')
const pairIn = (called: Called) => cookieIn(called).split(';')[0] ?? ''
const signIn = () => server.call('POST', '/api/v1/auth/login', { body })
const refresh = (cookie: string, headers: Record<string, string> = {}) =>
  server.call('POST', '/api/v1/auth/refresh', { body: {}, headers: { cookie, ...headers } })

test('a sign-in with a cookie puts the refresh token where no script can read it, and not into the response', async () => {
  const signedIn = await signIn()
  expect(signedIn).toMatchObject({ status: 200, body: { status: 'signed_in', refreshToken: null } })
  expect(cookieIn(signedIn)).toMatch(/^millrace_refresh=mrt_[^;]+; Max-Age=604800; Path=\/api\/v1\/auth; HttpOnly; SameSite=Strict$/)
  const registered = await server.call('POST', '/api/v1/auth/register', { body: { ...body, email: 'bob@example.com' } })
  expect([registered.body.refreshToken, cookieIn(registered).startsWith('millrace_refresh=mrt_')]).toEqual([null, true])
})

test('a refresh by cookie renews the cookie, and the old one is refused after the time of a race', async () => {
  const first = pairIn(await signIn())
  const refreshed = await refresh(`theme=dark; ${first}`, { 'sec-fetch-site': 'same-origin' })
  expect(refreshed).toMatchObject({ status: 200, body: { refreshToken: null, accessToken: expect.any(String) } })
  expect(pairIn(refreshed)).not.toBe(first)
  server.clock.at += 11_000
  expect((await refresh(first)).status).toBe(401)
  expect((await refresh(pairIn(refreshed))).status).toBe(401)
})

test.each([
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://attacker.example' },
  { origin: 'null' },
])('a cookie that a page of another origin sends (%j) refreshes nothing', async (headers) => {
  const cookie = pairIn(await signIn())
  expect(await refresh(cookie, headers)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect((await refresh(cookie)).status).toBe(200)
})

test('a session whose cookie an attacker planted in the browser is not continued by a sign-in or a registration', async () => {
  const subjectIn = (called: Called) => decodeJwt(called.body.accessToken).sub
  const attacker = await server.call('POST', '/api/v1/auth/register', { body: { ...body, email: 'mallory@example.com' } })
  const headers = { cookie: pairIn(attacker) }
  const signedIn = await server.call('POST', '/api/v1/auth/login', { body, headers })
  const registered = await server.call('POST', '/api/v1/auth/register', { body: { ...body, email: 'carol@example.com' }, headers })
  for (const called of [signedIn, registered]) {
    expect(subjectIn(called)).not.toBe(subjectIn(attacker))
    expect(subjectIn(await refresh(pairIn(called)))).toBe(subjectIn(called))
  }
  expect(subjectIn(await refresh(pairIn(attacker)))).toBe(subjectIn(attacker))
})

test('a refresh without token and cookie is refused', async () => {
  expect(await refresh('other=1')).toMatchObject({ status: 401, body: { code: 'refresh_token_invalid' } })
})

test('signing out deletes the cookie and ends its session', async () => {
  const signedIn = await signIn()
  const out = await server.call('POST', '/api/v1/auth/logout', { token: signedIn.body.accessToken })
  expect(cookieIn(out)).toMatch(/^millrace_refresh=; Max-Age=0; /)
  expect((await refresh(pairIn(signedIn))).status).toBe(401)
})

test('a refresh that 50 tabs send at once gives all of them the same successor and keeps the session', async () => {
  const cookie = pairIn(await signIn())
  const refreshed = await Promise.all(Array.from({ length: 50 }, () => refresh(cookie)))
  const [successor = ''] = refreshed.map(pairIn)
  expect(new Set(refreshed.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(refreshed.map(pairIn))).toEqual(new Set([successor]))
  expect((await refresh(successor)).status).toBe(200)
})
