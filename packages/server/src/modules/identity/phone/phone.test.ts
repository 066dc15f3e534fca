import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { messageTo, readOutbox } from '#testing/outbox.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ MILLRACE_SMS_COUNTRIES: 'DE,SA', MILLRACE_SMS_DAILY_MAX: '60' })
})
afterAll(() => server.close())
beforeEach(async () => {
  await sql`delete from text_message_counts`.execute(server.database.system)
})

async function call(path: string, body: unknown = {}, token = '', method = 'POST') {
  const response = await fetch(`${server.url}/api/v1/auth/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

let numbers = 0
const newNumber = () => `+4915112${String(345_000 + ++numbers)}`

/** The code of the newest text message to a number, after that number has got so many. */
async function codeTo(number: string, messages = 1): Promise<string> {
  return await vi.waitFor(
    async () => {
      const texts = (await readOutbox(server.url)).filter(({ recipient }) => recipient === number)
      if (texts.length < messages) throw new Error(`${texts.length} messages to ${number} yet`)
      return /^\d{6}/.exec(texts[0]?.text ?? '')?.[0] ?? ''
    },
    { interval: 100 },
  )
}

async function withPhone(secondFactor: boolean, number = newNumber()) {
  const account = await server.registerAccount()
  const { request } = (await call('phone/enroll', { number, secondFactor }, account.token)).body
  const enrolled = await call('phone/enroll-verify', { request, code: await codeTo(number) }, account.token)
  return { account, number, enrolled }
}

const login = async ({ email, password }: TestAccount) => (await call('login', { email, password })).body
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('a number as second factor is asked for at the next sign-in, and a code to it finishes the sign-in', async () => {
  const { account, number, enrolled } = await withPhone(true)
  expect(enrolled).toMatchObject({ status: 200, body: { phone: { hint: number.slice(-2), secondFactor: true }, sessionsEnded: 0 } })
  expect(enrolled.body.recoveryCodes).toHaveLength(10)
  await messageTo(server.url, account.email, 'phone number')
  const first = await login(account)
  expect(first).toMatchObject({ status: 'mfa_required', factors: ['phone', 'recovery_code'], phoneHint: number.slice(-2) })
  const { request } = (await call('phone/send', { challenge: first.challenge })).body
  const code = await codeTo(number, 2)
  expect((await call('mfa/verify', { request, code: wrong(code) }, first.challenge)).body.code).toBe('code_invalid')
  expect((await call('mfa/verify', { request, code }, first.challenge)).body.status).toBe('signed_in')
  const second = await login(account)
  const again = (await call('phone/send', { challenge: second.challenge })).body
  const verified = await call('phone/verify', { request: again.request, code: await codeTo(number, 3), challenge: second.challenge })
  expect(verified.body).toMatchObject({ status: 'signed_in', user: { email: account.email } })
})

test('a code of a second step is of use neither to another user nor as a sign-in of its own', async () => {
  const [one, two] = [await withPhone(true), await withPhone(true)]
  const [first, second] = [await login(one.account), await login(two.account)]
  const { request } = (await call('phone/send', { challenge: first.challenge })).body
  const code = await codeTo(one.number, 2)
  expect((await call('mfa/verify', { request, code }, second.challenge)).body.code).toBe('code_invalid')
  expect((await call('phone/verify', { request, code })).body.code).toBe('code_invalid')
})

test('a code signs in once, with the request that asked for it', async () => {
  const { account, number } = await withPhone(false)
  const { request } = (await call('phone/send', { number: number.replace('+49', '0049 ') })).body
  const code = await codeTo(number, 2)
  const other = (await call('phone/send', { number })).body
  expect((await call('phone/verify', { request: other.request, code })).body.code).toBe('code_invalid')
  const answers = await Promise.all([1, 2, 3, 4].map(() => call('phone/verify', { request, code: `${code.slice(0, 3)} ${code.slice(3)}` })))
  expect(answers.filter(({ status }) => status === 200)).toMatchObject([{ body: { user: { email: account.email } } }])
})

test('a number that is a second factor does not sign in alone, and gets the reply of an unknown one', async () => {
  const { number } = await withPhone(true)
  const unknown = await call('phone/send', { number: newNumber() })
  const known = await call('phone/send', { number })
  expect([known.status, Object.keys(known.body)]).toEqual([unknown.status, Object.keys(unknown.body)])
  const { rows } = await sql<{ user_id: string | null }>`
    select user_id from phone_codes where purpose = 'sign-in' and number = ${number}`.execute(server.database.system)
  expect(rows).toEqual([{ user_id: null }])
})

test('five wrong codes end a request, also when they are sent at once', async () => {
  const { number } = await withPhone(false)
  const { request } = (await call('phone/send', { number })).body
  const code = await codeTo(number, 2)
  await Promise.all([1, 2, 3, 4, 5].map(() => call('phone/verify', { request, code: wrong(code) })))
  expect((await call('phone/verify', { request, code })).body.code).toBe('code_invalid')
})

test('a code ends after ten minutes', async () => {
  const { number } = await withPhone(false)
  const { request, expiresAt } = (await call('phone/send', { number })).body
  expect(new Date(expiresAt).getTime() - Date.now()).toBeGreaterThan(9 * 60_000)
  const code = await codeTo(number, 2)
  await sql`update phone_codes set expires_at = now() - interval '1 second' where number = ${number}`.execute(server.database.system)
  expect((await call('phone/verify', { request, code })).body.code).toBe('code_invalid')
})

test('others who ask for codes of a number are stopped, and do not keep its owner from the second step', async () => {
  const { account, number } = await withPhone(true)
  const answers = []
  for (let i = 0; i < 6; i++) answers.push(await call('phone/send', { number }))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
  const { challenge } = await login(account)
  expect((await call('phone/send', { challenge })).status).toBe(200)
})

test('one address gets thirty codes in an hour', async () => {
  await Promise.all(Array.from({ length: 30 }, () => call('phone/send', { number: newNumber() })))
  expect(await call('phone/send', { number: newNumber() })).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
})

test('beyond the messages of a day no number gets one, known or not, and the log names the setting', async () => {
  const { number } = await withPhone(false)
  await sql`insert into text_message_counts values ('installation', 60, now() + interval '1 hour')
    on conflict (subject) do update set hits = 60`.execute(server.database.system)
  for (const asked of [number, newNumber()])
    expect(await call('phone/send', { number: asked })).toMatchObject({ status: 503, body: { code: 'sms_unavailable' } })
  expect(server.log.join('\n')).toContain('MILLRACE_SMS_DAILY_MAX')
})

test('a number belongs to one user, which only its possessor learns', async () => {
  const { number } = await withPhone(false)
  const account = await server.registerAccount()
  const sent = await call('phone/enroll', { number, secondFactor: true }, account.token)
  expect(sent.status).toBe(200)
  const taken = await call('phone/enroll-verify', { request: sent.body.request, code: await codeTo(number, 2) }, account.token)
  expect(taken).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect((await call('mfa/status', {}, account.token, 'GET')).body.phone).toBe(null)
})

test.each([
  ['015112345678', 'country'],
  ['+49 151', 'valid'],
  ['+49 30 901820', 'mobile'],
  ['+49 900 1234567', 'mobile'],
  ['+12015550123', 'country'],
  ['+881612345678', ''],
])('%s gets no code', async (number, word) => {
  const account = await server.registerAccount()
  const { status, body } = await call('phone/enroll', { number }, account.token)
  expect([status, body.errors?.[0]?.pointer]).toEqual([400, '/number'])
  expect(body.errors[0].detail).toContain(word)
})

test('a number is removed, except where the account demands it as the second factor', async () => {
  const { account } = await withPhone(true)
  await sql`update accounts set requires_mfa = true where id = ${account.accountId}`.execute(server.database.system)
  expect((await call('phone', {}, account.token, 'DELETE')).body.code).toBe('conflict')
  await sql`update accounts set requires_mfa = false where id = ${account.accountId}`.execute(server.database.system)
  expect((await call('phone', {}, account.token, 'DELETE')).body.removed).toBe(true)
  expect((await call('mfa/status', {}, account.token, 'GET')).body).toMatchObject({ enabled: false, recoveryCodes: 0, phone: null })
  expect((await login(account)).status).toBe('signed_in')
})

test('the database reveals neither codes nor who asked', async () => {
  const { number } = await withPhone(false)
  await call('phone/send', { number })
  const code = await codeTo(number, 2)
  const { rows } = await sql<{ text: string }>`
    select (select string_agg(c::text, ' ') from phone_codes c) || (select string_agg(t::text, ' ') from text_message_counts t) as text`.execute(
    server.database.system,
  )
  expect(rows[0]?.text).not.toContain(`,${code}`)
  const { rows: counts } = await sql<{ text: string }>`select string_agg(subject, ' ') as text from text_message_counts`.execute(
    server.database.system,
  )
  expect(counts[0]?.text).not.toContain(number.slice(4))
})
