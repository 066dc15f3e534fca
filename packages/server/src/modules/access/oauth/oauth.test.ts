import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { counts, documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { createAccess } from '#modules/access/service.ts'
import { lockWorkflows } from '#modules/workflows/index.ts'
import { createOAuthClients } from './oauth-clients.ts'
import { createOAuth } from './oauth-service.ts'
import { isRedirectUri, matchesRedirect } from './redirect-uri.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const redirectUri = 'http://127.0.0.1:7777/callback'

async function register(body: object = { client_name: 'A client', redirect_uris: [redirectUri] }) {
  const response = await fetch(`${server.url}/oauth/register`, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, body: Object(await response.json()) }
}

async function post(path: string, form: Record<string, string>) {
  const response = await fetch(server.url + path, { method: 'POST', body: new URLSearchParams(form) })
  return { status: response.status, body: Object(await response.json()), cache: response.headers.get('cache-control') }
}

function proof() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** A code that the user has allowed. */
async function authorize(account: TestAccount, { clientId, challenge, more = {} }: { clientId: string; challenge: string; more?: object }) {
  const request = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  const { body } = await account.send('POST', '/api/v1/oauth/authorization', { ...request, ...more, allow: true })
  return new URL(body.redirectTo).searchParams.get('code') ?? ''
}

async function granted() {
  const account = await server.registerAccount()
  const { body: client } = await register()
  const again = async () => {
    const { verifier, challenge } = proof()
    const code = await authorize(account, { clientId: client.client_id, challenge })
    return (more: Record<string, string> = {}) =>
      post('/oauth/token', {
        grant_type: 'authorization_code',
        code,
        client_id: client.client_id,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        ...more,
      })
  }
  return { account, clientId: String(client.client_id), exchange: await again(), again }
}

const listTools = (token: string) =>
  fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })

test('a client of others finds the server, registers, is allowed by a user and calls a workflow', async () => {
  const account = await server.registerAccount()
  await account.client.workflows.create({ body: { definition: documentOf(counts, 'count-up'), publish: true } })
  let sentTo: URL | undefined
  const stored: { client?: unknown; tokens?: unknown; verifier?: string } = {}
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- What the client stores, it reads again.
  const provider = {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: 'The client of others', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
    clientInformation: () => stored.client,
    saveClientInformation: (client: unknown) => void (stored.client = client),
    tokens: () => stored.tokens,
    saveTokens: (tokens: unknown) => void (stored.tokens = tokens),
    redirectToAuthorization: (url: URL) => void (sentTo = url),
    saveCodeVerifier: (verifier: string) => void (stored.verifier = verifier),
    codeVerifier: () => stored.verifier ?? '',
  } as unknown as OAuthClientProvider
  const transport = () => new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider: provider })
  const first = transport()
  await expect(new Client({ name: 'test', version: '1.0.0' }).connect(first)).rejects.toThrow(UnauthorizedError)
  expect(sentTo?.href).toMatch(`${server.url}/oauth/authorize?`)
  expect(sentTo?.searchParams.get('resource')).toBe(`${server.url}/mcp`)
  const query = Object.fromEntries(sentTo?.searchParams ?? [])
  const shown = await account.send('GET', `/api/v1/oauth/authorization?${new URLSearchParams(query).toString()}`)
  expect(shown.body).toMatchObject({ client: 'The client of others', redirectHost: '127.0.0.1:7777' })
  const { body } = await account.send('POST', '/api/v1/oauth/authorization', { ...query, allow: true })
  await first.finishAuth(new URL(body.redirectTo).searchParams.get('code') ?? '')
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport())
  expect(await client.callTool({ name: 'count-up', arguments: { count: 4 } })).toMatchObject({
    structuredContent: { output: { count: 5 } },
  })
  await client.close()
})

test('a token is valid at /mcp alone, for an hour, and no longer once it is revoked among the API keys', async () => {
  const { account, exchange } = await granted()
  const { status, body, cache } = await exchange()
  expect([status, cache, body.token_type, body.expires_in]).toEqual([200, 'no-store', 'Bearer', 3600])
  expect((await listTools(body.access_token)).status).toBe(200)
  const elsewhere = await fetch(`${server.url}/api/v1/workflows/executions`, { headers: { authorization: `Bearer ${body.access_token}` } })
  expect(elsewhere.status).toBe(401)
  expect((await listTools(body.refresh_token)).status).toBe(401)
  const { data } = (await account.send('GET', '/api/v1/api-keys')).body
  expect(data).toMatchObject([{ name: 'A client (MCP)', scopes: ['executions:run', 'executions:read'] }])
  expect((await account.send('POST', `/api/v1/api-keys/${data[0].id}/rotate`, {})).status).toBe(403)
  expect((await account.send('DELETE', `/api/v1/api-keys/${data[0].id}`)).status).toBe(200)
  expect((await listTools(body.access_token)).status).toBe(401)
})

test('an expired access token is refused, and a refresh token gives new ones once', async () => {
  const { account, clientId, exchange } = await granted()
  const { body: first } = await exchange()
  await sql`update api_key_secrets set valid_until = now() - interval '1 second'
    where account_id = ${account.accountId} and kind = 'access'`.execute(server.database.system)
  expect((await listTools(first.access_token)).status).toBe(401)
  const refresh = (token: string) => post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: clientId })
  const { body: second } = await refresh(first.refresh_token)
  expect((await listTools(second.access_token)).status).toBe(200)
  expect((await refresh(first.refresh_token)).body).toMatchObject({ error: 'invalid_grant' })
  // One of two users of the same token has stolen it.
  expect((await listTools(second.access_token)).status).toBe(401)
  expect((await refresh(second.refresh_token)).body).toMatchObject({ error: 'invalid_grant' })
})

test('a client revokes its own tokens, and cannot revoke those of another', async () => {
  const { clientId, exchange } = await granted()
  const { body } = await exchange()
  const { body: other } = await register()
  expect((await post('/oauth/revoke', { token: body.access_token, client_id: other.client_id })).status).toBe(200)
  expect((await listTools(body.access_token)).status).toBe(200)
  await post('/oauth/revoke', { token: body.refresh_token, client_id: clientId })
  expect((await listTools(body.access_token)).status).toBe(401)
})

test.each<[string, Record<string, string>]>([
  ['another verifier', { code_verifier: 'b'.repeat(43) }],
  ['another client', { client_id: 'someone-else' }],
  ['another address', { redirect_uri: 'http://127.0.0.1:7777/other' }],
  ['another resource', { resource: 'https://other.example/mcp2' }],
])('a code with %s gives no token, and is spent', async (_case, wrong) => {
  const { exchange } = await granted()
  expect((await exchange(wrong)).status).toBe(400)
  expect((await exchange()).body).toMatchObject({ error: 'invalid_grant' })
})

test('a code works once, also when 20 use it at once; a second use ends what it gave; it does not work after two minutes', async () => {
  const { exchange } = await granted()
  const replies = await Promise.all(Array.from({ length: 20 }, () => exchange()))
  const given = replies.filter(({ status }) => status === 200)
  expect(given).toHaveLength(1)
  expect((await exchange()).body).toMatchObject({ error: 'invalid_grant' })
  expect((await listTools(given[0]?.body.access_token)).status).toBe(401)
  const late = await granted()
  await sql`update oauth_codes set expires_at = now() where account_id = ${late.account.accountId}`.execute(server.database.system)
  expect((await late.exchange()).body).toMatchObject({ error: 'invalid_grant' })
})

test('a request for an unknown client, another address or another resource gets no code', async () => {
  const account = await server.registerAccount()
  const { body: client } = await register()
  const request = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  }
  for (const [wrong, pointer] of [
    [{ client_id: 'unknown' }, '/client_id'],
    [{ redirect_uri: 'https://evil.example/callback' }, '/redirect_uri'],
    [{ resource: 'https://other.example/api' }, '/resource'],
    [{ scope: 'api-keys:manage' }, '/scope'],
    [{ code_challenge_method: 'plain' }, '/code_challenge_method'],
  ] as const) {
    const { body } = await account.send('POST', '/api/v1/oauth/authorization', { ...request, ...wrong, allow: true })
    expect(body).toMatchObject({ status: 400, errors: [{ pointer }] })
  }
  const denied = await account.send('POST', '/api/v1/oauth/authorization', { ...request, state: 'x', allow: false })
  expect(denied.body.redirectTo).toBe(`${redirectUri}?state=x&error=access_denied`)
  const { body: key } = await account.send('POST', '/api/v1/api-keys', { name: 'k', scopes: ['executions:run'] })
  const headers = { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' }
  const byKey = await fetch(`${server.url}/api/v1/oauth/authorization`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...request, allow: true }),
  })
  expect(byKey.status).toBe(403)
})

test('a client without an address, with a secret or with an address of others without https cannot register', async () => {
  for (const body of [{}, { redirect_uris: [] }, { redirect_uris: ['http://evil.example/x'] }, { redirect_uris: ['javascript://x'] }])
    expect((await register(body)).status).toBe(400)
  expect((await register({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_basic' })).status).toBe(400)
})

test('a code that waits while everything of its user is revoked gives no token', async () => {
  const { account, exchange } = await granted()
  const { accountId, userId } = account
  await server.database.account(accountId, (tx) =>
    createAccess({ now: () => new Date(), newId: randomUUID, randomBytes, lockWorkflows }).revokeAll(tx, accountId, userId),
  )
  expect((await exchange()).body).toMatchObject({ error: 'invalid_grant' })
})

test('a code gives no token after its client was revoked among the API keys, nor beside a revocation of everything', async () => {
  const { account, exchange, again } = await granted()
  await exchange()
  const waiting = await again()
  const { data } = (await account.send('GET', '/api/v1/api-keys')).body
  await account.send('DELETE', `/api/v1/api-keys/${data[0].id}`)
  expect((await waiting()).body).toMatchObject({ error: 'invalid_grant' })
  const { accountId, userId } = account
  const access = createAccess({ now: () => new Date(), newId: randomUUID, randomBytes, lockWorkflows })
  const beside = await again()
  const [late] = await Promise.all([beside(), server.database.account(accountId, (tx) => access.revokeAll(tx, accountId, userId))])
  if (late.status === 200) expect((await listTools(late.body.access_token)).status).toBe(401)
  expect((await account.send('GET', '/api/v1/api-keys')).body.data).toEqual([])
})

test('tokens of ended grants and expired codes are deleted; the spent ones of a grant stay with it, which ends after 60 days without use', async () => {
  const { account, clientId, exchange } = await granted()
  const { body } = await exchange()
  const refresh = (token: string) => post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: clientId })
  const { body: second } = await refresh(body.refresh_token)
  const rowCounts = async () => {
    const { rows } = await sql<Record<string, number>>`
      select (select count(*)::int from api_key_secrets where account_id = ${account.accountId} and kind = 'spent') as spent,
        (select count(*)::int from api_key_secrets where account_id = ${account.accountId} and kind = 'refresh') as live,
        (select count(*)::int from oauth_codes where account_id = ${account.accountId}) as codes`.execute(server.database.system)
    return rows[0]
  }
  const at = { ms: Date.now() }
  const now = () => new Date(at.ms)
  const oauth = createOAuth({
    database: server.database,
    clients: createOAuthClients({ database: server.database, http: { request: () => Promise.reject() }, now, newId: randomUUID }),
    now,
    newId: randomUUID,
    randomBytes,
    publicUrl: undefined,
  })
  await oauth.sweep()
  expect(await rowCounts()).toEqual({ spent: 1, live: 1, codes: 1 })
  at.ms += 59 * 86_400_000
  await oauth.sweep()
  expect(await rowCounts()).toEqual({ spent: 1, live: 1, codes: 0 })
  at.ms += 2 * 86_400_000
  await expect(oauth.refresh({ token: second.refresh_token, clientId })).rejects.toMatchObject({ code: 'invalid_grant' })
  await oauth.sweep()
  expect(await rowCounts()).toEqual({ spent: 0, live: 0, codes: 0 })
  expect((await listTools(second.access_token)).status).toBe(401)
})

test('registrations without end keep no other client out, and end none with a grant', async () => {
  const { exchange } = await granted()
  const { body } = await exchange()
  await sql`insert into oauth_clients (id, name, redirect_uris, created_at)
    select gen_random_uuid(), 'flood', '{https://flood.example/}', now() - interval '1 day' from generate_series(1, 5000)`.execute(
    server.database.system,
  )
  expect((await register()).status).toBe(201)
  expect((await listTools(body.access_token)).status).toBe(200)
  await sql`delete from oauth_clients where name = 'flood'`.execute(server.database.system)
})

test('the response to a request without a token names the metadata of the resource', async () => {
  const { status, headers } = await fetch(`${server.url}/mcp`, { method: 'POST', body: '{}' })
  const url = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1] ?? ''
  expect([status, url]).toEqual([401, `${server.url}/.well-known/oauth-protected-resource/mcp`])
  const described = await fetch(url)
  expect(described.headers.get('cache-control')).toBe('no-store')
  const resource = Object(await described.json())
  expect(resource).toMatchObject({ resource: `${server.url}/mcp`, authorization_servers: [server.url] })
  const metadata = await (await fetch(`${server.url}/.well-known/oauth-authorization-server`)).json()
  expect(metadata).toMatchObject({ issuer: server.url, code_challenge_methods_supported: ['S256'] })
})

test.each([
  ['https://app.example/cb', 'https://app.example/cb', true],
  ['https://app.example/cb', 'https://app.example/cb?x=1', false],
  ['http://127.0.0.1:1/cb', 'http://127.0.0.1:2/cb', true],
  ['http://127.0.0.1:1/cb', 'http://127.0.0.1:2/other', false],
  ['http://localhost/cb', 'http://localhost.evil.example/cb', false],
  ['http://127.0.0.1:1/cb', 'https://127.0.0.1:1/cb', false],
])('registered as %s, %s is permitted: %s', (registered, given, permitted) => {
  expect(isRedirectUri(registered)).toBe(true)
  expect(matchesRedirect(registered, given)).toBe(permitted)
})
