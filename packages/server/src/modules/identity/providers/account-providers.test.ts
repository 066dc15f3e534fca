import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fromTypeId } from '#platform/ids.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { startDnsStandIn } from '#testing/sign-in/dns-stand-in.ts'
import { followAuthorization, startMockProvider } from '#testing/sign-in/mock-provider.ts'
import { createSamlProvider, samlForm } from '#testing/sign-in/saml-provider.ts'
import { wrapSignature, wrappingKinds } from '#testing/sign-in/signature-wrappings.ts'
import { createVisitor } from '#testing/sign-in/visitor.ts'

const path = '/api/v1/account/sign-in-providers'
let idp: Awaited<ReturnType<typeof startMockProvider>>
let dns: Awaited<ReturnType<typeof startDnsStandIn>>
let server: TestServer
beforeAll(async () => {
  idp = await startMockProvider()
  dns = await startDnsStandIn()
  server = await createTestServer({ MILLRACE_PUBLIC_URL: 'https://millrace.test', MILLRACE_DNS_SERVERS: dns.address })
})
afterAll(async () => {
  await server.close()
  await idp[Symbol.asyncDispose]()
  await dns[Symbol.asyncDispose]()
})

let account: TestAccount
let domain: string
let domains = 0
const oidc = () => ({ name: 'Own', issuer: idp.issuer, clientId: 'millrace' })
beforeEach(async () => {
  domain = `company${++domains}.example`
  idp.state.person = { sub: `sub-${domains}`, email: `ada@${domain}`, email_verified: true, name: 'Ada' }
  account = await server.registerAccount()
})

async function addDomain(owner = account, name = domain) {
  const { body } = await owner.send('POST', '/api/v1/account/domains', { domain: name })
  dns.records.set(body.record.name, body.record.value)
  return owner.send('POST', `/api/v1/account/domains/${body.id}/verify`)
}

async function signIn(query = `email=anyone@${domain}`) {
  const visitor = createVisitor(server)
  const started = await visitor.get(`/api/v1/auth/oidc/login?${query}`)
  if (started.status !== 200) return started
  const response = new URLSearchParams(await followAuthorization(started.body.authorizationUrl))
  const returned = await visitor.get(`/api/v1/auth/oidc/callback?${response.toString()}`)
  return visitor.post('/api/v1/auth/exchange', { code: returned.body.code })
}

describe('domains', () => {
  test('a domain counts only once its DNS record is found', async () => {
    await account.send('PUT', `${path}/oidc`, oidc())
    const { body } = await account.send('POST', '/api/v1/account/domains', { domain })
    expect(await account.send('POST', `/api/v1/account/domains/${body.id}/verify`)).toMatchObject({
      status: 422,
      body: { code: 'domain_unverified' },
    })
    expect((await signIn()).status).toBe(404)
    dns.records.set(body.record.name, body.record.value)
    expect((await account.send('POST', `/api/v1/account/domains/${body.id}/verify`)).body.state).toBe('verified')
    expect((await signIn()).status).toBe(200)
  })

  test('one account at a time has a domain', async () => {
    await addDomain()
    expect(await addDomain(await server.registerAccount())).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })
})

describe('the OpenID Connect provider of an account', () => {
  test('the first sign-in creates a user of the account with the role of the groups', async () => {
    await addDomain()
    await account.send('PUT', `${path}/oidc`, { ...oidc(), roleClaim: 'groups', roles: { ops: 'admin', all: 'viewer' } })
    Object.assign(idp.state.person, { groups: ['all', 'ops', 'unknown'] })
    const first = (await signIn()).body.user
    expect(first).toMatchObject({ email: `ada@${domain}`, role: 'admin' })
    Object.assign(idp.state.person, { groups: ['all'] })
    expect((await signIn()).body.user).toEqual({ ...first, role: 'viewer' })
  })

  test('a user to whom the account is transferred during the sign-in stays its owner', async () => {
    await addDomain()
    await account.send('PUT', `${path}/oidc`, { ...oidc(), roleClaim: 'groups', roles: { all: 'viewer' } })
    const { id } = (await signIn()).body.user
    Object.assign(idp.state.person, { groups: ['all'] })
    const { system } = server.database
    const { begun } = await system.transaction().execute(async (tx) => {
      await sql`update users set role = 'owner' where id = ${fromTypeId('usr', id) ?? ''}`.execute(tx)
      const signingIn = signIn()
      const locks = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => (await locks.execute(system)).rows.length).toBeGreaterThan(0)
      return { begun: signingIn }
    })
    expect((await begun).body.user).toMatchObject({ id, role: 'owner' })
    expect((await signIn()).body.user).toMatchObject({ id, role: 'owner' })
  })

  test('a person with an address outside of the verified domains is refused', async () => {
    await addDomain()
    await account.send('PUT', `${path}/oidc`, oidc())
    for (const email of [`ada@sub.${domain}`, `ada@${domain}.evil.example`, 'ada@other.example']) {
      idp.state.person = { sub: email, email }
      expect(await signIn(), email).toMatchObject({ status: 403, body: { code: 'sign_in_not_permitted' } })
    }
  })

  test('a user of another account with the address is not taken over by an account that has the domain', async () => {
    await addDomain()
    await account.send('PUT', `${path}/oidc`, oidc())
    await server.client.auth.register({ body: { email: `ada@${domain}`, password: 'four words make sense' } })
    expect(await signIn()).toMatchObject({ status: 409, body: { code: 'identity_not_linked' } })
  })

  test('the same subject of the same issuer is another person at the provider of another account', async () => {
    await addDomain()
    await account.send('PUT', `${path}/oidc`, oidc())
    const first = (await signIn()).body.user
    const other = await server.registerAccount()
    await addDomain(other, `other-${domain}`)
    await other.send('PUT', `${path}/oidc`, oidc())
    idp.state.person = { ...idp.state.person, email: `ada@other-${domain}` }
    const second = (await signIn(`email=ada@other-${domain}`)).body.user
    expect(second.accountId).not.toBe(first.accountId)
  })

  test('the client secret is sealed and never returned, and stays until it is replaced', async () => {
    const clientSecret = 'a very secret text'
    const put = await account.send('PUT', `${path}/oidc`, { ...oidc(), clientSecret })
    await account.send('PUT', `${path}/oidc`, { ...oidc(), name: 'Renamed' })
    const { body } = await account.send('GET', path)
    expect(JSON.stringify([put.body, body])).not.toContain(clientSecret)
    const { rows } = await sql<{ client_secret: Buffer }>`
      select client_secret from sign_in_providers where account_id = ${account.accountId}`.execute(server.database.system)
    expect(rows[0]?.client_secret.length).toBeGreaterThan(clientSecret.length)
    expect(rows[0]?.client_secret.includes(clientSecret)).toBe(false)
  })

  test.each(['http://169.254.169.254', 'https://10.0.0.1', 'http://example.com', 'https://[::1]'])(
    'an issuer at %s is refused before anything is stored',
    async (issuer) => {
      expect(await account.send('PUT', `${path}/oidc`, { ...oidc(), issuer })).toMatchObject({
        status: 422,
        body: { code: 'sign_in_provider_invalid', errors: [{ pointer: '/issuer' }] },
      })
      expect((await account.send('GET', path)).body.data).toEqual([])
    },
  )

  test('metadata that leads to a private address is not followed', async () => {
    await addDomain()
    idp.server.service.once('beforeWellKnownOpenIdConfiguration', (response: { body: unknown }) => {
      Object.assign(response.body ?? {}, { token_endpoint: 'http://10.0.0.1/token' })
    })
    await account.send('PUT', `${path}/oidc`, { ...oidc(), clientId: `ssrf-${domain}` })
    const visitor = createVisitor(server)
    const started = await visitor.get(`/api/v1/auth/oidc/login?email=a@${domain}`)
    const response = new URLSearchParams(await followAuthorization(started.body.authorizationUrl))
    expect(await visitor.get(`/api/v1/auth/oidc/callback?${response.toString()}`)).toMatchObject({
      status: 503,
      body: { code: 'sign_in_provider_unavailable' },
    })
  })

  test('removing the provider ends its identities', async () => {
    await addDomain()
    await account.send('PUT', `${path}/oidc`, oidc())
    await signIn()
    await account.send('DELETE', `${path}/oidc`)
    expect((await signIn()).status).toBe(404)
    const { rows } = await sql`select from identities where account_id = ${account.accountId}`.execute(server.database.system)
    expect(rows).toEqual([])
  })
})

describe('the SAML provider of an account', () => {
  const saml = createSamlProvider()
  beforeEach(async () => {
    await addDomain()
    await account.send('PUT', `${path}/saml`, { name: 'Own', metadata: saml.metadata, roleClaim: 'groups', roles: { ops: 'admin' } })
  })

  async function start() {
    const visitor = createVisitor(server)
    const { body } = await visitor.get(`/api/v1/auth/oidc/login?email=ada@${domain}`)
    const url: string = body.authorizationUrl
    const xml = await saml.respond(url, { email: `ada@${domain}`, attributes: { groups: ['ops'], displayName: 'Ada' } })
    const send = (text: string) => visitor.post('/api/v1/auth/saml/acs', new URLSearchParams(samlForm(url, text)).toString(), form)
    return { visitor, url, xml, send }
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const refused = { status: 401, body: { code: 'external_sign_in_failed' } }

  test('a signed assertion leads to a session with the role of its groups', async () => {
    const { visitor, xml, send } = await start()
    const { code } = (await send(xml)).body
    const { body } = await visitor.post('/api/v1/auth/exchange', { code })
    expect(body.user).toMatchObject({ email: `ada@${domain}`, name: 'Ada', role: 'admin' })
  })

  test('an assertion is accepted once, also in a new sign-in', async () => {
    const { xml, send } = await start()
    expect((await send(xml)).status).toBe(200)
    expect(await send(xml)).toMatchObject(refused)
    expect(await (await start()).send(xml)).toMatchObject(refused)
  })

  test('an attacker who signs with a key of their own is refused, though the response contains the certificate', async () => {
    const { url, send } = await start()
    expect(await send(await createSamlProvider().respond(url, { email: `ada@${domain}` }))).toMatchObject(refused)
  })

  const assertionIn = (xml: string) => /<saml:Assertion[^]*<\/saml:Assertion>/.exec(xml)?.[0] ?? ''
  const evilOf = (xml: string) =>
    assertionIn(xml)
      .replace(/ID="[^"]*"/, 'ID="_evil"')
      .replaceAll(`ada@${domain}`, `root@${domain}`)
  const withoutSignature = (xml: string) => xml.replace(/<ds:Signature[^]*?<\/ds:Signature>|<Signature[^]*?<\/Signature>/, '')
  const forgeries: readonly (readonly [string, (xml: string) => string])[] = [
    ['a changed address', (xml) => xml.replaceAll(`ada@${domain}`, `root@${domain}`)],
    ['a second assertion after the signed one', (xml) => xml.replace('</samlp:Response>', `${evilOf(xml)}</samlp:Response>`)],
    [
      'a second assertion without a signature after the signed one',
      (xml) => xml.replace('</samlp:Response>', `${withoutSignature(evilOf(xml))}</samlp:Response>`),
    ],
    [
      'the signed assertion in an extension',
      (xml) => xml.replace(assertionIn(xml), `<samlp:Extensions>${assertionIn(xml)}</samlp:Extensions>${withoutSignature(evilOf(xml))}`),
    ],
    [
      'the whole response inside a false one',
      (xml) =>
        `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_outer" Version="2.0">${evilOf(xml)}${xml}</samlp:Response>`,
    ],
    ['two assertions with the ID of the signed one', (xml) => xml.replace('<saml:Assertion', `${assertionIn(xml)}<saml:Assertion`)],
    ['no signature', (xml) => withoutSignature(withoutSignature(xml))],
    ['a comment in the NameID', (xml) => xml.replaceAll(`ada@${domain}<`, `ada@${domain}<!---->.evil.example<`)],
    ['a DOCTYPE with entities', (xml) => `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${xml}`],
    ['a processing instruction', (xml) => xml.replace('<saml:Subject', '<?php x?><saml:Subject')],
    ['another recipient', (xml) => xml.replaceAll('/saml/acs', '/saml/other')],
  ]
  test.each(wrappingKinds)('a response of the kind %s is refused', async (kind) => {
    const { xml, send } = await start()
    expect(await send(wrapSignature(kind, xml, `ada@${domain}`, `root@${domain}`))).toMatchObject(refused)
  })

  test.each(forgeries)('a response with %s is refused', async (_name, forge) => {
    const { xml, send } = await start()
    const forged = forge(xml)
    expect(forged).not.toBe(xml)
    expect(await send(forged)).toMatchObject(refused)
  })

  test('a response to another request, or to none, is refused', async () => {
    const [first, second] = [await start(), await start()]
    expect(await second.send(first.xml)).toMatchObject(refused)
    const unasked = { SAMLResponse: Buffer.from(first.xml).toString('base64'), RelayState: 'unknown' }
    expect(await createVisitor(server).post('/api/v1/auth/saml/acs', unasked)).toMatchObject(refused)
  })

  test('a response of one account does not sign in to another with the same entity id', async () => {
    const { url, xml } = await start()
    const other = await server.registerAccount()
    await addDomain(other, `other-${domain}`)
    await other.send('PUT', `${path}/saml`, { name: 'Other', metadata: createSamlProvider().metadata })
    const visitor = createVisitor(server)
    const { body } = await visitor.get(`/api/v1/auth/oidc/login?email=a@other-${domain}`)
    const relay = new URL(body.authorizationUrl).searchParams.get('RelayState') ?? ''
    expect(await visitor.post('/api/v1/auth/saml/acs', { ...samlForm(url, xml), RelayState: relay })).toMatchObject(refused)
  })

  test('an admin cannot put certificates of their own in place of those by which an owner signs in', async () => {
    const metadataOf = (text: string) => text.replace(/entityID="[^"]*"/, 'entityID="https://idp.example"')
    const put = (metadata: string) => account.send('PUT', `${path}/saml`, { name: 'Own', metadata: metadataOf(metadata) })
    const { metadata } = createSamlProvider()
    expect((await put(metadata)).status).toBe(200)
    const { system } = server.database
    const owner = randomUUID()
    await sql`insert into users (id, account_id, email, role, is_operator, created_at)
      values (${owner}, ${account.accountId}, ${`${owner}@${domain}`}, 'owner', false, now())`.execute(system)
    await sql`insert into identities (id, account_id, user_id, provider, sign_in_provider_id, issuer, subject, created_at, last_used_at)
      select gen_random_uuid(), account_id, ${owner}, 'saml', id, 'https://idp.example', 'boss', now(), now()
      from sign_in_providers where account_id = ${account.accountId}`.execute(system)
    await sql`update users set role = 'admin' where id = ${account.userId}`.execute(system)
    expect((await put(metadata)).status).toBe(200)
    expect(await put(createSamlProvider().metadata)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })

  test.each([
    ['not XML', 'a text'],
    ['without an identity provider', '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="x"/>'],
    ['full of comments that do not end', '<!--'.repeat(65_000)],
    ['with entities', '<!DOCTYPE x [<!ENTITY a "b">]><x/>'],
  ])('metadata that is %s is refused with a reason', async (_name, metadata) => {
    expect(await account.send('PUT', `${path}/saml`, { name: 'Own', metadata })).toMatchObject({
      status: 422,
      body: { code: 'sign_in_provider_invalid', errors: [{ pointer: '/metadata' }] },
    })
  })

  test('the metadata of this installation names its entity id and its ACS', async () => {
    const response = await fetch(`${server.url}/api/v1/auth/saml/metadata?format=xml`)
    expect(response.headers.get('content-type')).toBe('application/samlmetadata+xml')
    const text = await response.text()
    expect(text).toContain('entityID="https://millrace.test/api/v1/auth/saml/metadata"')
    expect(text).toContain('Location="https://millrace.test/api/v1/auth/saml/acs"')
  })
})
