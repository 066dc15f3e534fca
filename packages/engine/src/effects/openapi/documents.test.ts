import { describe, expect, test } from 'vitest'
import { sendJson, startServer } from '#effects/http/testing-server.ts'
import { fetchPort } from '#effects/http/testing-port.ts'
import { createOpenApiFunction } from './openapi-function.ts'
import { documentUrl, documentWith, failure, kindOf, startApi } from './testing-api.ts'

// How a document is got, kept and asked for again.

const hosted = (api: { readonly asked: readonly { readonly url: string }[] }) => api.asked.filter(({ url }) => url === documentUrl)

test('a document is got once for many calls', async () => {
  const api = await startApi(documentWith({}))
  await api.call('op')
  await api.call('op')
  await Promise.all([api.call('op'), api.call('op')])
  expect(hosted(api)).toHaveLength(1)
  expect(api.received).toHaveLength(4)
  await api.close()
})

test('calls that come at once get it once', async () => {
  const api = await startApi(documentWith({}))
  await Promise.all([api.call('op'), api.call('op'), api.call('op')])
  expect(hosted(api)).toHaveLength(1)
  await api.close()
})

test('another account gets its own, and so does another credential', async () => {
  const api = await startApi(documentWith({}))
  const withToken = (token: string) => ({ document: { endpoint: { uri: documentUrl, authentication: { bearer: { token } } } } })
  await api.call('op', {}, {}, { accountId: 'one' })
  await api.call('op', {}, {}, { accountId: 'other' })
  await api.call('op', {}, withToken('a'), { accountId: 'one' })
  await api.call('op', {}, withToken('b'), { accountId: 'one' })
  await api.call('op', {}, withToken('b'), { accountId: 'one' })
  expect(hosted(api)).toHaveLength(4)
  await api.close()
})

test('a document that a secret opened is not for a workflow that cannot read the secret', async () => {
  const api = await startApi(documentWith({}))
  const more = { document: { endpoint: { uri: documentUrl, authentication: { bearer: { use: 'token' } } } } }
  await api.call('op', {}, more, { secrets: { token: 'hush-hush' } })
  const error = await failure(api.call('op', {}, more))
  expect(kindOf(error)).toBe('authorization')
  expect(error.detail).toContain('The secret "token" does not exist')
  await api.close()
})

test('an unchanged document is not sent again', async () => {
  let now = 0
  const server = await startServer(({ url, headers }, response) => {
    if (url === '/op') return sendJson(response, 200, {})
    if (headers['if-none-match'] === '"v1"') return response.writeHead(304).end()
    return sendJson(response, 200, documentWith({}, { servers: [] }, '/op', 'get'), { etag: '"v1"' })
  })
  const openapi = createOpenApiFunction({
    http: fetchPort,
    clock: () => now,
    randomId: () => 'a-fixed-id-for-this-test',
    limits: { timeoutMs: 5_000, maxResponseBytes: 10_000 },
  })
  const call = () =>
    openapi({
      accountId: 'account',
      executionId: 'execution',
      arguments: { document: { endpoint: `${server.origin}/{name}`, name: 'the document' }, operationId: 'op' },
      input: { name: 'document' },
      secrets: {},
      idempotencyKey: 'key',
      signal: new AbortController().signal,
    })
  await call()
  now = 299_999
  await call()
  now = 300_000
  await call()
  now = 599_999
  await call()
  expect(server.received.map(({ url, headers }) => [url, headers['if-none-match']])).toEqual([
    ['/document', undefined],
    ['/op', undefined],
    ['/op', undefined],
    ['/document', '"v1"'],
    ['/op', undefined],
    ['/op', undefined],
  ])
  await server.close()
})

test('where the document is may need credentials that the operation does not get, and the other way round', async () => {
  const api = await startApi(documentWith({}))
  const document = { endpoint: { uri: documentUrl, authentication: { basic: { username: 'reader', password: 'pass' } } } }
  await api.call('op', {}, { document, authentication: { bearer: { token: 'operation-token' } } })
  const [first, second] = api.asked
  expect(first?.headers['authorization']).toBe(`Basic ${Buffer.from('reader:pass').toString('base64')}`)
  expect(second?.headers['authorization']).toBe('Bearer operation-token')
  await api.close()
})

test('without credentials none are sent, whatever the document asks for', async () => {
  const security = { security: [{ key: [] }, { basic: [] }] }
  const schemes = { key: { type: 'apiKey', name: 'X-Key', in: 'header' }, basic: { type: 'http', scheme: 'basic' } }
  const api = await startApi(documentWith(security, { components: { securitySchemes: schemes } }))
  await api.call('op')
  expect(api.last().headers).not.toHaveProperty('authorization')
  expect(api.last().headers).not.toHaveProperty('x-key')
  await api.close()
})

test.each([
  ['query', 'https://api.test/things?X-Key=abc', undefined, undefined],
  ['header', 'https://api.test/things', 'abc', undefined],
  ['cookie', 'https://api.test/things', undefined, 'X-Key=abc'],
])('an API key that belongs in the %s goes there when the author gives it', async (place, url, header, cookie) => {
  const schemes = { key: { type: 'apiKey', name: 'X-Key', in: place } }
  const api = await startApi(documentWith({}, { security: [{ key: [] }], components: { securitySchemes: schemes } }))
  await api.call('op', { 'X-Key': 'abc' })
  expect(api.target()).toBe(url)
  expect(api.last().headers['x-key']).toBe(header)
  expect(api.last().headers.cookie).toBe(cookie)
  await api.close()
})

test('an API key of a scheme that the operation does without is unknown', async () => {
  const schemes = { key: { type: 'apiKey', name: 'X-Key', in: 'header' } }
  const api = await startApi(documentWith({ security: [] }, { security: [{ key: [] }], components: { securitySchemes: schemes } }))
  expect((await failure(api.call('op', { 'X-Key': 'abc' }))).detail).toContain('no parameter "X-Key"')
  await api.close()
})

describe('a document that cannot be got', () => {
  test('is an error of the call, with the status and what the server says', async () => {
    const server = await startServer((_, response) => sendJson(response, 503, { message: 'come back' }, { 'retry-after': '7' }))
    const api = await startApi({})
    const error = await failure(api.call('op', {}, { document: { endpoint: `${server.origin}/none` } }))
    expect(kindOf(error)).toBe('configuration')
    await api.close()
    const openapi = createOpenApiFunction({
      http: fetchPort,
      clock: () => 0,
      randomId: () => 'a-fixed-id-for-this-test',
      limits: { timeoutMs: 5_000, maxResponseBytes: 10_000 },
    })
    const call = openapi({
      accountId: 'account',
      executionId: 'execution',
      arguments: { document: { endpoint: server.origin }, operationId: 'op' },
      input: {},
      secrets: {},
      idempotencyKey: 'key',
      signal: new AbortController().signal,
    })
    await expect(call).rejects.toMatchObject({
      retryAfterMs: 7_000,
      data: { status: 503, detail: expect.stringMatching(/^The OpenAPI document could not be fetched: GET .* answered 503.*come back/) },
    })
    await server.close()
  })

  test('because it is too large', async () => {
    const api = await startApi(documentWith({ description: 'x'.repeat(5_000) }), { maxResponseBytes: 1_000 })
    const error = await failure(api.call('op'))
    expect(kindOf(error)).toBe('communication')
    expect(error.detail).toContain('larger than 1000 bytes')
    await api.close()
  })

  test('because the call is cancelled', async () => {
    const api = await startApi(documentWith({}))
    const controller = new AbortController()
    controller.abort(new Error('the workflow was cancelled'))
    await expect(api.call('op', {}, {}, { signal: controller.signal })).rejects.toThrow('the workflow was cancelled')
    expect(api.asked).toEqual([])
    await api.close()
  })

  test('an error about a document contains no secret', async () => {
    const api = await startApi('<html>the token hush-hush is wrong</html>')
    const error = await failure(
      api.call(
        'op',
        {},
        { document: { endpoint: 'http://documents.test/v1/openapi.json/hush-hush' } },
        { secrets: { token: 'hush-hush' } },
      ),
    )
    expect(error.detail).toContain('***')
    expect(error.detail).not.toContain('hush-hush')
    await api.close()
  })
})

test('a path that stands elsewhere in the document is called where it is named', async () => {
  const item = { parameters: [{ name: 'id', in: 'path' }], get: { operationId: 'shared', responses: {} } }
  const api = await startApi({
    openapi: '3.1.0',
    servers: [{ url: 'https://api.test' }],
    paths: { '/things/{id}': { $ref: '#/components/pathItems/Thing' } },
    components: { pathItems: { Thing: item } },
  })
  await api.call('shared', { id: 7 })
  expect(api.last()).toMatchObject({ method: 'GET', url: '/things/7' })
  await api.close()
})

test('a document that cannot be read is asked for again by the next call', async () => {
  const api = await startApi('no document')
  expect(kindOf(await failure(api.call('op')))).toBe('configuration')
  expect(kindOf(await failure(api.call('op')))).toBe('configuration')
  expect(hosted(api)).toHaveLength(2)
  await api.close()
})
