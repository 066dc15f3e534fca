import { afterEach, describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { callHttp } from '#effects/http/call-http.ts'
import { testContext } from '#effects/http/testing-context.ts'
import { inTurn } from '#effects/http/testing-outcome.ts'
import { type Received, sendJson, startServer, type TestServer } from '#effects/http/testing-server.ts'

// What a real provider does not do on demand: rotation, outages, refusals.

const servers: TestServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

interface Reply {
  readonly status?: number
  readonly body: Readonly<Record<string, unknown>>
}

/** A token endpoint with the replies given, the last one forever, and an API that refuses the tokens given. */
async function setup(replies: readonly Reply[], refused: readonly string[] = []): Promise<TestServer> {
  const left = [...replies]
  const server = await startServer((request, response) => {
    if (request.url === '/oauth2/token') {
      const { status = 200, body } = (left.length > 1 ? left.shift() : left[0]) ?? { body: {} }
      sendJson(response, status, body)
    } else {
      const token = request.headers.authorization ?? ''
      sendJson(response, refused.some((one) => token.endsWith(one)) ? 401 : 200, { token })
    }
  })
  servers.push(server)
  return server
}

function call(server: TestServer, oauth2: Readonly<Record<string, Json>>, context = testContext()): Promise<Json> {
  const policy = { authority: server.origin, grant: 'client_credentials', client: { id: 'app', secret: 'app-secret' }, ...oauth2 }
  return callHttp({ method: 'get', endpoint: { uri: `${server.origin}/api`, authentication: { oauth2: policy } } }, context)
}

const asked = (server: TestServer): Received[] => server.received.filter(({ url }) => url === '/oauth2/token')
const form = (request: Received | undefined): Record<string, string> => Object.fromEntries(new URLSearchParams(request?.body.toString()))

describe('the request for a token', () => {
  test('as a form', async () => {
    const server = await setup([{ body: { access_token: 'a' } }])
    await call(server, { scopes: ['x', 'y'], audiences: ['one', 'two'] })
    const [request] = asked(server)
    expect(request?.headers).toMatchObject({ 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' })
    expect(request?.headers).not.toHaveProperty('idempotency-key')
    expect(request?.body.toString()).toBe(
      'grant_type=client_credentials&scope=x+y&audience=one&audience=two&client_id=app&client_secret=app-secret',
    )
  })

  test('as JSON', async () => {
    const server = await setup([{ body: { access_token: 'a' } }])
    await call(server, { audiences: ['one', 'two'], request: { encoding: 'application/json' } })
    const [request] = asked(server)
    expect(request?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(request?.body.toString() ?? '')).toEqual({
      grant_type: 'client_credentials',
      audience: ['one', 'two'],
      client_id: 'app',
      client_secret: 'app-secret',
    })
  })

  test.each<[Readonly<Record<string, Json>>, string]>([
    [{ authority: 'id.test' }, '"oauth2.authority" is "id.test"'],
    [{ authority: 'file:///x' }, '"oauth2.authority" is "file:///x"'],
    [{ endpoints: { token: 'ftp://h/' } }, '"oauth2.endpoints.token" is "ftp://h/"'],
  ])('to %j is refused', async (policy, message) => {
    const server = await setup([{ body: { access_token: 'a' } }])
    await expect(call(server, policy)).rejects.toMatchObject({ kind: 'configuration', message: expect.stringContaining(message) })
    expect(server.received).toHaveLength(0)
  })
})

const short = (access: string, more: object = {}): Reply => ({ body: { access_token: access, expires_in: 0, ...more } })

describe('refresh tokens', () => {
  const refresh = { grant: 'refresh_token', subject: { token: 'configured', type: 'refresh_token' } }

  test('a server that rotates them is given the latest', async () => {
    const server = await setup([short('a1', { refresh_token: 'second' }), short('a2', { refresh_token: 'third' }), short('a3')])
    const context = testContext()
    const outputs = await inTurn([1, 2, 3, 4], () => call(server, refresh, context))
    expect(outputs).toEqual(['a1', 'a2', 'a3', 'a3'].map((token) => ({ token: `Bearer ${token}` })))
    expect(asked(server).map((request) => form(request)['refresh_token'])).toEqual(['configured', 'second', 'third', 'third'])
  })

  test('when the latest is refused, the configured one gets another chance', async () => {
    const server = await setup([short('a1', { refresh_token: 'second' }), { status: 400, body: { error: 'invalid_grant' } }, short('a2')])
    const context = testContext()
    await call(server, refresh, context)
    expect(await call(server, refresh, context)).toEqual({ token: 'Bearer a2' })
    expect(asked(server).map((request) => form(request)['refresh_token'])).toEqual(['configured', 'second', 'configured'])
  })

  test('an outage of the server leaves the latest refresh token in use', async () => {
    const server = await setup([short('a1', { refresh_token: 'second' }), { status: 503, body: {} }, short('a2')])
    const context = testContext()
    await call(server, refresh, context)
    await expect(call(server, refresh, context)).rejects.toMatchObject({ kind: 'communication' })
    await call(server, refresh, context)
    expect(asked(server).map((request) => form(request)['refresh_token'])).toEqual(['configured', 'second', 'second'])
  })

  test('a refusal of the access token does not lose the rotated one', async () => {
    const server = await setup(
      [{ body: { access_token: 'good', expires_in: 600, refresh_token: 'second' } }, { body: { access_token: 'new' } }],
      [],
    )
    const context = testContext()
    await call(server, refresh, context)
    const refusing = await setup([{ body: {} }], ['good'])
    const policy = { authority: server.origin, client: { id: 'app', secret: 'app-secret' }, ...refresh }
    const endpoint = { uri: `${refusing.origin}/api`, authentication: { oauth2: policy } }
    expect(await callHttp({ method: 'get', endpoint }, context)).toEqual({ token: 'Bearer new' })
    expect(form(asked(server)[1])['refresh_token']).toBe('second')
  })
})

describe('failures', () => {
  test('a fresh token that is refused is not asked for twice', async () => {
    const server = await setup([{ body: { access_token: 'bad', expires_in: 600 } }], ['bad'])
    await expect(call(server, {})).rejects.toMatchObject({ error: { status: 401 } })
    expect(asked(server)).toHaveLength(1)
  })

  test('a kept token that is refused is replaced once, and then it is final', async () => {
    const server = await setup([{ body: { access_token: 'bad', expires_in: 600 } }], ['bad'])
    const context = testContext()
    await expect(call(server, {}, context)).rejects.toMatchObject({ error: { status: 401 } })
    await expect(call(server, {}, context)).rejects.toMatchObject({ error: { status: 401 } })
    expect(asked(server)).toHaveLength(2)
  })

  test('an outage of the token endpoint is a communication error, and the next call asks again', async () => {
    const server = await setup([{ status: 503, body: {} }, { body: { access_token: 'a' } }])
    const context = testContext()
    await expect(call(server, {}, context)).rejects.toMatchObject({ kind: 'communication', error: { status: 503 } })
    expect(await call(server, {}, context)).toEqual({ token: 'Bearer a' })
  })

  test('a token endpoint that does not answer is a timeout', async () => {
    const server = await startServer(() => {})
    servers.push(server)
    const context = testContext({ limits: { timeoutMs: 30, maxResponseBytes: 1_000 } })
    await expect(call(server, {}, context)).rejects.toMatchObject({ kind: 'timeout' })
  })

  test('a call that is cancelled while it waits for a token ends at once', async () => {
    const server = await startServer(() => {})
    servers.push(server)
    const controller = new AbortController()
    const calling = call(server, {}, testContext({ signal: controller.signal, limits: { timeoutMs: 500, maxResponseBytes: 1_000 } }))
    await expect.poll(() => server.received.length, { interval: 1 }).toBe(1)
    controller.abort(new Error('cancelled'))
    await expect(calling).rejects.toThrow('cancelled')
  })

  test('the token is masked in what is reported', async () => {
    const server = await setup([{ body: { access_token: 'secret-token', expires_in: 600 } }], ['secret-token'])
    const failure: unknown = await call(server, {}).catch((error: unknown) => error)
    expect(failure).toMatchObject({ message: expect.stringContaining('"token":"Bearer ***"') })
  })

  test('a header of the author beside a policy is refused', async () => {
    const endpoint = { uri: 'http://h.test/', authentication: { bearer: { token: 'abcd' } } }
    const calling = callHttp({ method: 'get', endpoint, headers: { Authorization: 'Basic x' } }, testContext())
    await expect(calling).rejects.toThrow('both an "authorization" header and an authentication policy')
  })
})
