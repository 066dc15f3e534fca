import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fromTypeId } from '#platform/ids.ts'
import { linkTo } from '#testing/outbox.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { startDnsStandIn } from '#testing/sign-in/dns-stand-in.ts'

// The bodies are those of the documentation of Entra ID and Okta.

let dns: Awaited<ReturnType<typeof startDnsStandIn>>
let server: TestServer
beforeAll(async () => {
  dns = await startDnsStandIn()
  server = await createTestServer({ MILLRACE_DNS_SERVERS: dns.address })
})
afterAll(async () => {
  await server.close()
  await dns[Symbol.asyncDispose]()
})

const settings = '/api/v1/account/scim'
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
let owner: TestAccount
let domain: string
let domains = 0
let token: string

beforeEach(async () => {
  owner = await server.registerAccount()
  domain = `scim${++domains}.example`
  token = await turnOn(owner, domain)
})

async function turnOn(account: TestAccount, name: string, roles: Readonly<Record<string, string>> = {}): Promise<string> {
  const { body } = await account.send('POST', '/api/v1/account/domains', { domain: name })
  dns.records.set(body.record.name, body.record.value)
  await account.send('POST', `/api/v1/account/domains/${body.id}/verify`)
  expect((await account.send('PUT', settings, { roles })).status).toBe(200)
  return String((await account.send('POST', `${settings}/token`)).body.token)
}

async function call(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${server.url}/scim/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

const entraUser = (name = 'ada') => ({
  schemas: [userSchema, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
  externalId: `0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef-${name}`,
  userName: `${name}@${domain}`,
  active: true,
  emails: [{ primary: true, type: 'work', value: `${name}@${domain}` }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
  roles: [],
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Mathematics' },
})
const patch = (...Operations: readonly object[]) => ({ schemas: [patchSchema], Operations })

/** Creates a user and lets the person sign in by a link, with an API key. */
async function withAccess(name = 'ada') {
  const { body } = await call('POST', '/Users', entraUser(name))
  const email = `${name}@${domain}`
  const { request } = (await owner.send('POST', '/api/v1/auth/magic-link', { email })).body
  const link = await linkTo(server.url, email, 'sign-in link')
  const session = await owner.send('POST', '/api/v1/auth/magic-link/verify', { token: link, request })
  const bearer = { authorization: `Bearer ${session.body.accessToken}` }
  const key = await owner.send('POST', '/api/v1/api-keys', { name: 'Mine', scopes: ['workflows:read'] }, bearer)
  const ways = {
    session: () => owner.send('GET', '/api/v1/auth/me', undefined, bearer),
    key: () => owner.send('GET', '/api/v1/workflows', undefined, { authorization: `Bearer ${key.body.secret}` }),
  }
  for (const way of Object.values(ways)) expect((await way()).status).toBe(200)
  return { id: String(body.id), email, ways }
}

describe('the token', () => {
  test('is shown once, replaced at once, and of its account only', async () => {
    const [first, other] = [token, await server.registerAccount()]
    expect((await call('GET', '/Users')).status).toBe(200)
    expect((await owner.send('GET', settings)).body).toMatchObject({
      enabled: true,
      baseUrl: expect.stringContaining('/scim/v2'),
      tokenUsedAt: expect.any(String),
    })
    token = (await owner.send('POST', `${settings}/token`)).body.token
    const current = token
    token = first
    expect(await call('GET', '/Users')).toMatchObject({
      status: 401,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' },
    })
    const { id } = (
      await (async () => {
        token = current
        return await call('POST', '/Users', entraUser())
      })()
    ).body
    token = await turnOn(other, `other-${domain}`)
    expect((await call('GET', `/Users/${id}`)).status).toBe(404)
    expect((await call('DELETE', `/Users/${id}`)).status).toBe(404)
    expect((await call('GET', '/Users')).body.totalResults).toBe(1)
  })

  test('opens nothing else of the interface, and no session opens SCIM', async () => {
    expect((await owner.send('GET', '/api/v1/auth/me', undefined, { authorization: `Bearer ${token}` })).status).toBe(401)
    token = owner.token
    expect((await call('GET', '/Users')).status).toBe(401)
  })

  test('ends with provisioning, and needs a recent proof of identity', async () => {
    await sql`update sessions set authenticated_at = now() - interval '1 hour' where user_id = ${owner.userId}`.execute(
      server.database.system,
    )
    expect((await owner.send('POST', `${settings}/token`)).body.code).toBe('insufficient_authentication')
    expect((await owner.send('DELETE', settings)).body).toEqual({ deleted: true })
    expect((await call('GET', '/Users')).status).toBe(401)
    expect((await owner.send('GET', settings)).body.enabled).toBe(false)
  })
})

test('describes itself', async () => {
  const config = await call('GET', '/ServiceProviderConfig')
  expect(config.headers.get('content-type')).toBe('application/scim+json; charset=utf-8')
  expect(config.body).toMatchObject({ patch: { supported: true }, filter: { supported: true, maxResults: 200 }, etag: { supported: true } })
  expect((await call('GET', '/ResourceTypes')).body.Resources.map(({ id }: { id: string }) => id)).toEqual(['User', 'Group'])
  expect((await call('GET', `/Schemas/${userSchema}`)).body.attributes[0]).toMatchObject({
    name: 'userName',
    required: true,
    uniqueness: 'server',
  })
  expect((await call('GET', '/Schemas')).body.totalResults).toBe(2)
})

describe('Entra', () => {
  test('tests the connection, creates a user, finds it, changes and deactivates it', async () => {
    const probe = await call('GET', `/Users?filter=userName+eq+"non-existent@${domain}"`)
    expect(probe.body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    })
    const created = await call('POST', '/Users', entraUser())
    expect(created).toMatchObject({
      status: 201,
      body: {
        userName: `ada@${domain}`,
        externalId: entraUser().externalId,
        displayName: 'Ada Lovelace',
        active: true,
        roles: [{ value: 'member' }],
      },
    })
    const { id } = created.body
    expect(created.headers.get('location')).toContain(`/scim/v2/Users/${id}`)
    expect((await call('POST', '/Users', entraUser())).body).toMatchObject({ status: '409', scimType: 'uniqueness' })
    expect((await call('GET', `/Users?filter=userName eq "ADA@${domain}"`)).body.Resources).toMatchObject([{ id }])
    expect((await call('GET', `/Users?filter=externalId eq "${entraUser().externalId}"`)).body.totalResults).toBe(1)
    const changed = await call(
      'PATCH',
      `/Users/${id}`,
      patch(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: `ada.lovelace@${domain}` },
        { op: 'Replace', path: 'name.familyName', value: 'King' },
        { op: 'Replace', path: 'displayName', value: 'Ada King' },
        { op: 'Replace', path: 'userName', value: `ada.king@${domain}` },
      ),
    )
    expect(changed.body).toMatchObject({
      userName: `ada.king@${domain}`,
      displayName: 'Ada King',
      name: { familyName: 'King', givenName: 'Ada' },
    })
    expect((await call('PATCH', `/Users/${id}`, patch({ op: 'Replace', path: 'active', value: 'False' }))).body.active).toBe(false)
    expect((await call('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await call('GET', `/Users/${id}`)).status).toBe(404)
  })

  test('gives roles by groups, whose members are added and removed', async () => {
    await owner.send('PUT', settings, { defaultRole: 'viewer', roles: { Builders: 'member', Audit: 'auditor', Administrators: 'admin' } })
    const { id } = (await call('POST', '/Users', entraUser())).body
    const roleOf = async () => (await call('GET', `/Users/${id}`)).body.roles[0].value
    expect(await roleOf()).toBe('viewer')
    const groupOf = (displayName: string) =>
      call('POST', '/Groups', { schemas: [groupSchema], externalId: displayName, displayName, members: [] })
    const [builders, admins] = [(await groupOf('Builders')).body.id, (await groupOf('Administrators')).body.id]
    const audit = (await groupOf('Audit')).body.id
    for (const group of [builders, audit, admins])
      expect(
        (await call('PATCH', `/Groups/${group}`, patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: id }] }))).status,
      ).toBe(200)
    expect(await roleOf()).toBe('admin')
    expect((await call('GET', `/Groups/${admins}?excludedAttributes=members`)).body).not.toHaveProperty('members')
    await call('PATCH', `/Groups/${admins}`, patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] }))
    // Of a member and an auditor, a person is the one who changes nothing.
    expect(await roleOf()).toBe('auditor')
    expect((await call('DELETE', `/Groups/${audit}`)).status).toBe(204)
    expect(await roleOf()).toBe('member')
    expect((await call('GET', '/Groups?filter=displayName eq "builders"')).body.Resources).toMatchObject([{ members: [{ value: id }] }])
    expect((await call('DELETE', `/Groups/${builders}`)).status).toBe(204)
    expect(await roleOf()).toBe('viewer')
  })
})

describe('Okta', () => {
  test('creates, reads, deactivates and activates a user', async () => {
    const body = {
      schemas: [userSchema],
      userName: `grace@${domain}`,
      name: { givenName: 'Grace', familyName: 'Hopper' },
      emails: [{ primary: true, value: `grace@${domain}`, type: 'work' }],
      displayName: 'Grace Hopper',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    }
    const { id } = (await call('POST', '/Users', body)).body
    expect((await call('GET', '/Users?startIndex=1&count=2')).body).toMatchObject({ totalResults: 2, itemsPerPage: 2 })
    // The password that Okta sends is not kept.
    expect((await owner.send('POST', '/api/v1/auth/login', { email: `grace@${domain}`, password: '1mz050nq' })).status).toBe(401)
    expect((await call('PUT', `/Users/${id}`, { ...body, displayName: 'Rear Admiral Hopper' })).body.displayName).toBe(
      'Rear Admiral Hopper',
    )
    expect((await call('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active: false } }))).body.active).toBe(false)
    expect((await call('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active: true } }))).body.active).toBe(true)
  })

  test('pushes a group by replacing its members', async () => {
    const { id } = (await call('POST', '/Users', entraUser())).body
    const group = (
      await call('POST', '/Groups', { schemas: [groupSchema], displayName: 'Everyone', members: [{ value: id, display: 'ada' }] })
    ).body
    expect(group.members).toMatchObject([{ value: id, display: `ada@${domain}` }])
    const replaced = await call(
      'PATCH',
      `/Groups/${group.id}`,
      patch({ op: 'replace', value: { id: group.id, displayName: 'All' } }, { op: 'remove', path: `members[value eq "${id}"]` }),
    )
    expect(replaced.body).toMatchObject({ displayName: 'All', members: [] })
    expect((await call('POST', '/Groups', { displayName: 'All' })).body).toMatchObject({ status: '409', scimType: 'uniqueness' })
    const other = await server.registerAccount()
    const foreign = (await other.send('GET', '/api/v1/auth/me')).body.id
    expect((await call('PATCH', `/Groups/${group.id}`, patch({ op: 'add', path: 'members', value: [{ value: foreign }] }))).status).toBe(
      400,
    )
  })
})

test('a deactivated user is signed out with all API keys, and signs in only after activation', async () => {
  const { id, email, ways } = await withAccess()
  await call('PATCH', `/Users/${id}`, patch({ op: 'Replace', path: 'active', value: 'False' }))
  for (const way of Object.values(ways)) expect((await way()).status).toBe(401)
  const links = async () =>
    (await sql`select from mail_links where email = ${email} and used_at is null`.execute(server.database.system)).rows.length
  const { request } = (await owner.send('POST', '/api/v1/auth/magic-link', { email })).body
  await expect.poll(links).toBe(1)
  const tokens = async () => await linkTo(server.url, email, 'sign-in link')
  const before = await tokens()
  const verify = (link: string) => owner.send('POST', '/api/v1/auth/magic-link/verify', { token: link, request })
  await expect.poll(async () => (await verify(await tokens())).body.code).toBe('sign_in_not_permitted')
  expect(before).toMatch(/^mll_/)
  await call('PATCH', `/Users/${id}`, patch({ op: 'Replace', path: 'active', value: true }))
  expect((await verify(await tokens())).body.status).toBe('signed_in')
  expect((await ways.key()).status).toBe(401)
})

test('a removed user loses sessions and API keys at once', async () => {
  const { id, ways } = await withAccess()
  expect((await call('DELETE', `/Users/${id}`)).status).toBe(204)
  for (const way of Object.values(ways)) expect((await way()).status).toBe(401)
})

test('an owner is visible, and neither removed, deactivated, renamed nor demoted', async () => {
  await owner.send('PUT', settings, { defaultRole: 'viewer', roles: { Staff: 'viewer' } })
  const { id } = (await call('GET', `/Users?filter=userName eq "${owner.email}"`)).body.Resources[0]
  const refused = { status: 403, body: { detail: expect.stringContaining('owner') } }
  expect(await call('DELETE', `/Users/${id}`)).toMatchObject(refused)
  expect(await call('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active: false } }))).toMatchObject(refused)
  expect(await call('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'userName', value: `me@${domain}` }))).toMatchObject(refused)
  expect((await call('POST', '/Groups', { displayName: 'Staff', members: [{ value: id }] })).status).toBe(201)
  expect((await owner.send('GET', '/api/v1/auth/me')).body).toMatchObject({ role: 'owner', email: owner.email })
})

test('a directory creates and renames users in verified domains only, and takes no address of another account', async () => {
  const outside = { ...entraUser(), userName: 'ada@elsewhere.example' }
  expect((await call('POST', '/Users', outside)).body).toMatchObject({
    status: '400',
    scimType: 'invalidValue',
    detail: expect.stringContaining('elsewhere.example'),
  })
  const { id } = (await call('POST', '/Users', entraUser())).body
  expect((await call('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'userName', value: 'ada@elsewhere.example' }))).status).toBe(400)
  await server.client.auth.register({ body: { email: `taken@${domain}`, password: 'four words make sense' } })
  const taken = { status: 409, body: { scimType: 'uniqueness' } }
  expect(await call('POST', '/Users', entraUser('taken'))).toMatchObject(taken)
  expect(await call('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'userName', value: `taken@${domain}` }))).toMatchObject(taken)
  expect((await call('POST', '/Users', { userName: 'no address' })).body.scimType).toBe('invalidValue')
})

test('a change of a version that is not the present one is refused, and an unchanged resource is not sent again', async () => {
  const created = await call('POST', '/Users', entraUser())
  const { id, meta } = created.body
  expect(created.headers.get('etag')).toBe(meta.version)
  expect((await call('GET', `/Users/${id}`, undefined, { 'if-none-match': meta.version })).status).toBe(304)
  const rename = (displayName: string) =>
    call('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'displayName', value: displayName }), { 'if-match': meta.version })
  expect((await rename('One')).status).toBe(200)
  expect(await rename('Two')).toMatchObject({ status: 412, body: { status: '412' } })
})

test('pages and filters a list, and names what is wrong with a request', async () => {
  for (const name of ['a', 'b', 'c']) await call('POST', '/Users', entraUser(name))
  const page = (await call('GET', '/Users?startIndex=2&count=2')).body
  expect(page).toMatchObject({ totalResults: 4, startIndex: 2, itemsPerPage: 2 })
  expect((await call('GET', '/Users?count=0')).body).toMatchObject({ totalResults: 4, itemsPerPage: 0 })
  expect((await call('GET', `/Users?filter=userName sw "b@" or userName sw "c@"&attributes=userName`)).body.Resources).toEqual([
    { schemas: [userSchema], id: expect.any(String), userName: `b@${domain}`, meta: expect.anything() },
    { schemas: [userSchema], id: expect.any(String), userName: `c@${domain}`, meta: expect.anything() },
  ])
  for (const [path, scimType] of [
    ['/Users?filter=userName is "x"', 'invalidFilter'],
    ['/Users?count=many', 'invalidValue'],
  ] as const)
    expect((await call('GET', path)).body).toMatchObject({ status: '400', scimType })
  expect((await call('GET', '/Bulk')).status).toBe(404)
  expect((await call('GET', '/Me')).status).toBe(501)
  expect((await call('PUT', '/Users', entraUser())).status).toBe(405)
  expect((await call('GET', '/Users/usr_nothing')).status).toBe(404)
})

describe('a list of groups', () => {
  test('filters by names and members, and shows the members of its page', async () => {
    const [ada, bob] = [(await call('POST', '/Users', entraUser('ada'))).body.id, (await call('POST', '/Users', entraUser('bob'))).body.id]
    const groupOf = async (displayName: string, ...members: readonly string[]) =>
      (await call('POST', '/Groups', { displayName, members: members.map((value) => ({ value })) })).body
    const builders = await groupOf('Builders', ada, bob)
    const guests = await groupOf('Guests', bob)
    const found = async (filter: string) => (await call('GET', `/Groups?filter=${encodeURIComponent(filter)}`)).body.Resources
    expect(await found('displayName eq "GUESTS"')).toEqual([guests])
    expect(await found(`id eq "${builders.id}" and members eq "${ada}"`)).toEqual([builders])
    expect(await found(`members eq "${bob}" and displayName sw "g"`)).toEqual([guests])
    expect(await found(`id eq "${guests.id}" and members eq "${ada}"`)).toEqual([])
    expect(await found(`displayName eq "guests" or members.value eq "${ada}"`)).toEqual([builders, guests])
    expect(await found(`not (members eq "${ada}")`)).toEqual([guests])
    expect(await found(`meta.version eq ${JSON.stringify(guests.meta.version)}`)).toEqual([guests])
    expect((await call('GET', '/Groups?startIndex=2&count=1')).body).toMatchObject({ totalResults: 2, Resources: [guests] })
  })

  test.each(['excludedAttributes=members', 'attributes=displayName', 'count=0'])('reads no members for %s', async (parameters) => {
    const { id } = (await call('POST', '/Users', entraUser())).body
    await call('POST', '/Groups', { displayName: 'Builders', members: [{ value: id }] })
    const { system } = server.database
    const { begun, hasEnded } = await system.transaction().execute(async (tx) => {
      await sql`lock table scim_members in access exclusive mode`.execute(tx)
      let ended = false
      const listing = call('GET', `/Groups?filter=displayName eq "builders"&${parameters}`).finally(() => (ended = true))
      const locks = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => ended || (await locks.execute(system)).rows.length > 0).toBe(true)
      return { begun: listing, hasEnded: ended }
    })
    expect(hasEnded).toBe(true)
    // The version covers the members.
    for (const group of (await begun).body.Resources) expect(group.meta).not.toHaveProperty('version')
    expect((await begun).body.totalResults).toBe(1)
  })
})

test('what a directory changes is in the audit log of the account', async () => {
  const { id } = (await call('POST', '/Users', entraUser())).body
  await call('DELETE', `/Users/${id}`)
  const { rows } = await sql<{ event: string; target: string; name: string | null }>`
    select event, target, details->>'name' as name from audit_events where account_id = ${owner.accountId} and actor = 'scim:directory' order by id`.execute(
    server.database.system,
  )
  expect(rows).toEqual([
    { event: 'scim.user_created', target: id, name: null },
    { event: 'scim.user_deleted', target: id, name: expect.stringMatching(/./) },
  ])
  expect(fromTypeId('usr', id)).toBeDefined()
})
