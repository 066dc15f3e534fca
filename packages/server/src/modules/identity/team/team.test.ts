import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { linkTo } from '#testing/outbox.ts'

let server: TestServer
let owner: TestAccount
let invited = 0
const password = 'four words make sense'
const invitations = '/api/v1/account/invitations'
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  owner = await server.registerAccount()
})

const accept = (token: string, more: object = {}) => owner.send('POST', '/api/v1/auth/invitations/accept', { token, password, ...more })

/** Invites a person and returns the token of the mail, as a mail server would deliver it. */
async function invite(email: string, role = 'member') {
  const { body } = await owner.send('POST', invitations, { email, role })
  expect(body).toMatchObject({ mailed: false, token: expect.stringMatching(/^mli_/) })
  await sql`update invitations set mailed = true where email = ${email.toLowerCase()}`.execute(server.database.system)
  return { id: String(body.id), token: await linkTo(server.url, email.toLowerCase(), 'Invitation') }
}

/** Invites a person, who joins and calls. */
async function join(role: string) {
  const { token } = await invite(`joined${++invited}@example.com`, role)
  const { user, accessToken } = (await accept(token)).body
  const headers = { authorization: `Bearer ${accessToken}` }
  return { id: String(user.id), send: (method: string, path: string, body?: unknown) => owner.send(method, path, body, headers) }
}

/** Gives the account a plan with so many users. */
async function limitUsers(hard: number): Promise<void> {
  const body = { email: 'operator@example.com', password, operatorCode: server.operatorCode ?? '' }
  const { accessToken } = (await owner.send('POST', '/api/v1/auth/register', body)).body
  const plan = { name: 'Small', rank: 1, limits: { users: { soft: hard, hard } }, prices: [], isPublic: true }
  await owner.send('PUT', '/api/v1/billing/plans/small', plan, { authorization: `Bearer ${accessToken}` })
  expect((await owner.send('POST', '/api/v1/billing/subscribe', { tier: 'small' })).body.effectiveTier).toBe('small')
}

const userPath = (id: string) => `/api/v1/account/users/${id}`
const ownId = async () => String((await owner.send('GET', '/api/v1/auth/me')).body.id)

test('an invited auditor reads the audit log of the account, and starts nothing', async () => {
  const auditor = await join('auditor')
  expect((await auditor.send('GET', '/api/v1/audit/query')).body.data).toContainEqual(
    expect.objectContaining({ event: 'invitation.accepted' }),
  )
  expect((await auditor.send('POST', '/api/v1/workflows', { definition: {} })).status).toBe(403)
  expect((await auditor.send('GET', '/api/v1/auth/me')).body.role).toBe('auditor')
})

test('an invited person joins the account with the role and a confirmed address, once', async () => {
  const email = `Grace${++invited}@Example.com`
  const { token } = await invite(email, 'viewer')
  const joined = await accept(token, { name: 'Grace' })
  expect(joined).toMatchObject({
    status: 200,
    body: { status: 'signed_in', user: { email: email.toLowerCase(), name: 'Grace', role: 'viewer' } },
  })
  const me = await owner.send('GET', '/api/v1/auth/me', undefined, { authorization: `Bearer ${joined.body.accessToken}` })
  expect(me.body).toMatchObject({ emailVerified: true, account: { id: (await owner.send('GET', '/api/v1/auth/me')).body.account.id } })
  expect((await owner.send('GET', '/api/v1/account/users')).body.data).toMatchObject([{ role: 'viewer' }, { role: 'owner' }])
  expect(await accept(token)).toMatchObject({ status: 401, body: { code: 'link_invalid' } })
})

test('who has the token of an invitation sees who invited, to what and as what, until it is used', async () => {
  const inspect = (token: string) => owner.send('POST', '/api/v1/auth/invitations/inspect', { token })
  const email = `seen${++invited}@example.com`
  const { token } = await invite(email, 'admin')
  const { account, name } = (await owner.send('GET', '/api/v1/auth/me')).body
  const seen = { account: account.name, email, role: 'admin', expiresAt: expect.any(String) }
  expect((await inspect(token)).body).toEqual({ ...seen, invitedBy: { name, email: owner.email } })
  await sql`update invitations set invited_by = ${crypto.randomUUID()} where email = ${email}`.execute(server.database.system)
  expect((await inspect(token)).body).toEqual({ ...seen, invitedBy: null })
  await accept(token)
  for (const invalid of [token, `${token}x`]) expect(await inspect(invalid)).toMatchObject({ status: 401, body: { code: 'link_invalid' } })
})

test('one invitation that is accepted by many requests at once makes one user', async () => {
  const { token } = await invite(`joined${++invited}@example.com`)
  const answers = await Promise.all([1, 2, 3, 4].map(() => accept(token)))
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401, 401, 401])
})

test('invitations that are accepted at once do not exceed the seats of the plan', async () => {
  const tokens = []
  for (let i = 0; i < 4; i++) tokens.push((await invite(`joined${++invited}@example.com`)).token)
  await limitUsers(3)
  const answers = await Promise.all(tokens.map((token) => accept(token)))
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 200, 429, 429])
  expect((await owner.send('GET', '/api/v1/account/users')).body.data).toHaveLength(3)
})

test('a weak password leaves the invitation usable', async () => {
  const { token } = await invite(`joined${++invited}@example.com`)
  expect((await accept(token, { password: 'password1' })).body.code).toBe('password_unacceptable')
  expect((await accept(token)).status).toBe(200)
})

test.each([
  ['expired', () => sql`update invitations set expires_at = now() - interval '1 second'`.execute(server.database.system)],
  ['revoked', (id: string) => owner.send('DELETE', `${invitations}/${id}`)],
  ['replaced', () => owner.send('POST', invitations, { email: `joined${invited}@example.com` })],
])('an invitation that was %s is not accepted', async (_name, end) => {
  const { id, token } = await invite(`joined${++invited}@example.com`)
  await end(id)
  expect(await accept(token)).toMatchObject({ status: 401, body: { code: 'link_invalid' } })
})

test('an invitation takes over no user of another account, and is not visible there', async () => {
  const other = await server.registerAccount()
  const { id, token } = await invite(other.email)
  expect(await accept(token)).toMatchObject({ status: 409, body: { code: 'email_taken' } })
  expect((await other.send('DELETE', `${invitations}/${id}`)).status).toBe(404)
  expect((await other.send('GET', invitations)).body.data).toEqual([])
  expect((await other.send('PATCH', userPath(await ownId()), { role: 'viewer' })).status).toBe(404)
  expect((await owner.send('POST', invitations, { email: owner.email })).body.code).toBe('email_taken')
})

test('an account that demands a second factor lets an invited person in only with one', async () => {
  const { token } = await invite(`joined${++invited}@example.com`)
  await sql`update accounts set requires_mfa = true where id = ${owner.accountId}`.execute(server.database.system)
  expect((await accept(token)).body.status).toBe('mfa_enrollment_required')
})

test('without mail the token is in the reply, and its use confirms no address', async () => {
  await using silent = await createTestServer({ HOST: '0.0.0.0' })
  const account = await silent.registerAccount()
  const { body } = await account.send('POST', invitations, { email: 'grace@example.com' })
  expect(body).toMatchObject({ mailed: false, token: expect.stringMatching(/^mli_/) })
  const { accessToken } = (await account.send('POST', '/api/v1/auth/invitations/accept', { token: body.token, password })).body
  const me = await account.send('GET', '/api/v1/auth/me', undefined, { authorization: `Bearer ${accessToken}` })
  expect(me.body).toMatchObject({ role: 'member', emailVerified: false })
})

test('a changed role applies from the next request', async () => {
  const member = await join('admin')
  expect((await member.send('GET', invitations)).status).toBe(200)
  expect((await owner.send('PATCH', userPath(member.id), { role: 'viewer' })).body.role).toBe('viewer')
  expect((await member.send('GET', invitations)).status).toBe(403)
})

test('an administrator makes no owner, and neither demotes nor removes one', async () => {
  const admin = await join('admin')
  const refused = { status: 403, body: { code: 'forbidden' } }
  expect(await admin.send('PATCH', userPath(admin.id), { role: 'owner' })).toMatchObject(refused)
  expect(await admin.send('PATCH', userPath(await ownId()), { role: 'viewer' })).toMatchObject(refused)
  expect(await admin.send('DELETE', userPath(await ownId()))).toMatchObject(refused)
})

test('the last owner keeps the role, also when two owners demote each other at once', async () => {
  const own = await ownId()
  expect((await owner.send('PATCH', userPath(own), { role: 'member' })).body.code).toBe('last_owner')
  const second = await join('admin')
  await owner.send('PATCH', userPath(second.id), { role: 'owner' })
  const results = await Promise.all([
    owner.send('PATCH', userPath(second.id), { role: 'member' }),
    second.send('PATCH', userPath(own), { role: 'member' }),
  ])
  expect(results.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('an administrator signs a user out everywhere, and no owner', async () => {
  const [admin, member] = [await join('admin'), await join('member')]
  expect((await admin.send('POST', `${userPath(member.id)}/sign-out`)).body).toEqual({ id: member.id, sessionsEnded: 1 })
  expect((await member.send('GET', '/api/v1/auth/me')).status).toBe(401)
  expect((await admin.send('POST', `${userPath(await ownId())}/sign-out`)).body.code).toBe('forbidden')
  const other = await server.registerAccount()
  expect((await other.send('POST', `${userPath(admin.id)}/sign-out`)).status).toBe(404)
})

test('a removed user is signed out at once, and the own user is not removed this way', async () => {
  const member = await join('member')
  expect((await owner.send('DELETE', userPath(member.id))).body).toMatchObject({ deleted: true })
  expect((await member.send('GET', '/api/v1/auth/me')).status).toBe(401)
  expect((await owner.send('DELETE', userPath(await ownId()))).body.code).toBe('conflict')
})

test('ownership passes to another user in one step, and not without a recent proof of identity', async () => {
  const next = await join('member')
  const transfer = () => owner.send('POST', `${userPath(next.id)}/transfer-ownership`)
  await sql`update sessions set authenticated_at = now() - interval '1 hour' where user_id = ${owner.userId}`.execute(
    server.database.system,
  )
  expect(await transfer()).toMatchObject({ status: 401, body: { code: 'insufficient_authentication' } })
  await sql`update sessions set authenticated_at = now() where user_id = ${owner.userId}`.execute(server.database.system)
  expect((await transfer()).body.role).toBe('owner')
  expect((await owner.send('GET', '/api/v1/auth/me')).body.role).toBe('admin')
})
