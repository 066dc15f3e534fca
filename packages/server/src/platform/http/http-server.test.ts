import { request as httpRequest } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { Fault, operation } from '@millrace/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { httpConfigDefault } from './http-config.ts'
import { served } from './http-server.ts'
import { type Kernel, problemIn, startKernel } from '#testing/kernel.ts'
import { readBase, writeBase } from '#testing/operations.ts'

const read = operation({ ...readBase, reply: z.object({ text: z.string() }) })
const open = operation({
  ...readBase,
  id: 'test.open',
  path: '/api/v1/open/{name}',
  auth: 'public',
  params: z.object({ name: z.string() }),
  reply: z.object({ name: z.string() }),
})
const write = operation({ ...writeBase, bodyLimit: 2048, body: z.looseObject({}), reply: z.object({ done: z.literal(true) }) })
const broken = operation({ ...readBase, id: 'test.broken', path: '/api/v1/broken', auth: 'public', reply: z.object({}) })
const full = operation({ ...readBase, id: 'test.full', path: '/api/v1/full', auth: 'public', reply: z.object({}), errors: ['overloaded'] })
const receive = operation({
  ...writeBase,
  id: 'test.receive',
  path: '/api/v1/received',
  streamedBody: true,
  errors: ['malformed_request'],
  reply: z.object({ text: z.string() }),
})
const group = { read, open, write, broken, full, receive }

const testGroup = served(group, {
  read: () => Promise.resolve({ text: 'x'.repeat(3000) }),
  open: (_ctx, { params }) => Promise.resolve({ name: params.name }),
  write: () => Promise.resolve({ done: true as const }),
  full: () => Promise.reject(new Fault('overloaded')),
  receive: async ({ streamedBody }) => ({ text: await textOf(streamedBody.content) }),
  broken: () => Promise.reject(new Error('select * from secrets failed at /srv/app/store.ts')),
})

let kernel: Kernel
beforeAll(async () => {
  kernel = await startKernel({ groups: { test: testGroup }, config: { headersTimeoutMs: 400, requestTimeoutMs: 600 } })
})
afterAll(() => kernel[Symbol.asyncDispose]())

const requiredHeaders: Readonly<Record<string, RegExp>> = {
  'x-request-id': /^[A-Za-z0-9._:-]{1,128}$/,
  'ratelimit-limit': /^\d+$/,
  'ratelimit-remaining': /^\d+$/,
  'ratelimit-reset': /^\d+$/,
  'ratelimit-policy': /^\d+;w=\d+/,
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /default-src 'none'/,
}

/** Headers that every response of any status has to carry and this one does not. */
function violationsOf(response: Response): string[] {
  return Object.entries(requiredHeaders).flatMap(([name, form]) => (form.test(response.headers.get(name) ?? '') ? [] : [name]))
}

/** The status and code of a response that is a problem as it has to be, or else what is wrong with it. */
async function refusalOf(response: Response): Promise<unknown> {
  const problem = await problemIn(response)
  const violations = violationsOf(response)
  if (!response.headers.get('content-type')?.includes('application/problem+json')) violations.push('content-type')
  if (problem.instance !== new URL(response.url).pathname) violations.push('instance')
  if (problem.requestId !== response.headers.get('x-request-id')) violations.push('requestId')
  if (problem.type !== `/docs#error-${problem.code}`) violations.push('type')
  if (problem.status !== response.status) violations.push('status')
  return violations.length === 0 ? [problem.status, problem.code] : violations
}

describe('every response', () => {
  test('a success has the request id, rate limit and security headers', async () => {
    const response = await kernel.fetch('/api/v1/open/x')
    expect([response.status, violationsOf(response)]).toEqual([200, []])
  })

  test.each([
    ['an unknown path', 'GET', '/nowhere', 404, 'route_not_found'],
    ['an unknown method', 'PATCH', '/api/v1/test', 405, 'method_not_allowed'],
    ['a preflight while CORS is off', 'OPTIONS', '/api/v1/test', 405, 'method_not_allowed'],
    ['a trailing slash', 'GET', '/api/v1/test/', 404, 'route_not_found'],
    ['another case', 'GET', '/API/v1/test', 404, 'route_not_found'],
    ['a URL that cannot be decoded', 'GET', '/api/v1/open/%zz', 400, 'malformed_request'],
    ['a URL with half a character', 'GET', '/api/v1/open/%ff', 400, 'malformed_request'],
    ['NUL in a URL', 'GET', '/api/v1/open/%00', 400, 'malformed_request'],
    ['no credential', 'GET', '/api/v1/test', 401, 'unauthenticated'],
    ['a failing handler', 'GET', '/api/v1/broken', 500, 'internal'],
  ])('the response to %s is a problem with the same headers', async (_, method, path, status, code) => {
    expect(await refusalOf(await kernel.fetch(path, { method }))).toEqual([status, code])
  })

  test('a request to an unknown path counts against the rate limit and is refused beyond it', async () => {
    await using limited = await startKernel({
      groups: { test: testGroup },
      config: { rateLimits: { ...httpConfigDefault.rateLimits, global: { limit: 3, windowSeconds: 60 } } },
    })
    const statuses: number[] = []
    for (let n = 0; n < 5; n++) statuses.push((await limited.fetch('/nowhere')).status)
    expect(statuses).toEqual([404, 404, 404, 429, 429])
    expect(await refusalOf(await limited.fetch('/nowhere'))).toEqual([429, 'rate_limited'])
    expect((await limited.fetch('/api/v1/open/x')).status).toBe(429)
  })

  test('a path parameter as long as a request head allows reaches its operation', async () => {
    const name = 'x'.repeat(15_000)
    expect(await (await kernel.fetch(`/api/v1/open/${name}`)).json()).toEqual({ name })
  })

  test('a valid X-Request-ID is kept and any other is replaced', async () => {
    const kept = await kernel.fetch('/nowhere', { headers: { 'x-request-id': 'trace:1.a_b-C' } })
    expect(kept.headers.get('x-request-id')).toBe('trace:1.a_b-C')
    const replaced = await kernel.fetch('/nowhere', { headers: { 'x-request-id': 'two words' } })
    expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('the response to HEAD has no body', async () => {
    const response = await kernel.fetch('/api/v1/test', { method: 'HEAD' })
    expect([response.status, violationsOf(response)]).toEqual([401, []])
    expect(await response.text()).toBe('')
  })
})

describe('a path with other methods', () => {
  test('names them in Allow, and HEAD is there wherever GET is', async () => {
    const response = await kernel.fetch('/api/v1/test', { method: 'PATCH' })
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST')
    const head = await kernel.fetch('/api/v1/open/x', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})

describe('an error of the server', () => {
  test('an internal error discloses nothing and is logged with its cause', async () => {
    const before = kernel.errors.length
    const text = await (await kernel.fetch('/api/v1/broken')).text()
    expect(text).not.toMatch(/select|secrets|srv|\.ts|Error:/)
    expect(JSON.stringify(kernel.errors.slice(before).map((entry) => String(Reflect.get(Object(entry), 'err'))))).toContain(
      'select * from secrets',
    )
  })

  test('a refusal that callers can cause at will is no error in the log', async () => {
    const before = kernel.errors.length
    expect((await kernel.fetch('/api/v1/full')).status).toBe(503)
    expect(kernel.errors).toHaveLength(before)
  })

  test('the path in a problem omits the query, which may contain a secret', async () => {
    const problem = await problemIn(await kernel.fetch('/nowhere?token=secret'))
    expect(problem.instance).toBe('/nowhere')
  })
})

describe('a body', () => {
  test('a body over the limit of the operation is a 413, with or without Content-Length', async () => {
    const big = JSON.stringify({ a: 'x'.repeat(3000) })
    const { status, code, detail } = await problemIn(await kernel.send('POST', '/api/v1/test', big))
    expect({ status, code, detail }).toEqual({
      status: 413,
      code: 'payload_too_large',
      detail: expect.stringContaining('at most 2048 bytes'),
    })
    const streamed = await kernel.fetch('/api/v1/test', {
      method: 'POST',
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
      body: new ReadableStream({ start: (controller) => (controller.enqueue(new TextEncoder().encode(big)), controller.close()) }),
      duplex: 'half',
    })
    expect(await refusalOf(streamed)).toEqual([413, 'payload_too_large'])
  })

  test('a body that is not JSON, or nested too deeply, is a 400', async () => {
    expect(await refusalOf(await kernel.send('POST', '/api/v1/test', '{"a":'))).toEqual([400, 'malformed_json'])
    expect(await refusalOf(await kernel.send('POST', '/api/v1/test', '['.repeat(65)))).toEqual([400, 'request_invalid'])
  })

  test('a body of another media type, or without one, is a 415', async () => {
    expect(await refusalOf(await kernel.send('POST', '/api/v1/test', '<a/>', { 'content-type': 'text/xml' }))).toEqual([
      415,
      'unsupported_media_type',
    ])
    expect(await refusalOf(await kernel.send('POST', '/api/v1/test', 'a=1', { 'content-type': 'not a type' }))).toEqual([
      415,
      'unsupported_media_type',
    ])
    const response = await kernel.raw(
      'POST /api/v1/test HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer owner\r\nContent-Length: 2\r\n\r\n{}',
    )
    expect(response).toMatch(/^HTTP\/1\.1 415 /)
  })

  test('a compressed body is a 415, since its size is unknown', async () => {
    const compressed = await kernel.send('POST', '/api/v1/test', '{}', { 'content-encoding': 'gzip' })
    expect(await refusalOf(compressed)).toEqual([415, 'unsupported_media_type'])
    expect((await kernel.send('POST', '/api/v1/test', '{}', { 'content-encoding': 'identity' })).status).toBe(200)
  })

  test('a body of zero bytes counts as absent, whatever its Content-Type', async () => {
    const head = 'POST /api/v1/test HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer owner\r\n'
    expect(await kernel.raw(`${head}Content-Type: application/json\r\nContent-Length: 0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
    expect(await kernel.raw(`${head}Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
    expect(await kernel.raw(`${head}\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('a refused request gets its response before its body has arrived', async () => {
    const head = 'POST /api/v1/test HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\nConnection: close\r\n'
    expect(await kernel.raw(`${head}\r\n`)).toMatch(/^HTTP\/1\.1 401 /)
    expect(await kernel.raw(`${head.replace('/api/v1/test', '/nowhere')}\r\n`)).toMatch(/^HTTP\/1\.1 404 /)
  })
})

test('a target in absolute form that names the host of the header Host reaches its operation', async () => {
  for (const [target, host] of [
    ['http://x/api/v1/open/x', 'x'],
    ['http://X:80/api/v1/open/x', 'x'],
    ['https://x:8443/api/v1/open/x', 'x:8443'],
  ])
    expect(await kernel.raw(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
})

describe('a malformed HTTP message', () => {
  test.each([
    ['bytes that are not HTTP', 'HELLO\r\n\r\n', 400, 'malformed_request'],
    ['a request without Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: x\r\nhost: x\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
    [
      'another host in the target',
      'GET http://evil.test/api/v1/open/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'another port in the target',
      'GET http://x:81/api/v1/open/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'user information before another host',
      'GET http://x@evil.test/api/v1/open/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      400,
      'malformed_request',
    ],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400, 'malformed_request'],
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['an unknown expectation', 'GET /api/v1/open/x HTTP/1.1\r\nHost: x\r\nExpect: cake\r\n\r\n', 417, 'expectation_failed'],
    ['a head that does not end', 'GET / HTTP/1.1\r\nHost: x\r\n', 408, 'request_timeout'],
    [
      'a body that does not end',
      'POST /api/v1/test HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer owner\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      408,
      'request_timeout',
    ],
  ])('the refusal of %s is a problem with all headers', async (_, bytes, status, code) => {
    const response = await kernel.raw(bytes)
    const [head = '', body = ''] = response.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    for (const name of ['x-request-id', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit-policy'])
      expect(head.toLowerCase()).toContain(`\r\n${name}: `)
    expect(head.toLowerCase()).toContain('content-type: application/problem+json')
    expect(JSON.parse(body)).toMatchObject({ status, code })
  })
})

test('a streamed body may take longer than other requests, and is read as it was sent', async () => {
  const headers = { authorization: 'Bearer owner', 'content-type': 'application/json' }
  const sent = httpRequest(`${kernel.url}/api/v1/received`, { method: 'POST', headers })
  const response = new Promise<string>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (message) => void textOf(message).then(resolve, reject))
  })
  sent.write('{"not')
  // This one begins later, and its time is over.
  const head =
    'POST /api/v1/test HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer owner\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'
  expect(await kernel.raw(head)).toMatch(/^HTTP\/1\.1 408 /)
  sent.end(' parsed')
  expect(JSON.parse(await response)).toEqual({ text: '{"not parsed' })
})

describe('a streamed body that arrives slowly', () => {
  const slowly = async (parts: number, bytes: number, config = { uploadGraceMs: 300 }) => {
    await using slow = await startKernel({ groups: { test: testGroup }, config })
    async function* body() {
      for (let part = 0; part < parts; part++) {
        yield Buffer.alloc(bytes, 'x')
        await setTimeout(100)
      }
    }
    const init = { method: 'POST', headers: { authorization: 'Bearer owner' }, body: body(), duplex: 'half' as const }
    const response = await slow.fetch('/api/v1/received', init)
    return { connection: response.headers.get('connection'), refusal: response.ok ? undefined : await refusalOf(response) }
  }

  test('below the least pace ends with a 408 that closes the connection', async () => {
    expect(await slowly(100, 1)).toEqual({ connection: 'close', refusal: [408, 'request_timeout'] })
  })

  test('at the least pace is read to its end', async () => {
    expect(await slowly(10, 1024)).toEqual({ connection: 'keep-alive', refusal: undefined })
  })
})

describe('compression', () => {
  const ask = (encoding: string) =>
    new Promise<{ encoding: string | undefined; vary: string | undefined; body: Buffer }>((resolve, reject) => {
      const headers = { authorization: 'Bearer owner', 'accept-encoding': encoding }
      httpRequest(`${kernel.url}/api/v1/test`, { headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ encoding: response.headers['content-encoding'], vary: response.headers.vary, body: Buffer.concat(chunks) }),
        )
      })
        .on('error', reject)
        .end()
    })

  test('large responses are compressed for callers that accept it', async () => {
    const compressed = await ask('gzip, deflate')
    expect(compressed.encoding).toBe('gzip')
    expect(compressed.vary).toBe('accept-encoding')
    expect(JSON.parse(gunzipSync(compressed.body).toString())).toEqual({ text: 'x'.repeat(3000) })
    expect((await ask('gzip;q=0.5, br;q=1')).encoding).toBe('br')
  })

  test.each(['identity', 'gzip;q=0, br;q=0.0', 'zstd'])('a response is not compressed for Accept-Encoding: %s', async (encoding) => {
    const plain = await ask(encoding)
    expect(plain.encoding).toBeUndefined()
    expect(plain.body.length).toBeGreaterThan(3000)
  })
})

describe('other origins', () => {
  test('no origin is allowed by default', async () => {
    const response = await kernel.fetch('/api/v1/open/x', { headers: { origin: 'https://app.example' } })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('only configured origins may call and read responses', async () => {
    await using cors = await startKernel({ groups: { test: testGroup }, config: { corsOrigins: ['https://app.example'] } })
    const preflight = { origin: 'https://app.example', 'access-control-request-method': 'PUT' }
    const allowed = await cors.fetch('/api/v1/test', { method: 'OPTIONS', headers: preflight })
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(allowed.headers.get('access-control-allow-headers')).toContain('Idempotency-Key')
    expect(allowed.headers.get('x-request-id')).not.toBeNull()
    const refused = await cors.fetch('/api/v1/test', { method: 'OPTIONS', headers: { ...preflight, origin: 'https://evil.example' } })
    expect(refused.status).toBe(405)
    expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    expect(refused.headers.get('vary')).toContain('Origin')
    const response = await cors.fetch('/api/v1/test', { headers: { origin: 'https://app.example' } })
    expect(response.status).toBe(401)
    expect(response.headers.get('access-control-expose-headers')).toContain('RateLimit-Remaining')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  })
})

test('X-Forwarded-For is used only from trusted proxies', async () => {
  const limits = {
    global: { limit: 1, windowSeconds: 60 },
    auth: { limit: 9, windowSeconds: 60 },
    refresh: { limit: 9, windowSeconds: 60 },
    execution: { limit: 9, windowSeconds: 60 },
  }
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  await using direct = await startKernel({ groups: { test: testGroup }, config: { rateLimits: limits } })
  expect((await direct.fetch('/api/v1/open/x', from('192.0.2.1'))).status).toBe(200)
  expect((await direct.fetch('/api/v1/open/x', from('192.0.2.2'))).status).toBe(429)
  await using proxied = await startKernel({ groups: { test: testGroup }, config: { rateLimits: limits, trustedProxies: ['127.0.0.1'] } })
  expect((await proxied.fetch('/api/v1/open/x', from('192.0.2.1'))).status).toBe(200)
  expect((await proxied.fetch('/api/v1/open/x', from('192.0.2.2'))).status).toBe(200)
})

test('Strict-Transport-Security is sent only where it is configured', async () => {
  expect((await kernel.fetch('/nowhere')).headers.get('strict-transport-security')).toBeNull()
  await using secure = await startKernel({ groups: { test: testGroup }, config: { hsts: true } })
  expect((await secure.fetch('/nowhere')).headers.get('strict-transport-security')).toContain('max-age=')
})
