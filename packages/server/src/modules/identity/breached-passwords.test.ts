import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkTo } from '#testing/outbox.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'

/** Long and rare enough for every other rule. */
const breached = 'a phrase that someone lost in 2019'

let folder: string
let server: TestServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-breached-'))
  const path = join(folder, 'hashes.txt')
  await writeFile(path, `${createHash('sha1').update(breached).digest('hex').toUpperCase()}:3\r\n`)
  server = await createTestServer({ MILLRACE_BREACHED_PASSWORDS: path })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

async function post(path: string, body: unknown) {
  const response = await fetch(`${server.url}/api/v1/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

test('a breached password is refused by every operation that sets one (ASVS 6.2.12), and others are accepted', async () => {
  const account = await server.registerAccount()
  const { email } = account
  await post('password/forgot', { email })
  const reset = await linkTo(server.url, email, 'Set a new password')
  const invited = await account.send('POST', '/api/v1/account/invitations', { email: 'grace@example.com', role: 'member' })
  const invitation = invited.body.token ?? (await linkTo(server.url, 'grace@example.com', 'invit'))
  const change = { currentPassword: account.password, password: breached }
  const refused = [
    await post('register', { email: 'new@example.com', password: breached }),
    await post('password/reset', { token: reset, password: breached }),
    await post('invitations/accept', { token: invitation, password: breached }),
    await account.send('POST', '/api/v1/auth/password/change', change),
  ]
  for (const { status, body } of refused)
    expect({ status, ...body }).toMatchObject({ status: 422, code: 'password_unacceptable', errors: [{ pointer: '/password' }] })
  expect((await post('invitations/accept', { token: invitation, password: `${breached}!` })).status).toBe(200)
  expect((await post('login', { email, password: account.password })).status).toBe(200)
})
