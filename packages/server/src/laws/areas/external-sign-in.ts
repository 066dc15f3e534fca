import { createHash, randomUUID } from 'node:crypto'
import { accountDomains, externalAuth, scim, signInProviders } from '@millrace/contract'
import { call, textAt } from '#laws/calls.ts'
import { lawDns, lawProvider } from '#laws/sign-in-parts.ts'
import { followAuthorization, type Person } from '#testing/sign-in/mock-provider.ts'
import { createSamlProvider, samlForm } from '#testing/sign-in/saml-provider.ts'
import type { AreaFixture, LawArea } from './area.ts'

const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')

/** External sign-in, the providers and domains of an account. */
export const externalSignInArea: LawArea = {
  async createResources(url, { token }) {
    const body = { domain: `${randomUUID()}.example` }
    return { dom: textAt((await call(url, accountDomains.create, { token, body })).body, 'id') }
  },
  async exercise(fixture) {
    await signInWithInstallation(fixture)
    await signInWithAccount(fixture)
  },
}

async function follow(started: unknown, person: Person): Promise<Record<string, string>> {
  lawProvider.state.person = person
  return followAuthorization(textAt(started, 'authorizationUrl'))
}

function newPerson(domain = 'people.example'): Person {
  const id = randomUUID()
  return { sub: id, email: `${id}@${domain}`, email_verified: true }
}

async function signInWithInstallation({ url, perform, token }: AreaFixture): Promise<void> {
  const first = await follow(await perform(externalAuth.loginOne, { query: { challenge } }), newPerson())
  const code = textAt(await perform(externalAuth.loginOneCallback, { body: first }), 'code')
  await perform(externalAuth.exchange, { body: { code, verifier } })
  await perform(externalAuth.loginTwo, { query: { challenge } })
  const linking = await perform(externalAuth.linkIdentity, { token, body: { provider: 'logintwo', challenge } })
  const returned = await perform(externalAuth.loginTwoCallback, { query: await follow(linking, newPerson()) })
  await call(url, externalAuth.exchange, { body: { code: textAt(returned, 'code'), verifier } })
  await perform(externalAuth.identities, { token })
  await perform(externalAuth.unlinkIdentity, { token, params: { provider: 'logintwo' } })
}

async function signInWithAccount({ perform, token }: AreaFixture): Promise<void> {
  const domain = `${randomUUID()}.example`
  const added = await perform(accountDomains.create, { token, body: { domain } })
  lawDns.records.set(textAt(added, 'record', 'name'), textAt(added, 'record', 'value'))
  const params = { id: textAt(added, 'id') }
  await perform(accountDomains.verify, { token, params })
  await perform(accountDomains.list, { token })
  const body = { name: 'Own', issuer: lawProvider.issuer, clientId: 'millrace' }
  await perform(signInProviders.putOidc, { token, body })
  const started = await perform(externalAuth.oidcLogin, { query: { email: `someone@${domain}`, challenge } })
  await perform(externalAuth.oidcCallback, { query: await follow(started, newPerson(domain)) })
  const idp = createSamlProvider()
  await perform(signInProviders.putSaml, { token, body: { name: 'Own', metadata: idp.metadata } })
  await perform(signInProviders.list, { token })
  await perform(externalAuth.samlMetadata, {})
  const query = { email: `someone@${domain}`, protocol: 'saml', challenge }
  const authorizationUrl = textAt(await perform(externalAuth.oidcLogin, { query }), 'authorizationUrl')
  const xml = await idp.respond(authorizationUrl, { email: `someone@${domain}` })
  await perform(externalAuth.samlAcs, { body: samlForm(authorizationUrl, xml) })
  await perform(scim.put, { token, body: { roles: { Admins: 'admin' } } })
  await perform(scim.issueToken, { token })
  await perform(scim.get, { token })
  await perform(scim.delete, { token })
  await perform(signInProviders.delete, { token, params: { protocol: 'saml' } })
  await perform(accountDomains.delete, { token, params })
}
