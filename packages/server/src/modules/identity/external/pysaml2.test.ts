import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { startDnsStandIn } from '#testing/sign-in/dns-stand-in.ts'
import { type Asserted, hasPysaml2, startPysaml2Provider } from '#testing/sign-in/pysaml2-provider.ts'
import { samlForm } from '#testing/sign-in/saml-provider.ts'
import { createVisitor } from '#testing/sign-in/visitor.ts'

const domain = 'pysaml2.example'
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const refused = { status: 401, body: { code: 'external_sign_in_failed' } }

let dns: Awaited<ReturnType<typeof startDnsStandIn>>
let server: TestServer
let account: TestAccount
let saml: Awaited<ReturnType<typeof startPysaml2Provider>> | undefined
beforeAll(async () => {
  dns = await startDnsStandIn()
  server = await createTestServer({ MILLRACE_PUBLIC_URL: 'https://millrace.test', MILLRACE_DNS_SERVERS: dns.address })
  account = await server.registerAccount()
  const { body } = await account.send('POST', '/api/v1/account/domains', { domain })
  dns.records.set(body.record.name, body.record.value)
  await account.send('POST', `/api/v1/account/domains/${body.id}/verify`)
  if (!hasPysaml2) return
  saml = await startPysaml2Provider(await (await fetch(`${server.url}/api/v1/auth/saml/metadata?format=xml`)).text())
  const roles = { roleClaim: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.7', roles: { ops: 'admin' } }
  await account.send('PUT', '/api/v1/account/sign-in-providers/saml', { name: 'pysaml2', metadata: saml.metadata, ...roles })
})
afterAll(async () => {
  await saml?.[Symbol.asyncDispose]()
  await server.close()
  await dns[Symbol.asyncDispose]()
})

const ada: Asserted = {
  subject: 'ada-1',
  attributes: { mail: `ada@${domain}`, displayName: 'Ada', eduPersonEntitlement: ['all', 'ops'] },
  signResponse: false,
}

/** The response of pysaml2 to a new sign-in, and how it is sent. */
async function begin(asserted = ada) {
  if (saml === undefined) throw new Error('pysaml2 does not run')
  const visitor = createVisitor(server)
  const { body } = await visitor.get(`/api/v1/auth/oidc/login?email=ada@${domain}`)
  const url: string = body.authorizationUrl
  const send = (xml: string) => visitor.post('/api/v1/auth/saml/acs', new URLSearchParams(samlForm(url, xml)).toString(), form)
  return { visitor, send, xml: await saml.respond(url, asserted) }
}

test.skipIf(!hasPysaml2).each([
  ['alone', false],
  ['and its response', true],
])('pysaml2 signs its assertion %s, and the person is in. Needs python3-pysaml2.', async (_name, signResponse) => {
  const { visitor, send, xml } = await begin({ ...ada, signResponse })
  const { body } = await visitor.post('/api/v1/auth/exchange', { code: (await send(xml)).body.code })
  expect(body.user).toMatchObject({ email: `ada@${domain}`, name: 'Ada', role: 'admin' })
})

test.skipIf(!hasPysaml2)(
  'a response of pysaml2 that was altered, or belongs to another sign-in, is refused. Needs python3-pysaml2.',
  async () => {
    const { send, xml } = await begin()
    const altered = xml.replaceAll(`ada@${domain}`, `root@${domain}`)
    expect(altered).not.toBe(xml)
    expect(await send(altered)).toMatchObject(refused)
    const other = await begin()
    expect(await other.send(xml)).toMatchObject(refused)
  },
)
