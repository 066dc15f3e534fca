import { createServer } from 'node:https'
import { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCertificate } from '#testing/net/certificate.ts'
import { closed, listen } from '#testing/net/server.ts'
import { runTasks } from '#testing/run-tasks.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const far = new Date('2999-01-01T00:00:00Z')
const own = createCertificate('localhost', far)
const clients = { shop: createCertificate('shop', far), bank: createCertificate('bank', far) }
const unknown = createCertificate('unknown', far)

/** Answers with the name in the certificate of the client; without one of its clients the handshake fails. */
const service = createServer(
  { ...own, ca: [clients.shop.cert, clients.bank.cert], requestCert: true, rejectUnauthorized: true },
  (request, response) => {
    const name = request.socket instanceof TLSSocket ? String(request.socket.getPeerCertificate().subject.CN) : ''
    if (request.url === '/away') response.writeHead(302, { location: `https://127.0.0.1:${port}/me` }).end()
    else response.setHeader('content-type', 'application/json').end(JSON.stringify({ name }))
  },
)
service.on('tlsClientError', () => {})

let port: number
let server: TestServer
let account: TestAccount
beforeAll(async () => {
  ;({ port } = await listen(service))
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(async () => {
  await server.close()
  await closed(service, () => service.closeAllConnections())
})

const connect = (name: string, identity: string, settings: object = {}) =>
  account.send('POST', '/api/v1/connections', {
    name,
    settings: { kind: 'mutual-tls', url: `https://localhost:${port}`, caCertificate: own.cert, testPath: '/me', ...settings },
    secrets: { identity },
  })

test('a client certificate proves each connection to the service, and is in no reply', async () => {
  for (const [name, { cert, key }] of Object.entries(clients)) {
    // As a field of one line keeps it.
    const made = await connect(name, name === 'bank' ? (key + cert).replaceAll('\n', '') : cert + key)
    expect(made.body).toMatchObject({ state: 'ready', problem: null, secretNames: ['identity'] })
    expect(JSON.stringify(made.body)).not.toContain('PRIVATE KEY')
  }
  const operation = (name: string) => ({ name, summary: name, method: 'get', path: `/${name}` })
  const document = { connector: '1.0', title: 'Me', servers: ['https://api.example.com'], operations: [operation('me'), operation('away')] }
  expect((await account.send('POST', '/api/v1/connectors', { name: 'service', kind: 'manifest', document })).status).toBe(200)
  const end = await runTasks(account, [
    { first: { call: 'service.me', with: { connection: 'shop' }, export: { as: '${ { first: .name } }' } } },
    { second: { call: 'service.me', with: { connection: 'bank' }, output: { as: '${ [$context.first, .name] }' } } },
  ])
  expect([end.error, end.output]).toEqual([undefined, ['shop', 'bank']])
  expect((await runTasks(account, [{ away: { call: 'service.away', with: { connection: 'shop' } } }])).state).toBe('faulted')
})

test('a client that the service does not know, and a service of an unknown authority, are problems of the connection', async () => {
  expect((await connect('unknown', unknown.cert + unknown.key)).body).toMatchObject({ state: 'failed', problem: expect.any(String) })
  const { cert, key } = clients.shop
  expect((await connect('untrusting', cert + key, { caCertificate: undefined })).body).toMatchObject({ state: 'failed' })
})

test.each<[string, string, object, string, RegExp]>([
  ['no certificate', clients.shop.key, {}, '/secrets/identity', /certificate in PEM/],
  ['no key', clients.shop.cert, {}, '/secrets/identity', /one private key/],
  ['the key of another', clients.shop.cert + clients.bank.key, {}, '/secrets/identity', /does not belong/],
  ['an authority that is no certificate', clients.shop.cert + clients.shop.key, { caCertificate: 'x' }, '/settings/caCertificate', /PEM/],
])('%s is refused with its place', async (_what, identity, settings, pointer, words) => {
  const { status, body } = await connect('refused', identity, settings)
  expect([status, body.errors]).toEqual([400, [{ pointer, detail: expect.stringMatching(words) }]])
})
