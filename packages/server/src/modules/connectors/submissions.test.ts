import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
let operator: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  operator = await server.registerAccount()
  await sql`update users set is_operator = true where id = ${operator.userId}`.execute(server.database.system)
})
afterAll(() => server.close())

const path = '/api/v1/connector-submissions'
const operation = {
  name: 'track',
  summary: 'Where a parcel is.',
  method: 'get',
  path: '/parcels/{number}',
  parameters: { number: { in: 'path' } },
}
const manifest = { connector: '1.0', title: 'Parcels', servers: ['https://api.parcels.example'], operations: [operation] }
const openapi = {
  openapi: '3.1.0',
  info: { title: 'Weather', version: '2.0' },
  servers: [{ url: 'https://api.weather.example/v2' }],
  paths: { '/now': { get: { operationId: 'now', summary: 'The weather now.', responses: { 200: { description: 'It.' } } } } },
}
const proposal = { name: 'parcels', kind: 'manifest', summary: 'Follows parcels everywhere.', licence: 'MIT', document: manifest }

const propose = (account: TestAccount, more: object = {}) => account.send('POST', path, { ...proposal, ...more })
const decide = (account: TestAccount, id: string, body: object, headers = {}) => account.send('PATCH', `${path}/${id}`, body, headers)

describe('the automatic checks', () => {
  test('a manifest and an OpenAPI document are described, as object, JSON or YAML', async () => {
    const account = await server.registerAccount()
    expect((await propose(account)).body).toMatchObject({
      state: 'pending',
      title: 'Parcels',
      hosts: ['api.parcels.example'],
      operations: [{ name: 'track', method: 'get', path: '/parcels/{number}' }],
      own: true,
    })
    for (const document of [openapi, JSON.stringify(openapi)])
      expect((await propose(account, { name: 'weather', kind: 'openapi', document })).body).toMatchObject({
        title: 'Weather',
        version: '2.0',
        hosts: ['api.weather.example'],
        operationCount: 1,
      })
    const yaml =
      "connector: '1.0'\ntitle: Yaml\nservers: [https://api.yaml.example]\noperations:\n  - { name: a, summary: b, method: get, path: /a }\n"
    expect((await propose(account, { name: 'yaml', document: yaml })).body).toMatchObject({ title: 'Yaml', operationCount: 1 })
  })

  test('a large public OpenAPI document is accepted', async () => {
    const account = await server.registerAccount()
    const file = createRequire(import.meta.url).resolve('@readme/oas-examples/3.0/json/petstore.json')
    const document: unknown = { ...JSON.parse(await readFile(file, 'utf8')), servers: [{ url: 'https://petstore.example.com/v2' }] }
    expect((await propose(account, { name: 'petstore', kind: 'openapi', document })).body).toMatchObject({ operationCount: 20 })
  })

  const key = ['AK', 'IA', 'Q3EGRIGAJPLLTMNV'].join('')
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
  test.each<[string, object, string]>([
    ['an unknown member', { document: { ...manifest, script: 'x' } }, '/document'],
    [
      'a path variable without parameter',
      { document: { ...manifest, operations: [{ ...operation, parameters: {} }] } },
      '/document/operations/0/path',
    ],
    ['two operations of one name', { document: { ...manifest, operations: [operation, operation] } }, '/document/operations/1/name'],
    ['http', { document: { ...manifest, servers: ['http://api.parcels.example'] } }, '/document/servers/0'],
    ['an address', { document: { ...manifest, servers: ['https://169.254.169.254/latest'] } }, '/document/servers/0'],
    ['an internal host', { document: { ...manifest, servers: ['https://vault.internal'] } }, '/document/servers/0'],
    ['credentials in a URL', { document: { ...manifest, servers: ['https://a:b@api.parcels.example'] } }, '/document/servers/0'],
    ['a secret', { document: { ...manifest, description: `Use ${key}` } }, '/document/description'],
    ['markup', { document: { ...manifest, description: '<script src=//evil.example>' } }, '/document/description'],
    ['text that changes direction', { document: { ...manifest, title: 'a\u202Eb' } }, '/document/title'],
    [
      'a file reference',
      { kind: 'openapi', document: { ...openapi, components: { $ref: 'file:///etc/hostname' } } },
      '/document/components/$ref',
    ],
    ['Swagger 2', { kind: 'openapi', document: { swagger: '2.0', info: {}, paths: {} } }, '/document/openapi'],
    ['no operation', { kind: 'openapi', document: { ...openapi, paths: {} } }, '/document/paths'],
    [
      'a document against the specification',
      { kind: 'openapi', document: { ...openapi, paths: { '/x': { get: { operationId: 'x', parameters: 3 } } } } },
      '/document',
    ],
    ['a list', { document: '[1]' }, '/document'],
    ['a text that is too deep', { document: deep }, '/document'],
    [
      'a text that grows by aliases',
      {
        document: `a: &a [1,2]\n${[...'bcdefghijklmnopqrstuvwx'].map((letter, index) => `${letter}: &${letter} [*${'abcdefghijklmnopqrstuvwx'[index]},*${'abcdefghijklmnopqrstuvwx'[index]}]`).join('\n')}`,
      },
      '/document',
    ],
    ['a name of the installation', { name: 'email' }, '/name'],
  ])('%s is refused with its place', async (_what, more, pointer) => {
    const account = await server.registerAccount()
    const { status, body } = await propose(account, more)
    expect([status, body.code]).toEqual([422, 'connector_invalid'])
    expect(body.errors[0].pointer.startsWith(pointer), JSON.stringify(body.errors.slice(0, 3))).toBe(true)
    expect(JSON.stringify(body)).not.toContain(key)
  })

  test('what only looks like a secret is left to the operator', async () => {
    const account = await server.registerAccount()
    const { body } = await propose(account, { document: { ...manifest, description: 'Send "Authorization: Bearer abcdefgh12345678".' } })
    expect(body.checks).toContainEqual(expect.objectContaining({ name: 'secrets', severity: 'warning', pointer: '/document/description' }))
  })

  test('a document of over two million characters is refused', async () => {
    const account = await server.registerAccount()
    const { body } = await propose(account, { document: `# ${'x'.repeat(2_000_000)}\n` })
    expect(body).toMatchObject({ code: 'connector_invalid', errors: [{ pointer: '/document' }] })
  })
})

describe('decisions', () => {
  test('an approved connector is in the catalogue with its origin and document, and leaves it when it is rejected', async () => {
    const [account, reader] = [await server.registerAccount(), await server.registerAccount()]
    const { body: submission } = await propose(account, { name: 'approved-one' })
    expect((await reader.send('GET', `/api/v1/connectors/${submission.id}`)).status).toBe(404)
    expect((await decide(account, submission.id, { state: 'approved' })).status).toBe(403)
    expect((await decide(reader, submission.id, { state: 'withdrawn' })).status).toBe(404)
    expect((await decide(operator, submission.id, { state: 'approved' })).body).toMatchObject({
      state: 'approved',
      revision: 2,
      own: false,
    })
    const { body: connector } = await reader.send('GET', `/api/v1/connectors/${submission.id}`)
    expect(connector).toMatchObject({
      name: 'approved-one',
      kind: 'manifest',
      origin: { kind: 'submission', submissionId: submission.id, licence: 'MIT', checksum: submission.checksum },
      document: manifest,
    })
    const { body: again } = await propose(reader, { name: 'approved-one' })
    expect(await decide(operator, again.id, { state: 'approved' })).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await decide(operator, submission.id, { state: 'rejected' })).body).toMatchObject({ errors: [{ pointer: '/reason' }] })
    await decide(operator, submission.id, { state: 'rejected', reason: 'The service closed.' })
    expect((await reader.send('GET', `/api/v1/connectors/${submission.id}`)).status).toBe(404)
    expect((await decide(operator, again.id, { state: 'approved' })).status).toBe(200)
  })

  test('an account sees its own proposals, and an operator all of them', async () => {
    const [account, other] = [await server.registerAccount(), await server.registerAccount()]
    const { body: submission } = await propose(account, { name: 'private-one' })
    const ids = async (reader: TestAccount) => (await reader.send('GET', `${path}?limit=100`)).body.data.map(({ id }: { id: string }) => id)
    expect(await ids(account)).toEqual([submission.id])
    expect(await ids(other)).toEqual([])
    expect(await ids(operator)).toContain(submission.id)
    expect((await operator.send('GET', `${path}?state=approved`)).body.data).not.toContainEqual(
      expect.objectContaining({ id: submission.id }),
    )
  })

  test('a decision is final, and made on the revision that was read', async () => {
    const account = await server.registerAccount()
    const { body: submission } = await propose(account, { name: 'final-one' })
    const stale = await decide(operator, submission.id, { state: 'approved' }, { 'if-match': '"7"' })
    expect(stale).toMatchObject({ status: 409, body: { code: 'revision_mismatch' } })
    await decide(account, submission.id, { state: 'withdrawn' })
    expect(await decide(operator, submission.id, { state: 'approved' })).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  test('two operators cannot approve two connectors of one name at the same time', async () => {
    const account = await server.registerAccount()
    const proposed = await Promise.all([1, 2, 3, 4].map(() => propose(account, { name: 'raced' })))
    const decided = await Promise.all(proposed.map(({ body }) => decide(operator, body.id, { state: 'approved' })))
    expect(decided.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(decided.filter(({ body }) => body.code === 'conflict')).toHaveLength(3)
  })

  test('an account has at most 20 undecided proposals', async () => {
    const account = await server.registerAccount()
    const answers = await Promise.all(Array.from({ length: 22 }, () => propose(account)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })
})

test('the catalogue lists the functions of the installation and the approved connectors, page by page', async () => {
  const seen: string[] = []
  let cursor = ''
  do {
    const { body } = await operator.send('GET', `/api/v1/connectors?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
    seen.push(...body.data.map(({ name }: { name: string }) => name))
    cursor = body.nextCursor ?? ''
  } while (cursor !== '')
  expect(seen).toEqual(expect.arrayContaining(['approve', 'email', 'respond']))
  expect(new Set(seen).size).toBe(seen.length)
  expect((await operator.send('GET', '/api/v1/connectors?q=SMTP')).body.data).toMatchObject([{ id: 'email', origin: { kind: 'built-in' } }])
  expect((await operator.send('GET', '/api/v1/connectors/email')).body.inputSchema).toMatchObject({ required: ['to', 'subject'] })
})
