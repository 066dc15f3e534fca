import { get } from 'node:http'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { createDevOutbox } from './outbox-store.ts'

const mail = {
  id: 'mail-1',
  channel: 'mail',
  recipient: 'ada@example.com',
  subject: 'Hello <b>',
  text: 'Open\nhttp://localhost/mail/verify#token=x\n<script>alert(1)</script>',
  html: undefined,
} as const

const keepsMails = async ({ url }: TestServer) => JSON.parse(await (await fetch(`${url}/api/v1/auth/methods`)).text()).keepsMails

const read = (server: TestServer, headers: Record<string, string> = {}) => fetch(`${server.url}/dev/outbox`, { headers })

test('the outbox shows the messages of a day to this machine, as JSON and as a page without markup of a message, and pages know of it', async () => {
  await using server = await createTestServer()
  const outbox = createDevOutbox(server.database.system, Date.now)
  await outbox.add(mail)
  await outbox.add({ ...mail, subject: 'a second attempt' })
  await outbox.add({ ...mail, id: 'mail-2', subject: 'old' })
  await sql`update dev_outbox set created_at = now() - interval '25 hours' where id = 'mail-2'`.execute(server.database.system)
  const { data } = JSON.parse(await (await read(server)).text())
  expect(await keepsMails(server)).toBe(true)
  expect(data).toMatchObject([{ subject: 'Hello <b>', links: ['http://localhost/mail/verify#token=x'] }])
  const page = await read(server, { accept: 'text/html' })
  const text = await page.text()
  expect(text).toContain('<a href="http://localhost/mail/verify#token=x">')
  expect(text).not.toContain('<script>')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  await outbox.deleteExpired()
  const { rows } = await sql`select id from dev_outbox`.execute(server.database.system)
  expect(rows).toEqual([{ id: 'mail-1' }])
})

test('the outbox does not exist for a proxy, another host name or another site', async () => {
  await using server = await createTestServer()
  for (const headers of [{ 'x-forwarded-for': '203.0.113.9' }, { 'sec-fetch-site': 'cross-site' }, { via: '1.1 proxy' }]) {
    expect((await read(server, headers)).status, JSON.stringify(headers)).toBe(404)
  }
  const { port } = new URL(server.url)
  const rebound = await new Promise<number | undefined>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/dev/outbox', headers: { host: 'attacker.example' } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })
  expect(rebound).toBe(404)
})

test('the outbox does not exist with a mail server or a public address, and no page names it', async () => {
  for (const environment of [
    { MILLRACE_SMTP_URL: 'smtp://127.0.0.1:9', MILLRACE_MAIL_FROM: 'a@example.com' },
    { MILLRACE_PUBLIC_URL: 'https://millrace.example.com' },
  ]) {
    await using server = await createTestServer(environment)
    const response = await read(server)
    expect([response.status, JSON.parse(await response.text()).code]).toEqual([404, 'route_not_found'])
    expect(await keepsMails(server)).toBe(false)
  }
})
