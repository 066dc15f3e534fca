import { describe, expect, onTestFinished, test } from 'vitest'
import { WorkflowError } from '#core/error.ts'
import type { EffectCall } from '#durable/ports/effects.ts'
import type { HttpPort, HttpReply } from '#effects/http/index.ts'
import { fetchPort } from '#effects/http/testing-port.ts'
import { sendJson, startServer, type TestServer } from '#effects/http/testing-server.ts'
import { createHttpFunction, createHttpFunctions } from './http-functions.ts'

const deps = {
  clock: () => 0,
  randomId: () => 'a-fixed-id-for-this-test',
  limits: { timeoutMs: 1_000, timeoutMsMax: 2_000, maxResponseBytes: 1_000 },
  version: '1.2.3',
}
const replying = (reply: Partial<HttpReply>): HttpPort => ({
  request: async ({ url }) => ({ status: 200, headers: {}, body: new Uint8Array(), url, ...reply }),
})
const given = (more: Partial<EffectCall> = {}): EffectCall => ({
  accountId: 'account',
  executionId: 'execution',
  arguments: { method: 'get', endpoint: 'http://service.test/' },
  input: {},
  secrets: {},
  idempotencyKey: 'key',
  signal: new AbortController().signal,
  ...more,
})

function calling(reply: Partial<HttpReply>, secrets = {}) {
  return createHttpFunction({ ...deps, http: replying(reply) })(given({ secrets }))
}

async function serve(handle: Parameters<typeof startServer>[0]): Promise<TestServer> {
  const server = await startServer(handle)
  onTestFinished(() => server.close())
  return server
}

test('a failed call keeps how long the other side asks to be left alone', async () => {
  const error = await calling({ status: 503, headers: { 'retry-after': '7' } }).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(WorkflowError)
  expect(error).toMatchObject({ retryAfterMs: 7_000, data: { status: 503 } })
})

test('a failed call that asks for nothing keeps nothing', async () => {
  await expect(calling({ status: 500 })).rejects.toMatchObject({ retryAfterMs: undefined })
})

test.each(['hush-hush', 'hush5'])('the error of a failed call does not contain the secret %s', async (token) => {
  const headers = { 'content-type': 'text/plain' }
  const failed = calling({ status: 500, headers, body: Buffer.from(`your token ${token} is wrong`) }, { deep: [{ token }] })
  const error = await failed.catch((caught: unknown) => caught)
  expect(error).toMatchObject({ data: { detail: expect.stringContaining('your token *** is wrong') } })
})

describe('a call of an execution', () => {
  const http = createHttpFunction({ ...deps, http: fetchPort })

  test('has the key of its attempt, the properties of its input in the address, and its secrets by name', async () => {
    const server = await serve((_request, response) => sendJson(response, 200, { done: true }))
    const authentication = { bearer: { use: 'shop' } }
    const endpoint = { uri: `${server.origin}/orders/{order}`, authentication }
    const output = await http(
      given({
        arguments: { method: 'post', endpoint, body: { n: 1 } },
        input: { order: 'a/7' },
        secrets: { shop: { token: 'hush-hush' } },
        idempotencyKey: 'attempt-3',
      }),
    )
    expect(output).toEqual({ done: true })
    expect(server.received).toMatchObject([
      { method: 'POST', url: '/orders/a%2F7', headers: { authorization: 'Bearer hush-hush', 'idempotency-key': 'attempt-3' } },
    ])
  })

  test.each(['other', 'constructor', '__proto__'])('sends nothing for a secret that it may not read: %j', async (name) => {
    const server = await serve((_request, response) => sendJson(response, 200, {}))
    const endpoint = { uri: server.origin, authentication: { bearer: { use: name } } }
    await expect(http(given({ arguments: { method: 'get', endpoint }, secrets: { shop: 'hush-hush' } }))).rejects.toMatchObject({
      data: { type: expect.stringMatching(/\/authorization$/), status: 403 },
    })
    expect(server.received).toEqual([])
  })

  test('that is aborted ends with the reason of its signal, which no workflow catches', async () => {
    const controller = new AbortController()
    const server = await serve(() => controller.abort(new Error('cancelled')))
    const calls = http(given({ arguments: { method: 'get', endpoint: server.origin }, signal: controller.signal }))
    const error: unknown = await calls.catch((caught: unknown) => caught)
    expect(error).toMatchObject({ message: 'cancelled' })
    expect(error).not.toBeInstanceOf(WorkflowError)
  })

  test('whose port has a bug is not something that a workflow can catch', async () => {
    const broken = createHttpFunction({ ...deps, http: { request: () => Promise.reject(new RangeError('a bug')) } })
    const error: unknown = await broken(given()).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(RangeError)
  })
})

describe('tokens', () => {
  /** Gives a new token at each asking, and answers with the one that it is called with. */
  async function authority() {
    let tokens = 0
    const server = await serve(({ url, headers }, response) => {
      if (url === '/token') sendJson(response, 200, { access_token: `token-${++tokens}`, token_type: 'Bearer', expires_in: 3_600 })
      else sendJson(response, 200, headers.authorization)
    })
    const asArguments = (id: string, secret: string) => ({
      method: 'get',
      endpoint: {
        uri: server.origin,
        authentication: {
          oauth2: { authority: server.origin, endpoints: { token: '/token' }, grant: 'client_credentials', client: { id, secret } },
        },
      },
    })
    return { asArguments, asked: () => tokens }
  }

  test('are asked for once, and used by all calls with the same credentials', async () => {
    const { asArguments, asked } = await authority()
    const http = createHttpFunction({ ...deps, http: fetchPort })
    const call = (executionId: string) => http(given({ executionId, arguments: asArguments('one', 'hush-hush') }))
    expect([await call('a'), await call('b'), await call('c')]).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-1'])
    expect(asked()).toBe(1)
  })

  test.each([
    ['another client', 'two', 'hush-hush'],
    ['another secret of it', 'one', 'other-hush'],
  ])('are never those of %s', async (_what, id, secret) => {
    const { asArguments } = await authority()
    const http = createHttpFunction({ ...deps, http: fetchPort })
    expect(await http(given({ arguments: asArguments('one', 'hush-hush') }))).toBe('Bearer token-1')
    expect(await http(given({ accountId: 'another', arguments: asArguments(id, secret) }))).toBe('Bearer token-2')
  })
})

describe('all that calls services', () => {
  test('is there once, by the name that a definition calls it by', () => {
    const functions = createHttpFunctions({ ...deps, http: replying({}) })
    expect(functions.map(([name]) => name)).toEqual(['http', 'openapi', 'mcp'])
  })

  test.each([
    ['http', { method: 'get', endpoint: 'http://10.0.0.1/' }],
    ['openapi', { document: { endpoint: 'http://10.0.0.1/' }, operationId: 'x' }],
    ['mcp', { method: 'tools/list', transport: { http: { endpoint: 'http://10.0.0.1/' } } }],
  ])('goes out by the port that may refuse it: %s', async (name, args) => {
    const denied = Object.assign(new Error('a private address'), { reason: 'denied' })
    const perform = new Map(createHttpFunctions({ ...deps, http: { request: () => Promise.reject(denied) } })).get(name)
    const error: unknown = await perform?.(given({ arguments: args })).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(WorkflowError)
    expect(error).toMatchObject({ data: { status: 403, title: 'Address not allowed' } })
  })

  test.each(['http', 'openapi', 'mcp'])('says what is wrong with its arguments before anything is sent: %s', async (name) => {
    const sent: string[] = []
    const http: HttpPort = {
      request: async ({ url }) => {
        sent.push(url)
        throw new Error('nothing may be sent')
      },
    }
    const perform = new Map(createHttpFunctions({ ...deps, http })).get(name)
    const error: unknown = await perform?.(given({ arguments: { unknown: 1 } })).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(WorkflowError)
    expect(error).toMatchObject({ data: { type: expect.stringMatching(/\/validation$/), detail: expect.stringContaining('"unknown"') } })
    expect(sent).toEqual([])
  })
})
