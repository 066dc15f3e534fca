import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '#core/json.ts'
import { callHttp } from '#effects/http/call-http.ts'
import { type TestContextOptions, testContext } from '#effects/http/testing-context.ts'
import { failureOf } from '#effects/http/testing-outcome.ts'
import { type Received, sendJson, startServer, type TestServer } from '#effects/http/testing-server.ts'

// Laws of every scheme, for every way to write its settings.

const secrets = {
  password: 'the-password&more',
  token: 'the-bearer-token',
  clientSecret: 'the-client-secret:%',
  assertion: 'aaaa.the-assertion.cccc',
  subject: 'the-subject-token',
  issued: 'the-issued-token',
}

let server: TestServer
/** How the API answers a request that has passed authentication. */
let answer: (request: Received, response: ServerResponse) => void
/** How the token endpoint answers. */
let answerToken: (request: Received, response: ServerResponse) => void

/** Sends back everything that it got, as a careless server does. */
const echo = (status: number) => (request: Received, response: ServerResponse) =>
  sendJson(response, status, { error: request.body.toString(), headers: request.headers, url: request.url })

beforeAll(async () => {
  server = await startServer((request, response) => {
    if (request.url === '/.well-known/openid-configuration') {
      sendJson(response, 200, { issuer: server.origin, token_endpoint: `${server.origin}/oauth2/token` })
    } else if (request.url === '/oauth2/token') answerToken(request, response)
    else if (request.url === '/digest' && request.headers.authorization === undefined) {
      response.writeHead(401, { 'www-authenticate': 'Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256' }).end()
    } else answer(request, response)
  })
})

afterAll(() => server.close())

beforeEach(() => {
  answer = (_, response) => sendJson(response, 200, { ok: true })
  answerToken = (_, response) => sendJson(response, 200, { access_token: secrets.issued, expires_in: 600 })
})

interface Scheme {
  readonly name: string
  readonly policy: () => JsonObject
  readonly path: string
  readonly expected: RegExp
}

const login = { username: 'ann', password: secrets.password }
const tokens = (client: JsonObject, more: JsonObject = {}): JsonObject => ({
  authority: server.origin,
  grant: 'client_credentials',
  client,
  ...more,
})
const basicClient = { id: 'app', secret: secrets.clientSecret, authentication: 'client_secret_basic' }
const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange'

const schemes: readonly Scheme[] = [
  { name: 'basic', policy: () => ({ basic: login }), path: '/api', expected: /^Basic / },
  { name: 'bearer', policy: () => ({ bearer: { token: secrets.token } }), path: '/api', expected: /^Bearer the-bearer-token$/ },
  { name: 'digest', policy: () => ({ digest: login }), path: '/digest', expected: /^Digest username="ann"/ },
  {
    name: 'oauth2 by secret in the header',
    policy: () => ({ oauth2: tokens(basicClient) }),
    path: '/api',
    expected: /^Bearer the-issued-token$/,
  },
  {
    name: 'oauth2 by secret in the body',
    policy: () => ({ oauth2: tokens({ id: 'app', secret: secrets.clientSecret }) }),
    path: '/api',
    expected: /^Bearer the-issued-token$/,
  },
  {
    name: 'oauth2 by secret in JSON',
    policy: () => ({ oauth2: tokens({ id: 'app', secret: secrets.clientSecret }, { request: { encoding: 'application/json' } }) }),
    path: '/api',
    expected: /^Bearer the-issued-token$/,
  },
  {
    name: 'oauth2 by assertion',
    policy: () => ({ oauth2: tokens({ id: 'app', assertion: secrets.assertion, authentication: 'private_key_jwt' }) }),
    path: '/api',
    expected: /^Bearer the-issued-token$/,
  },
  {
    name: 'oauth2 for a person',
    policy: () => ({ oauth2: tokens({ authentication: 'none' }, { grant: 'password', ...login }) }),
    path: '/api',
    expected: /^Bearer the-issued-token$/,
  },
  {
    name: 'oauth2 on behalf of a token',
    policy: () => ({ oauth2: tokens({ authentication: 'none' }, { grant: exchange, subject: { token: secrets.subject, type: 'jwt' } }) }),
    path: '/api',
    expected: /^Bearer the-issued-token$/,
  },
  { name: 'oidc', policy: () => ({ oidc: tokens(basicClient) }), path: '/api', expected: /^Bearer the-issued-token$/ },
]

const byToken = schemes.filter(({ name }) => name.startsWith('o'))

function call({ policy, path }: Scheme, args: Readonly<Record<string, Json>> = {}, options: TestContextOptions = {}): Promise<Json> {
  const endpoint = { uri: `${server.origin}${path}`, authentication: policy() }
  return callHttp({ method: 'post', endpoint, body: { n: 1 }, ...args }, testContext(options))
}

/** Every form in which one of the secrets could be read. */
function leaks(reported: string): string[] {
  const forms = Object.entries(secrets).flatMap(([name, secret]) => {
    const form = new URLSearchParams([['', secret]]).toString().slice(1)
    const basic = [`ann:${secret}`, `app:${secret}`, `app:${form}`].map((pair) => Buffer.from(pair).toString('base64'))
    return [secret, encodeURIComponent(secret), form, ...basic].map((text) => [name, text] as const)
  })
  return forms.filter(([, text]) => reported.includes(text)).map(([name]) => name)
}

describe.each(schemes)('$name', (scheme) => {
  test('reaches the server', async () => {
    expect(await call(scheme)).toEqual({ ok: true })
    expect(server.received.at(-1)?.headers.authorization).toMatch(scheme.expected)
    expect(server.received.at(-1)?.body.toString()).toBe('{"n":1}')
  })

  test('reaches the server when its settings are a secret, or a named policy with a secret', async () => {
    const [kind = '', settings = null] = Object.entries(scheme.policy())[0] ?? []
    const options = { secrets: { vault: settings }, authentications: { named: { [kind]: { use: 'vault' } } } }
    expect(await call({ ...scheme, policy: () => ({ [kind]: { use: 'vault' } }) }, {}, options)).toEqual({ ok: true })
    expect(server.received.at(-1)?.headers.authorization).toMatch(scheme.expected)
    expect(await call({ ...scheme, policy: () => ({ use: 'named' }) }, {}, options)).toEqual({ ok: true })
    expect(server.received.at(-1)?.headers.authorization).toMatch(scheme.expected)
  })

  test('an error contains no secret when the server echoes the whole request', async () => {
    answer = echo(500)
    const failure = await failureOf(call(scheme))
    expect(failure.error).toMatchObject({ status: 500, detail: expect.stringContaining('It says:') })
    expect(leaks(JSON.stringify({ ...failure, message: failure.message, stack: failure.stack }))).toEqual([])
  })

  test('the request inside a response contains no secret', async () => {
    const output = await call(scheme, { output: 'response' })
    expect(output).toMatchObject({ statusCode: 200, request: { headers: { authorization: '***' } } })
    expect(leaks(JSON.stringify(output))).toEqual([])
  })

  test('sends the same idempotency key to the API as often as it asks, and none elsewhere', async () => {
    const before = server.received.length
    await call(scheme, {}, { idempotencyKey: 'attempt-1' })
    const requests = server.received.slice(before)
    const toApi = requests.filter(({ url }) => url === scheme.path)
    expect(new Set(toApi.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set(['attempt-1']))
    expect(requests.filter(({ url, headers }) => url !== scheme.path && headers['idempotency-key'] !== undefined)).toEqual([])
  })

  test('ends at once when the call is cancelled while the API is silent', async () => {
    const controller = new AbortController()
    answer = () => controller.abort(new Error('cancelled'))
    await expect(call(scheme, {}, { signal: controller.signal })).rejects.toThrow('cancelled')
  })

  test('asks for nothing when the call is cancelled beforehand', async () => {
    const before = server.received.length
    await expect(call(scheme, {}, { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late')
    expect(server.received.filter(({ url }) => url === scheme.path).length).toBe(
      server.received.slice(0, before).filter(({ url }) => url === scheme.path).length,
    )
  })

  test('refuses a header of the author beside it', async () => {
    const failure = await failureOf(call(scheme, { headers: { Authorization: 'mine' } }))
    expect(failure.kind).toBe('validation')
  })

  test('gives a 401 of the API to the workflow, after one more attempt at most', async () => {
    answer = echo(401)
    const before = server.received.length
    const failure = await failureOf(call(scheme))
    expect(failure).toMatchObject({ kind: 'communication', error: { status: 401 } })
    expect(server.received.slice(before).filter(({ url }) => url === scheme.path).length).toBeLessThanOrEqual(2)
  })
})

describe.each(byToken)('$name', (scheme) => {
  test.each([400, 401, 403])('is an authentication error when the token endpoint responds %d, without secrets in it', async (status) => {
    answerToken = (request, response) =>
      sendJson(response, status, {
        error: 'invalid_client',
        error_description: `${request.body.toString()} ${request.headers.authorization}`,
      })
    const failure = await failureOf(call(scheme))
    expect(failure).toMatchObject({ kind: 'authentication', error: { status: 401, detail: expect.stringContaining('invalid_client') } })
    expect(leaks(JSON.stringify({ ...failure, message: failure.message }))).toEqual([])
  })

  test('can be retried when the token endpoint is out of order', async () => {
    answerToken = (_, response) => response.writeHead(503, { 'retry-after': '2' }).end()
    expect(await failureOf(call(scheme))).toMatchObject({ kind: 'communication', retryAfterMs: 2_000, error: { status: 503 } })
  })

  test('does not follow a token endpoint that sends it elsewhere with its secret', async () => {
    const elsewhere = await startServer((_, response) => sendJson(response, 200, { access_token: 'stolen' }))
    answerToken = (_, response) => response.writeHead(307, { location: elsewhere.origin }).end()
    expect(await failureOf(call(scheme, { redirect: true }))).toMatchObject({ kind: 'communication', error: { status: 307 } })
    expect(elsewhere.received).toEqual([])
    await elsewhere.close()
  })

  test('ends at once when the call is cancelled while the token endpoint is silent', async () => {
    const controller = new AbortController()
    answerToken = (_, response) => {
      controller.abort(new Error('cancelled'))
      response.end()
    }
    await expect(call(scheme, {}, { signal: controller.signal })).rejects.toThrow('cancelled')
  })
})

test('two policies that differ in one secret share no token', async () => {
  const context = testContext()
  answerToken = (request, response) => {
    const seen = createHash('sha256').update(request.body).digest('hex')
    sendJson(response, 200, { access_token: `for-${seen}`, expires_in: 600 })
  }
  answer = echo(200)
  const outputs = await Promise.all(
    ['one', 'two'].map((secret) => {
      const endpoint = { uri: `${server.origin}/api`, authentication: { oauth2: tokens({ id: 'app', secret }) } }
      return callHttp({ method: 'get', endpoint }, context)
    }),
  )
  expect(new Set(outputs.map((output) => JSON.stringify(output))).size).toBe(2)
})
