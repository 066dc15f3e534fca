import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { messageTo } from '#testing/outbox.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const path = '/api/v1/auth/me'
const newPassword = 'a wholly different phrase 4713'

test('a user changes name, locale and zone, in their standard spelling, and null removes them', async () => {
  const { send } = await server.registerAccount()
  const changed = await send('PATCH', path, { name: ' Ada ', locale: 'AR-sa', zone: 'asia/riyadh' })
  expect(changed).toMatchObject({ status: 200, body: { name: 'Ada', locale: 'ar-SA', zone: 'Asia/Riyadh' } })
  expect((await send('PATCH', path, {})).body).toEqual(changed.body)
  expect((await send('PATCH', path, { name: null, locale: null, zone: null })).body).toMatchObject({ name: null, locale: null, zone: null })
})

test.each([
  [{ locale: 'not a tag' }, '/locale'],
  [{ zone: 'Mars/Olympus' }, '/zone'],
  [{ zone: '+02:00' }, '/zone'],
  [{ name: '' }, '/name'],
  [{ preferences: [] }, '/preferences'],
  [{ email: 'b@example.com' }, '/email'],
])('%j is refused by its name', async (body, pointer) => {
  const { send } = await server.registerAccount()
  const reply = await send('PATCH', path, body)
  expect([reply.status, reply.body.errors?.[0]?.pointer]).toEqual([400, pointer])
})

test('concurrent changes of different preferences keep each other', async () => {
  const { send } = await server.registerAccount()
  await Promise.all(Array.from({ length: 8 }, (_, i) => send('PATCH', path, { preferences: { [`p${i}`]: { i } } })))
  const { preferences } = (await send('PATCH', path, { preferences: { p0: null, ['__proto__']: 1 } })).body
  expect(Object.keys(preferences).toSorted()).toEqual(['__proto__', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7'])
  expect((await send('GET', path)).body.preferences).toEqual(preferences)
})

test('preferences have at most 16 KiB together', async () => {
  const { send } = await server.registerAccount()
  expect((await send('PATCH', path, { preferences: { a: 'x'.repeat(10_000) } })).status).toBe(200)
  const refused = await send('PATCH', path, { preferences: { b: 'x'.repeat(10_000) } })
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/preferences'])
  expect(Object.keys((await send('GET', path)).body.preferences)).toEqual(['a'])
})

test('a new password needs the current one, ends the other sessions, and is announced by mail', async () => {
  const { send, email, password, client } = await server.registerAccount()
  const other = await client.auth.login({ body: { email, password } })
  const change = (currentPassword: string, next: string) =>
    send('POST', '/api/v1/auth/password/change', { currentPassword, password: next })
  expect(await change('a wrong guess', newPassword)).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
  expect(await change(password, 'password1')).toMatchObject({ status: 422, body: { code: 'password_unacceptable' } })
  expect(await change(password, password)).toMatchObject({ status: 422, body: { code: 'password_unacceptable' } })
  await send('PATCH', path, { zone: 'Asia/Kathmandu' })
  expect(await change(password, newPassword)).toMatchObject({ status: 200, body: { changed: true, sessionsEnded: 1 } })
  const { text } = await messageTo(server.url, email, 'Your password was changed')
  // By the clock of the reader.
  expect(text).toMatch(/Time: .*day,? \d+ \w+ 20\d\d at \d\d:\d\d GMT\+5:45/)
  expect((await send('GET', path)).status).toBe(200)
  const token = 'accessToken' in other ? other.accessToken : ''
  expect((await send('GET', path, undefined, { authorization: `Bearer ${token}` })).status).toBe(401)
  const again = await send('POST', '/api/v1/auth/login', { email, password: newPassword })
  expect(again.body.status).toBe('signed_in')
})

test('guesses of the current password are slowed down like sign-ins', async () => {
  const { send } = await server.registerAccount()
  const statuses = []
  for (let i = 0; i < 8; i++) {
    const body = { currentPassword: `guess ${i}`, password: newPassword }
    statuses.push((await send('POST', '/api/v1/auth/password/change', body)).status)
  }
  expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
  expect(statuses).toContain(429)
})
