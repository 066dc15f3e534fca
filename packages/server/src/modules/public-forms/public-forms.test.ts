import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Answer, createTestServer, type TestServer } from '#testing/server.ts'
import { sweepLeads } from './lead-store.ts'
import { zeroBits } from './proof-of-work.ts'

let server: TestServer
let operatorToken: string
beforeAll(async () => {
  server = await createTestServer({ MILLRACE_SALES_MAIL: 'sales@example.org' })
  const body = { email: 'operator@example.com', password: 'a rather unusual phrase 4711', operatorCode: server.operatorCode }
  const registered = await post('/api/v1/auth/register', body)
  operatorToken = registered.body.accessToken
})
afterAll(() => server.close())

type Reply = Pick<Answer, 'status' | 'body'>
type Body = Answer['body']

async function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

async function list(query = ''): Promise<Body[]> {
  const response = await fetch(`${server.url}/api/v1/leads${query}`, { headers: { authorization: `Bearer ${operatorToken}` } })
  const body: Body = await response.json()
  return body.data
}

/** Counts from 0, as a browser would. */
function solve({ challenge, bits }: { readonly challenge: string; readonly bits: number }) {
  for (let nonce = 0; ; nonce++) {
    const digest = createHash('sha256').update(`${challenge}:${nonce}`).digest()
    if (zeroBits(digest) >= bits) return { challenge, nonce: String(nonce) }
  }
}

async function proof() {
  const body: Body = await (await fetch(`${server.url}/api/v1/leads/challenge`)).json()
  return solve(body)
}

async function mailsTo(recipient: string): Promise<readonly { readonly subject: string; readonly text: string }[]> {
  const { rows } = await sql<{ subject: string; text: string }>`
    select subject, text from dev_outbox where recipient = ${recipient} order by created_at`.execute(server.database.system)
  return rows
}

const person = { name: 'Sara Haddad', consent: true }

describe('the proof of work', () => {
  test('a caller without a credential gets a challenge with the refusal, and passes with its solution, once', async () => {
    const body = { ...person, email: 'proof@example.com', message: 'Hello' }
    const refused = await post('/api/v1/contact', body)
    expect(refused).toMatchObject({ status: 403, body: { code: 'proof_required', algorithm: 'SHA-256', bits: 14 } })
    const solved = solve(refused.body)
    expect(await post('/api/v1/contact', { ...body, proof: solved })).toMatchObject({ status: 200, body: { received: true } })
    expect(await post('/api/v1/contact', { ...body, proof: solved })).toMatchObject({ status: 403, body: { code: 'proof_required' } })
    expect(await list('?kind=contact')).toMatchObject([{ email: 'proof@example.com', submissions: 1 }])
  })

  test('a proof that is wrong, or for an altered challenge, is refused', async () => {
    const { challenge, nonce } = await proof()
    const easier = { challenge: challenge.replace('.14.', '.1.'), nonce }
    for (const wrong of [{ challenge, nonce: `${nonce}0` }, easier, { challenge: 'x', nonce: '1' }]) {
      const body = { ...person, email: 'wrong@example.com', message: 'Hello', proof: wrong }
      expect(await post('/api/v1/leads/contact', body)).toMatchObject({ status: 403, body: { code: 'proof_required' } })
    }
  })

  test('a caller who is signed in needs no proof, and one with a wrong credential is refused', async () => {
    const account = await server.registerAccount()
    const body = { ...person, email: 'signed-in@example.com', message: 'Hello' }
    expect((await account.send('POST', '/api/v1/leads/contact', body)).status).toBe(200)
    expect((await post('/api/v1/leads/contact', body, { authorization: 'Bearer wrong' })).status).toBe(401)
  })
})

describe('a form', () => {
  test('folds repetitions of one sender into one lead, keeps different messages, and mails each to sales once', async () => {
    const account = await server.registerAccount()
    const send = (message: string) =>
      account.send('POST', '/api/v1/leads/contact', { ...person, email: 'Fold@Example.com', company: 'Haddad & Co', message })
    await Promise.all([send('First'), send('First'), send('First')])
    await send('Second')
    const found = (await list('?kind=sales')).filter(({ email }) => email === 'fold@example.com')
    expect(found).toMatchObject([{ submissions: 4, company: 'Haddad & Co', messages: [{ text: 'First' }, { text: 'Second' }] }])
    await vi.waitFor(async () => {
      const texts = (await mailsTo('sales@example.org')).filter(({ text }) => text.includes('fold@example.com')).map(({ text }) => text)
      expect(texts.map((text) => (text.includes('Second') ? 2 : 1)).toSorted((one, other) => one - other)).toEqual([1, 2])
    })
  })

  test('whose trap is filled in gets the usual response and stores nothing', async () => {
    const body = { ...person, email: 'bot@example.com', website: 'https://spam.example', proof: await proof() }
    expect(await post('/api/v1/leads/demo', body)).toMatchObject({ status: 200, body: { received: true } })
    expect((await list()).filter(({ email }) => email === 'bot@example.com')).toEqual([])
  })

  test.each([
    ['a name of two lines', { name: 'Sara\nBcc: all@example.com' }, '/name'],
    ['an address without a domain', { email: 'sara' }, '/email'],
    ['no consent', { consent: false }, '/consent'],
    ['a telephone number of letters', { phone: 'call me' }, '/phone'],
  ])('with %s is refused with a pointer', async (_, wrong, pointer) => {
    const body = { ...person, email: 'a@example.com', message: 'x', proof: await proof(), ...wrong }
    expect(await post('/api/v1/leads/contact', body)).toMatchObject({
      status: 400,
      body: { code: 'request_invalid', errors: [{ pointer }] },
    })
  })

  test('responds in Arabic when the browser asks for it, and records consent with time and address', async () => {
    const body = { ...person, email: 'arabic@example.com', message: 'مرحبا', proof: await proof() }
    const { body: reply } = await post('/api/v1/contact', body, { 'accept-language': 'ar-SA,ar;q=0.9' })
    expect(reply.detail).toContain('شكرًا')
    expect((await list()).find(({ email }) => email === 'arabic@example.com')).toMatchObject({
      locale: 'ar',
      consent: { text: expect.stringContaining('أوافق'), ip: '127.0.0.1', at: expect.any(String) },
    })
  })
})

describe('the newsletter', () => {
  const subscribe = async (email: string) => post('/api/v1/leads/newsletter', { email, consent: true, proof: await proof() })
  const stateOf = async (email: string) => (await list('?kind=newsletter')).find((lead) => lead.email === email)?.state

  async function linksOf(email: string): Promise<readonly string[]> {
    const [mail] = await vi.waitFor(async () => {
      const mails = await mailsTo(email)
      expect(mails).toHaveLength(1)
      return mails
    })
    return (mail?.text.match(/\/newsletter\/\S+/g) ?? []).map((path) => `${server.url}${path}`)
  }

  test('is sent only to those who press the button behind the link, and one click ends it', async () => {
    expect((await subscribe('News@Example.com')).status).toBe(200)
    expect(await stateOf('news@example.com')).toBe('pending')
    const [confirm = '', unsubscribe = ''] = await linksOf('news@example.com')
    const shown = await fetch(confirm)
    expect(await shown.text()).toContain('Yes, subscribe')
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await stateOf('news@example.com')).toBe('pending')
    expect(await (await fetch(confirm, { method: 'POST' })).text()).toContain('You are subscribed')
    expect(await stateOf('news@example.com')).toBe('confirmed')
    const oneClick = {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
    expect((await fetch(unsubscribe, oneClick)).status).toBe(200)
    expect(await stateOf('news@example.com')).toBe('unsubscribed')
    expect((await fetch(confirm, { method: 'POST' })).status).toBe(404)
  })

  test('gives the same response for a new and a known address, and mails it once in ten minutes', async () => {
    const first = await subscribe('twice@example.com')
    const second = await subscribe('twice@example.com')
    expect(second).toEqual(first)
    await linksOf('twice@example.com')
    expect((await list('?kind=newsletter')).filter(({ email }) => email === 'twice@example.com')).toMatchObject([{ submissions: 2 }])
  })

  test('refuses a link that was altered', async () => {
    await subscribe('altered@example.com')
    const [confirm = ''] = await linksOf('altered@example.com')
    const altered = confirm.replace('confirm-', 'unsubscribe-')
    expect((await fetch(altered, { method: 'POST' })).status).toBe(404)
    expect(await stateOf('altered@example.com')).toBe('pending')
  })
})

test('leads are deleted two years after they were sent, and subscriptions two years after their end', async () => {
  const db = server.database.system
  const states = { confirmed: null, 'ended lately': '1 year', 'ended long ago': '3 years' }
  for (const [name, ended] of Object.entries(states))
    await sql`insert into leads (id, kind, state, email, locale, details, messages, consent_at, consent_text, consent_ip, mailed_at,
        unsubscribed_at, created_at, updated_at)
      values (millrace_uuid_v7(), 'newsletter', ${ended === null ? 'confirmed' : 'unsubscribed'}, ${`${name}@example.com`}, 'en', '{}', '[]', now(), 'Yes',
        '192.0.2.1', now(), now() - ${ended}::interval, now() - interval '4 years', now())`.execute(db)
  await sql`insert into leads (id, kind, state, email, locale, details, messages, consent_at, consent_text, consent_ip, created_at, updated_at)
    values (millrace_uuid_v7(), 'sales', 'received', 'old@example.com', 'en', '{}', '[]', now(), 'Yes', '192.0.2.1', now() - interval '3 years', now())`.execute(
    db,
  )
  const [now, before] = [new Date(), new Date(Date.now() - 730 * 24 * 60 * 60 * 1000)]
  await sweepLeads(db, { now, unconfirmedBefore: before, before, limit: 100 })
  const { rows } = await sql<{ email: string }>`select email from leads where consent_text = 'Yes' order by email`.execute(db)
  expect(rows.map(({ email }) => email)).toEqual(['confirmed@example.com', 'ended lately@example.com'])
})

describe('the list of leads', () => {
  test('is for operators only', async () => {
    const account = await server.registerAccount()
    expect(await account.send('GET', '/api/v1/leads')).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
  })

  test('is exported as CSV without formulas', async () => {
    const account = await server.registerAccount()
    await account.send('POST', '/api/v1/leads/demo', {
      name: '=HYPERLINK("x")',
      email: 'csv@example.com',
      consent: true,
      useCase: 'a, "b"',
    })
    const response = await fetch(`${server.url}/api/v1/leads/export?kind=demo`, { headers: { authorization: `Bearer ${operatorToken}` } })
    const { content, rows }: Body = await response.json()
    expect(rows).toBeGreaterThan(0)
    expect(content).toContain(`"'=HYPERLINK(""x"")"`)
    expect(content).toContain('"a, ""b"""')
  })
})
