import { afterEach, describe, expect, test } from 'vitest'
import { WorkflowError } from '#core/error.ts'
import { sendJson } from '#effects/http/testing-server.ts'
import { createOpenApiFunction } from './openapi-function.ts'
import { documentWith, failure, kindOf, startApi, type TestApi } from './testing-api.ts'

// What a call gives back, and what it says when it fails.

let api: TestApi | undefined
afterEach(() => api?.close())

test('text and bytes come back as call: http gives them', async () => {
  api = await startApi(documentWith({}), {
    handle: ({ url }, response) => {
      if (url.includes('text')) response.writeHead(200, { 'content-type': 'text/plain' }).end('a text')
      else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(Buffer.from([0, 1, 2]))
    },
  })
  await expect(api.call('op')).resolves.toBe('AAEC')
  await expect(api.call('op', {}, { output: 'raw' })).resolves.toBe('AAEC')
  await expect(api.call('op', {}, { output: 'response' })).resolves.toMatchObject({ statusCode: 200, content: 'AAEC' })
})

describe('a redirect', () => {
  const handle: NonNullable<Parameters<typeof startApi>[1]>['handle'] = (_, response) => {
    response.writeHead(304).end()
  }

  test('is an error unless the author takes it', async () => {
    api = await startApi(documentWith({}), { handle })
    expect(await failure(api.call('op'))).toMatchObject({ status: 304 })
    await expect(api.call('op', {}, { redirect: true })).resolves.toBeNull()
    expect(api.asked.filter(({ url }) => url.startsWith('https://api.test')).map(({ followRedirects }) => followRedirects)).toEqual([
      false,
      true,
    ])
  })
})

test('a failed operation keeps its status, what it says and how long it wants to be left alone', async () => {
  api = await startApi(documentWith({}), {
    handle: (_, response) => sendJson(response, 429, { message: 'slow down' }, { 'retry-after': '9' }),
  })
  const error = await api.call('op').catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(WorkflowError)
  expect(error).toMatchObject({
    retryAfterMs: 9_000,
    data: {
      type: 'https://open-workflow-specification.org/spec/1.0.0/errors/communication',
      status: 429,
      detail: expect.stringMatching(/^POST https:\/\/api.test\/things answered 429.*slow down/),
    },
  })
})

test('a secret is masked wherever the call is reported', async () => {
  const parameters = [
    { name: 'key', in: 'query' },
    { name: 'X-Key', in: 'header' },
  ]
  api = await startApi(documentWith({ parameters }))
  const given = { key: 'hush-hush', 'X-Key': 'hush-hush' }
  const response = await api.call('op', given, { output: 'response' }, { secrets: { deep: [{ token: 'hush-hush' }] } })
  expect(JSON.stringify(response)).not.toContain('hush-hush')
  expect(response).toMatchObject({ request: { uri: 'https://api.test/things?key=***', headers: { 'x-key': '***' } } })
  expect(api.last()).toMatchObject({ url: '/things?key=hush-hush', headers: { 'x-key': 'hush-hush' } })
})

test('an error contains no secret of a parameter', async () => {
  api = await startApi(documentWith({ parameters: [{ name: 'key', in: 'path' }] }, {}, '/things/{key}'), {
    handle: ({ url }, response) => sendJson(response, 400, { message: `not found: ${url}` }),
  })
  const error = await failure(api.call('op', { key: 'hush hush' }, {}, { secrets: { token: 'hush hush' } }))
  expect(error.detail).not.toMatch(/hush/)
})

test('a cancelled call is not an error of the workflow', async () => {
  const controller = new AbortController()
  api = await startApi(documentWith({}), { handle: () => controller.abort(new Error('the workflow was cancelled')) })
  const outcome = await api.call('op', {}, {}, { signal: controller.signal }).catch((caught: unknown) => caught)
  expect(outcome).not.toBeInstanceOf(WorkflowError)
  expect(outcome).toMatchObject({ message: 'the workflow was cancelled' })
})

test('the address of the document may be a template', async () => {
  api = await startApi(documentWith({}))
  await api.call('op', {}, { document: { endpoint: 'http://documents.test/v1/{file}' } }, { input: { file: 'openapi.json' } })
  expect(api.asked[0]?.url).toBe('http://documents.test/v1/openapi.json')
})

test('digest authentication answers a challenge for the operation', async () => {
  const challenge = 'Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256'
  api = await startApi(documentWith({}), {
    handle: ({ headers }, response) => {
      if (headers.authorization === undefined) response.writeHead(401, { 'www-authenticate': challenge }).end()
      else sendJson(response, 200, { authorization: headers.authorization })
    },
  })
  const authentication = { digest: { username: 'user', password: 'password' } }
  await expect(api.call('op', {}, { authentication })).resolves.toEqual({ authorization: expect.stringMatching(/^Digest username="user"/) })
})

test.each([
  [{ basic: { username: 'u' } }, 'configuration'],
  [{ bearer: { token: 'a' }, basic: { username: 'u', password: 'p' } }, 'configuration'],
  [{ bearer: { use: 'missing' } }, 'authorization'],
])('a policy that cannot work is an error: %j', async (authentication, kind) => {
  api = await startApi(documentWith({}))
  expect(kindOf(await failure(api.call('op', {}, { authentication })))).toBe(kind)
  expect(api.received).toEqual([])
})

test('a bug of the port is no error of the workflow', async () => {
  const openapi = createOpenApiFunction({
    http: { request: () => Promise.reject(new TypeError('a bug')) },
    clock: () => 0,
    randomId: () => 'a-fixed-id-for-this-test',
    limits: { timeoutMs: 1_000, maxResponseBytes: 1_000 },
  })
  const call = openapi({
    accountId: 'account',
    executionId: 'execution',
    arguments: { document: { endpoint: 'http://documents.test/' }, operationId: 'op' },
    input: {},
    secrets: {},
    idempotencyKey: 'key',
    signal: new AbortController().signal,
  })
  await expect(call).rejects.toThrow(TypeError)
})
