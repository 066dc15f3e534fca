import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { idOf } from '#platform/ids.ts'
import { addMember } from '#testing/approvals.ts'
import { createAuthorizations } from './authorization-service.ts'
import { path, sealing, box, startOauthStage } from './testing/oauth-stage.ts'

let stage: Awaited<ReturnType<typeof startOauthStage>>
beforeAll(async () => {
  stage = await startOauthStage()
})
afterAll(() => stage.close())

test('a person consents by code, state and PKCE, and the connection is ready', async () => {
  const { server, grants, create, authorize } = stage
  const account = await server.registerAccount()
  const { id, state } = await create(account)
  expect(state).toBe('unauthorized')
  const { body, answer } = await authorize(account, id)
  const url = new URL(body.authorizationUrl)
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    scope: 'contacts',
    code_challenge_method: 'S256',
    redirect_uri: body.redirectUri,
  })
  const done = await account.send('POST', '/api/v1/connection-authorizations', answer)
  expect(done).toMatchObject({ status: 200, body: { id, state: 'ready', problem: null } })
  expect(grants.at(-1)).toMatchObject({
    grant_type: 'authorization_code',
    redirect_uri: body.redirectUri,
    client_secret: 'secret of the client',
  })
  expect(String(grants.at(-1)?.['code_verifier'])).toHaveLength(43)
  expect((await account.send('POST', '/api/v1/connection-authorizations', answer)).body.code).toBe('conflict')
})

test('only the user who began an authorization completes it', async () => {
  const { server, create, authorize } = stage
  const account = await server.registerAccount()
  const { id } = await create(account)
  const { answer } = await authorize(account, id)
  const colleague = await addMember(server, account)
  const other = await server.registerAccount()
  await expect(
    colleague.client.connections.complete({ body: { state: answer.state ?? '', code: answer.code ?? '' } }),
  ).rejects.toMatchObject({ status: 409 })
  expect((await other.send('POST', '/api/v1/connection-authorizations', answer)).status).toBe(409)
  expect((await account.send('POST', '/api/v1/connection-authorizations', answer)).status).toBe(200)
})

function otherSettings() {
  const { service, settings } = stage
  return { settings: settings({ url: `${service.url}/other` }), secrets: { clientSecret: 'of another client' } }
}

test('a consent that began before the settings changed gives no tokens', async () => {
  const { server, grants, create, authorize } = stage
  const account = await server.registerAccount()
  const { id } = await create(account)
  const { answer } = await authorize(account, id)
  const asked = grants.length
  expect((await account.send('PUT', `${path}/${id}`, otherSettings())).status).toBe(200)
  expect((await account.send('POST', '/api/v1/connection-authorizations', answer)).body.code).toBe('conflict')
  expect(grants.length).toBe(asked)
})

test('tokens of a service do not reach the one that the connection names meanwhile', async () => {
  const { server, create, slowEndpoint, partsOf } = stage
  const account = await server.registerAccount()
  const { id } = await create(account)
  const { http, pending } = slowEndpoint()
  const { database } = server
  const { tokens } = partsOf(http)
  const onAuthorized = async () => undefined
  const authorizations = createAuthorizations({
    database,
    sealing,
    secrets: box,
    tokens,
    http,
    randomBytes,
    onAuthorized,
    now: Date.now,
    redirectUri: 'https://millrace.example/return',
  })
  const userId = idOf('usr', (await account.send('GET', '/api/v1/auth/me')).body.id)
  const { url } = await database.account(account.accountId, (tx) => authorizations.begin(tx, account.accountId, idOf('conn', id), userId))
  const state = new URL(url).searchParams.get('state') ?? ''
  const completed = authorizations.complete(account.accountId, userId, { state, code: 'a code' })
  await expect.poll(() => pending.length).toBe(1)
  await account.send('PUT', `${path}/${id}`, otherSettings())
  pending[0]?.({ access_token: 'of the former service' })
  await expect(completed).rejects.toMatchObject({ code: 'conflict' })
  expect((await account.send('GET', `${path}/${id}`)).body).toMatchObject({ state: 'unauthorized' })
})

test('a service that writes null or nothing for what it does not give has given tokens that last', async () => {
  const { server, answers, createAuthorized, processOf } = stage
  const account = await server.registerAccount()
  answers.next = { access_token: 'a lasting token', refresh_token: null, expires_in: '' }
  try {
    const { key } = await createAuthorized(account)
    const { http, access } = processOf()
    expect((await access.open(account.accountId, key)).accessToken).toBe('a lasting token')
    await http.close()
  } finally {
    answers.next = undefined
  }
})
