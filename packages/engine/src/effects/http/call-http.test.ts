import { gzipSync } from 'node:zlib'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { callHttp } from './call-http.ts'
import { type Received, sendJson, startServer, type TestServer } from './testing-server.ts'
import { failureOf } from './testing-outcome.ts'
import { type TestContextOptions, testContext } from './testing-context.ts'

let server: TestServer

const routes: Readonly<Record<string, (request: Received, response: ServerResponse) => void>> = {
  '/echo': (request, response) =>
    sendJson(response, 200, { method: request.method, url: request.url, headers: request.headers, body: request.body.toString() }),
  '/pet': (_, response) => sendJson(response, 200, { id: 7 }, { 'x-request-id': 'r-1' }),
  '/text': (_, response) => response.writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from([0xfc])),
  '/binary': (_, response) => response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(Buffer.from([1, 2, 255])),
  '/gzip': (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync('{"zipped":true}')),
  '/chunked': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('[1,')
    setImmediate(() => response.end('2]'))
  },
  '/empty': (_, response) => response.writeHead(204).end(),
  '/moved': (_, response) => response.writeHead(302, { location: '/pet' }).end(),
  '/not-modified': (_, response) => response.writeHead(304).end(),
  '/bad-json': (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
  '/busy': (_, response) => sendJson(response, 503, { error: 'busy' }, { 'retry-after': '7' }),
  '/broken': (_, response) => response.writeHead(500, { 'content-type': 'text/html' }).end(`<p>${'x'.repeat(3_000)}`),
  '/opaque': (_, response) => response.writeHead(418, { 'content-type': 'image/png' }).end(Buffer.from([1, 2, 3])),
  '/large': (_, response) => response.end('x'.repeat(2_000)),
  '/silent': () => {},
  '/half': (_, response) => {
    response.writeHead(200)
    response.write('half')
  },
  '/reset': (_, response) => response.socket?.destroy(),
}

beforeAll(async () => {
  server = await startServer((request, response) => {
    const route = routes[new URL(request.url, 'http://h').pathname]
    if (route === undefined) sendJson(response, 404, { error: `no ${request.url}`, headers: request.headers })
    else route(request, response)
  })
})

afterAll(() => server.close())

function call(path: string, args: Readonly<Record<string, Json>> = {}, options: TestContextOptions = {}): Promise<Json> {
  return callHttp({ method: 'get', endpoint: `${server.origin}${path}`, ...args }, testContext(options))
}

describe('what is sent', () => {
  test('method, expanded address, query, headers and body reach the server', async () => {
    const args = {
      method: 'post',
      endpoint: `${server.origin}/echo?a={a}`,
      query: { b: [1, 2] },
      headers: { 'X-Trace': 't' },
      body: { n: 1 },
    }
    const output = await callHttp(args, testContext({ uriVariables: { a: 'x y' } }))
    expect(output).toMatchObject({
      method: 'POST',
      url: '/echo?a=x%20y&b=1&b=2',
      headers: { 'x-trace': 't', 'content-type': 'application/json', 'content-length': '7' },
      body: '{"n":1}',
    })
  })

  test('the idempotency key goes along, the same with every attempt', async () => {
    const options = { idempotencyKey: 'exec-1/do/0' }
    expect(await call('/echo', {}, options)).toMatchObject({ headers: { 'idempotency-key': 'exec-1/do/0' } })
    expect(await call('/echo', {}, options)).toMatchObject({ headers: { 'idempotency-key': 'exec-1/do/0' } })
  })

  test('an idempotency key of the author wins, and null sends none', async () => {
    expect(await call('/echo', { headers: { 'Idempotency-Key': 'mine' } })).toMatchObject({ headers: { 'idempotency-key': 'mine' } })
    expect(await call('/echo', { headers: { 'Idempotency-Key': null } })).not.toHaveProperty(['headers', 'idempotency-key'])
  })

  test('defaults can be replaced and removed', async () => {
    const output = await call('/echo', { headers: { Accept: 'text/csv', 'User-Agent': 'me' } })
    expect(output).toMatchObject({ headers: { accept: 'text/csv', 'user-agent': 'me' } })
  })

  test('a form is sent as one', async () => {
    const args = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: { a: 'x y', b: '&' } }
    expect(await call('/echo', args)).toMatchObject({ body: 'a=x+y&b=%26' })
  })

  test.each(['get', 'head', 'post', 'put', 'patch', 'delete', 'options'])('%s is a method', async (method) => {
    await call('/echo', { method })
    expect(server.received.at(-1)?.method).toBe(method.toUpperCase())
  })
})

describe('what comes back', () => {
  test.each<[string, Json]>([
    ['/pet', { id: 7 }],
    ['/text', 'ü'],
    ['/binary', 'AQL/'],
    ['/gzip', { zipped: true }],
    ['/chunked', [1, 2]],
    ['/empty', null],
  ])('the content of %s is %j', async (path, expected) => {
    expect(await call(path)).toEqual(expected)
    expect(await call(path, { output: 'content' })).toEqual(expected)
  })

  test('raw is the body as base64, whatever it is', async () => {
    expect(await call('/pet', { output: 'raw' })).toBe(Buffer.from('{"id":7}').toString('base64'))
    expect(await call('/bad-json', { output: 'raw' })).toBe(Buffer.from('{').toString('base64'))
    expect(await call('/empty', { output: 'raw' })).toBe('')
  })

  test('response is the whole exchange', async () => {
    expect(await call('/pet', { output: 'response', headers: { 'x-a': '1' } })).toMatchObject({
      request: { method: 'get', uri: `${server.origin}/pet`, headers: { 'x-a': '1', 'idempotency-key': 'key-1' } },
      statusCode: 200,
      headers: { 'content-type': 'application/json', 'x-request-id': 'r-1' },
      content: { id: 7 },
    })
  })

  test('the reply to HEAD has no content', async () => {
    expect(await call('/pet', { method: 'head' })).toBeNull()
  })
})

describe('redirects', () => {
  test('are an error by default', async () => {
    const failure = await failureOf(call('/moved'))
    const detail = expect.stringMatching(/It redirects to http:\S+\/pet\. To follow redirects, add redirect: true\.$/)
    expect(failure.error).toMatchObject({ status: 302, title: 'Found', detail })
  })

  test('are followed when the author says so', async () => {
    expect(await call('/moved', { redirect: true })).toEqual({ id: 7 })
  })

  test('a status of the 300s that leads nowhere is then no error', async () => {
    expect(await call('/not-modified', { redirect: true, output: 'response' })).toMatchObject({ statusCode: 304, content: null })
    expect((await failureOf(call('/not-modified'))).error.status).toBe(304)
  })
})

describe('errors', () => {
  test('a status outside the 200s is a communication error with that status, and what the server says', async () => {
    const failure = await failureOf(call('/nothing?key=value'))
    expect(failure.error).toMatchObject({
      type: 'https://open-workflow-specification.org/spec/1.0.0/errors/communication',
      status: 404,
      title: 'Not Found',
    })
    expect(failure.error.detail).toContain(`GET ${server.origin}/nothing?key=*** answered 404. It says: {"error":"no /nothing?key=value"`)
  })

  test('Retry-After is part of the error for retries', async () => {
    const failure = await failureOf(call('/busy'))
    expect(failure).toMatchObject({ retryAfterMs: 7_000, error: { status: 503 } })
    expect(failure.error.detail).toContain('retry after 7 s')
  })

  test('the error has an excerpt of a long text, and nothing of an image', async () => {
    expect((await failureOf(call('/broken'))).error.detail?.length).toBeLessThan(700)
    expect((await failureOf(call('/opaque'))).error.detail).toBe(`GET ${server.origin}/opaque answered 418.`)
  })

  test('a connection that breaks is a communication error without a status of the server', async () => {
    const failure = await failureOf(call('/reset'))
    expect(failure).toMatchObject({ kind: 'communication', error: { status: 503 } })
  })

  test('a reply that does not come in time is a timeout error', async () => {
    const failure = await failureOf(call('/silent', {}, { limits: { timeoutMs: 30, maxResponseBytes: 1_000 } }))
    expect(failure.error).toMatchObject({ type: expect.stringContaining('/errors/timeout'), status: 408 })
  })

  test('a reply that is too large is a communication error', async () => {
    const failure = await failureOf(call('/large', {}, { limits: { timeoutMs: 5_000, maxResponseBytes: 1_999 } }))
    expect(failure.error).toMatchObject({ type: expect.stringContaining('/errors/communication'), status: 502 })
    expect(await call('/large', {}, { limits: { timeoutMs: 5_000, maxResponseBytes: 2_000 } })).toHaveLength(2_000)
  })

  test('arguments that are wrong send nothing', async () => {
    const before = server.received.length
    expect((await failureOf(call('/pet', { method: 'fetch' }))).error).toMatchObject({
      type: expect.stringContaining('/errors/validation'),
    })
    expect(server.received).toHaveLength(before)
  })
})

describe('cancelling', () => {
  test.each(['/silent', '/half'])('a call that hangs in %s ends at once, with the reason of the signal', async (path) => {
    const controller = new AbortController()
    const before = server.received.length
    const calling = call(path, {}, { signal: controller.signal })
    await expect.poll(() => server.received.length, { interval: 1 }).toBe(before + 1)
    const reason = new Error('cancelled by hand')
    controller.abort(reason)
    await expect(calling).rejects.toBe(reason)
  })

  test('a call that is cancelled beforehand sends nothing', async () => {
    const before = server.received.length
    await expect(call('/pet', {}, { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late')
    expect(server.received).toHaveLength(before)
  })
})

describe('secrets', () => {
  test('known secrets are masked in the detail of an error', async () => {
    const failure = await failureOf(call('/nothing/s3cr3t-key', { query: { k: 's3cr3t-key' } }, { sensitive: ['s3cr3t-key'] }))
    expect(failure.error.detail).toContain('/nothing/***')
    expect(failure.error.detail).not.toContain('s3cr3t-key')
    expect(failure.message).not.toContain('s3cr3t-key')
  })

  test('a password that the server sends back is masked in the detail of an error', async () => {
    const endpoint = { uri: `${server.origin}/nothing`, authentication: { basic: { username: 'ann', password: 'hunter2!' } } }
    const failure = await failureOf(call('', { endpoint }))
    expect(failure.error.detail).toContain('***')
    expect(failure.error.detail).not.toContain(Buffer.from('ann:hunter2!').toString('base64'))
  })

  test('credentials are masked in the request of a response', async () => {
    const endpoint = { uri: `${server.origin}/pet?key=s3cr3t-key`, authentication: { bearer: { token: 'abcdef' } } }
    const args = { endpoint, output: 'response', headers: { cookie: 'session=1', 'x-api-key': 's3cr3t-key' } }
    expect(await call('', args, { sensitive: ['s3cr3t-key'] })).toMatchObject({
      request: { uri: `${server.origin}/pet?key=***`, headers: { authorization: '***', cookie: '***', 'x-api-key': '***' } },
    })
    expect(server.received.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer abcdef',
      cookie: 'session=1',
      'x-api-key': 's3cr3t-key',
    })
  })
})

test('a failure that is no failure of the call is not dressed up as one', async () => {
  const bug = new TypeError('a bug')
  const http = {
    request: async () => {
      throw bug
    },
  }
  await expect(call('/pet', {}, { http })).rejects.toBe(bug)
})
