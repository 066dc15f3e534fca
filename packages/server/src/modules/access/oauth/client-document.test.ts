import { createHash, randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { counts, documentOf } from '#testing/definitions.ts'
import { createCertificate } from '#testing/net/certificate.ts'
import { closed, listen } from '#testing/net/server.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const certificate = createCertificate('localhost', new Date('2999-01-01T00:00:00Z'))
const trusted = getCACertificates()
const redirectUri = 'http://127.0.0.1:7777/callback'

/** What the site of the client answers. */
type Answer = (response: ServerResponse) => void
let answer: Answer
let requests: string[]
const site = createServer(certificate, (request, response) => {
  requests.push(request.url ?? '')
  answer(response)
})

let origin: string
let id: string
let server: TestServer
let account: TestAccount
beforeAll(async () => {
  setDefaultCACertificates([...trusted, certificate.cert])
  origin = `https://localhost:${(await listen(site)).port}`
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(async () => {
  await server.close()
  await closed(site, () => site.closeAllConnections())
  setDefaultCACertificates(trusted)
})
let clients = 0
beforeEach(() => {
  id = `${origin}/clients/${++clients}.json`
  requests = []
  answer = document()
})

const described = (more: object = {}) => ({ client_id: id, client_name: 'An editor', redirect_uris: [redirectUri], ...more })
const document =
  (more: object = {}, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(described(more)))

const ask = (more: Readonly<Record<string, string>> = {}) => {
  const request = {
    response_type: 'code',
    client_id: id,
    redirect_uri: redirectUri,
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  }
  return account.send('GET', `/api/v1/oauth/authorization?${new URLSearchParams({ ...request, ...more }).toString()}`)
}

test('a client of others that has a document connects without a registration, and calls a workflow', async () => {
  await account.client.workflows.create({ body: { definition: documentOf(counts, 'count-up'), publish: true } })
  let sentTo: URL | undefined
  const stored: { client?: unknown; tokens?: unknown; verifier?: string } = {}
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- What the client stores, it reads again.
  const provider = {
    redirectUrl: redirectUri,
    clientMetadataUrl: id,
    clientMetadata: { client_name: 'Never registered', redirect_uris: [redirectUri] },
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
  expect(sentTo?.searchParams.get('client_id')).toBe(id)
  const query = Object.fromEntries(sentTo?.searchParams ?? [])
  expect((await ask(query)).body).toMatchObject({
    client: 'An editor',
    clientHost: new URL(origin).host,
    redirectHost: '127.0.0.1:7777',
  })
  const { body } = await account.send('POST', '/api/v1/oauth/authorization', { ...query, allow: true })
  await first.finishAuth(new URL(body.redirectTo).searchParams.get('code') ?? '')
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport())
  expect(await client.callTool({ name: 'count-up', arguments: { count: 4 } })).toMatchObject({
    structuredContent: { output: { count: 5 } },
  })
  await client.close()
  expect((await account.send('GET', '/api/v1/api-keys')).body.data).toMatchObject([{ name: 'An editor (MCP)' }])
  expect(requests).toEqual([new URL(id).pathname])
})

const redirects: Answer = (response) => response.writeHead(302, { location: `${origin}/elsewhere` }).end()
const text =
  (body: string, type = 'application/json', status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body)

test.each<[string, () => Answer, RegExp]>([
  ['describes another client', () => document({ client_id: `${id}x` }), /another client/],
  ['has an id that differs in a letter', () => document({ client_id: id.replace('localhost', 'LOCALHOST') }), /another client/],
  ['has no id', () => document({ client_id: undefined }), /\/client_id/],
  ['has no name', () => document({ client_name: undefined }), /\/client_name/],
  ['has a name of two lines', () => document({ client_name: 'An editor\nof your bank' }), /one line/],
  ['has a name without end', () => document({ client_name: 'x'.repeat(101) }), /\/client_name/],
  ['has no address to return to', () => document({ redirect_uris: [] }), /\/redirect_uris/],
  [
    'returns to programs alone',
    () => document({ redirect_uris: ['javascript:alert(1)', 'editor://x', 'http://evil.example/'] }),
    /no address/,
  ],
  ['has a secret', () => document({ client_secret: 'x' }), /secret/],
  ['has an end of its secret', () => document({ client_secret_expires_at: 0 }), /secret/],
  ['wants to use a secret', () => document({ token_endpoint_auth_method: 'client_secret_post' }), /token_endpoint_auth_method/],
  ['wants to use a key', () => document({ token_endpoint_auth_method: 'private_key_jwt' }), /token_endpoint_auth_method/],
  ['wants another grant', () => document({ grant_types: ['client_credentials'] }), /grant_types/],
  ['wants another response', () => document({ response_types: ['token'] }), /response_types/],
  ['is larger than 10 KiB', () => document({ more: 'x'.repeat(10 * 1024) }), /larger/],
  ['is compressed to less than it is', () => document({}, { 'content-encoding': 'gzip' }), /cannot be fetched/],
  ['is no JSON', () => text('{"client_id":'), /not JSON/],
  [
    'is no text',
    () => (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from([0xff, 0xfe])),
    /not JSON/,
  ],
  ['is a list', () => text('[]'), /not valid/],
  ['is nested without end', () => text('['.repeat(5_000)), /not JSON/],
  ['is a page', () => text(JSON.stringify(described()), 'text/html'), /media type/],
  ['does not exist', () => text(JSON.stringify(described()), 'application/json', 404), /404/],
  ['is elsewhere', () => redirects, /302/],
  ['breaks off', () => (response) => response.destroy(), /cannot be fetched/],
])('a document that %s makes no client, and is not asked for again by itself', async (_what, make, words) => {
  answer = make()
  const { status, body } = await ask()
  expect([status, body.errors]).toMatchObject([400, [{ pointer: '/client_id', detail: expect.stringMatching(words) }]])
  expect(requests.every((path) => path === new URL(id).pathname)).toBe(true)
  // What was refused is not kept: the client is there as soon as its document is right.
  answer = document()
  expect((await ask()).body).toMatchObject({ client: 'An editor' })
})

test.each([
  ['http', () => id.replace('https:', 'http:')],
  ['a user', () => id.replace('https://', 'https://bank.example@')],
  ['a fragment', () => `${id}#x`],
  ['an empty fragment', () => `${id}#`],
  ['no path', () => `${origin}/`],
  ['segments of dots', () => `${origin}/a/../${new URL(id).pathname.slice(1)}`],
  ['encoded segments of dots', () => `${origin}/a/%2e%2e/b.json`],
  ['another spelling', () => id.replace('localhost', 'LocalHost')],
  ['a line', () => `${id}\n`],
  ['501 characters', () => `${id}?${'x'.repeat(500)}`],
])('an address with %s is no id of a client, and nothing is fetched', async (_what, wrong) => {
  const { status, body } = await ask({ client_id: wrong() })
  expect([status, body.errors[0].pointer]).toEqual([400, '/client_id'])
  expect(requests).toEqual([])
})

test.each(['https://169.254.169.254/latest/meta-data', 'https://[fd00:ec2::254]/x', 'https://10.0.0.1/x.json', 'https://[::1]/x.json'])(
  'the address %s inside of a network is refused without a connection',
  async (address) => {
    const { body } = await ask({ client_id: address })
    expect(body.errors).toMatchObject([
      { pointer: '/client_id', detail: expect.stringMatching(/not at an address that workflows may reach/) },
    ])
  },
)

test('a document is fetched once for all who ask, and again when it is no longer fresh; a client that left is gone', async () => {
  const replies = await Promise.all(Array.from({ length: 5 }, () => ask()))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect((await ask()).status).toBe(200)
  expect(requests).toHaveLength(1)
  answer = document({ client_name: 'Renamed', redirect_uris: ['https://editor.example/back'] })
  await expire()
  expect((await ask()).body.errors).toMatchObject([{ pointer: '/redirect_uri' }])
  expect((await ask({ redirect_uri: 'https://editor.example/back' })).body).toMatchObject({ client: 'Renamed' })
  answer = text('', 'text/plain', 404)
  await expire()
  expect((await ask({ redirect_uri: 'https://editor.example/back' })).status).toBe(400)
})

test('a document that is fetched again needs no room for another client, and replaces none', async () => {
  expect((await ask()).status).toBe(200)
  const { system } = server.database
  await sql`insert into oauth_clients (id, name, redirect_uris, created_at)
    select gen_random_uuid(), 'flood', '{https://flood.example/}', now() - interval '1 day' from generate_series(1, 5000)`.execute(system)
  await expire()
  expect((await ask()).status).toBe(200)
  const { rows } = await sql`delete from oauth_clients where name = 'flood' returning 1`.execute(system)
  expect(rows).toHaveLength(5000)
})

test.each([
  ['max-age=3600', 3600],
  ['public, max-age=1', 60],
  ['no-store', 60],
  ['max-age=99999999', 86_400],
  ['', 300],
])('a document with the cache control "%s" is fresh for %i seconds', async (cacheControl, seconds) => {
  answer = document({}, { 'cache-control': cacheControl })
  await ask()
  const { rows } = await sql<{ readonly seconds: number }>`
    select round(extract(epoch from fresh_until - created_at))::int as seconds from oauth_clients where id = ${id}`.execute(
    server.database.system,
  )
  expect(rows).toEqual([{ seconds }])
})

test('a code of such a client gives tokens to this client alone', async () => {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const decision = {
    response_type: 'code',
    client_id: id,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  const { body } = await account.send('POST', '/api/v1/oauth/authorization', { ...decision, allow: true })
  const code = new URL(body.redirectTo).searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
  const exchange = (clientId: string) =>
    fetch(`${server.url}/oauth/token`, { method: 'POST', body: new URLSearchParams({ ...form, client_id: clientId }) })
  expect((await exchange(`${origin}/clients/other.json`)).status).toBe(400)
  expect(requests).toHaveLength(1)
  const { data } = (await account.send('GET', '/api/v1/audit/query?event=oauth.decided&limit=1')).body
  expect(data).toMatchObject([{ target: id, details: { client: 'An editor', allowed: true } }])
})

const expire = () => sql`update oauth_clients set fresh_until = now() where id = ${id}`.execute(server.database.system)
