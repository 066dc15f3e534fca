import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { sendJson, startServer, type TestServer } from '#effects/http/testing-server.ts'
import { callingMcp, failureOf } from './testing-call.ts'
import { type Answer, startMcpServer, type TestMcpServer } from './testing-server.ts'

let server: TestMcpServer
let issuer: TestServer | undefined
afterEach(async () => {
  await server.close()
  await issuer?.close()
  issuer = undefined
})

/** A server that every request without this header is refused by. */
async function guarded(isRight: (authorization: string, method: string) => boolean, challenge = 'Bearer'): Promise<TestMcpServer> {
  const answer: Answer = (_, response, { headers, method }) => {
    if (isRight(headers.authorization ?? '', method)) return false
    response.writeHead(401, { 'www-authenticate': challenge }).end('who are you?')
    return true
  }
  server = await startMcpServer(answer)
  return server
}

function calling(authentication: Json, secrets: Readonly<Record<string, Json>> = {}): Promise<Json> {
  return callingMcp({ uri: server.endpoint, authentication }, { method: 'tools/list' }, { call: { secrets } })
}

const session = ['POST initialize', 'POST notifications/initialized', 'POST tools/list', 'DELETE']

describe('bearer', () => {
  test('a server that asks for a token refuses a call without one, with status 401', async () => {
    const { endpoint } = await guarded((value) => value === 'Bearer right-token')
    const error = await failureOf(callingMcp(endpoint, { method: 'tools/list' }))
    expect(error.data).toMatchObject({ type: expect.stringMatching(/\/communication$/), status: 401, title: 'Unauthorized' })
    expect(error.data.detail).toMatch(/It says: who are you\?/)
  })

  test('a token goes with every request of the session, its end included', async () => {
    await guarded((value) => value === 'Bearer right-token')
    expect(await calling({ bearer: { token: 'right-token' } })).toEqual({ tools: [] })
    expect(server.heard()).toEqual(session)
  })

  test('a wrong token is not tried twice', async () => {
    await guarded((value) => value === 'Bearer right-token')
    expect((await failureOf(calling({ bearer: { token: 'wrong-token' } }))).data).toMatchObject({ status: 401 })
    expect(server.heard()).toEqual(['POST initialize'])
  })

  test('a token may stand in a secret', async () => {
    await guarded((value) => value === 'Bearer right-token')
    expect(await calling({ bearer: { use: 'mcp' } }, { mcp: 'right-token' })).toEqual({ tools: [] })
  })

  test('a secret that does not exist is an authorization error, and nothing is sent', async () => {
    await guarded(() => true)
    expect((await failureOf(calling({ bearer: { use: 'mcp' } }))).data).toMatchObject({ type: expect.stringMatching(/\/authorization$/) })
    expect(server.heard()).toEqual([])
  })
})

test('basic: user name and password go with every request', async () => {
  await guarded((value) => value === `Basic ${Buffer.from('admin:p4ssword').toString('base64')}`)
  expect(await calling({ basic: { username: 'admin', password: 'p4ssword' } })).toEqual({ tools: [] })
  expect(server.heard()).toEqual(session)
})

test('digest: the challenge is answered, and its nonce serves the rest of the session, each request with a response of its own', async () => {
  const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
  const counts: string[] = []
  const isRight = (authorization: string, method: string): boolean => {
    const param = (name: string): string => new RegExp(`[ ,]${name}="?([^",]+)`).exec(authorization)?.[1] ?? ''
    const [user, what] = [md5('admin:mcp:p4ssword'), md5(`${method}:/mcp`)]
    counts.push(param('nc'))
    return param('response') === md5([user, 'nonce-1', param('nc'), param('cnonce'), 'auth', what].join(':'))
  }
  await guarded(isRight, 'Digest realm="mcp", nonce="nonce-1", qop="auth", algorithm=MD5')
  expect(await calling({ digest: { username: 'admin', password: 'p4ssword' } })).toEqual({ tools: [] })
  expect(server.heard()).toEqual(['POST initialize', ...session])
  expect(counts).toEqual(['', '00000001', '00000002', '00000003', '00000004'])
})

async function startIssuer(): Promise<TestServer> {
  issuer = await startServer((request, response) => {
    const { origin } = issuer ?? { origin: '' }
    if (request.method === 'GET') sendJson(response, 200, { issuer: origin, token_endpoint: `${origin}/oauth2/token` })
    else sendJson(response, 200, { access_token: 'issued-token', token_type: 'Bearer', expires_in: 3600 })
  })
  return issuer
}

test.each([['oauth2'], ['oidc']])('%s: one token is asked for, and serves the whole session', async (scheme) => {
  await guarded((value) => value === 'Bearer issued-token')
  const { origin, received } = await startIssuer()
  const policy = { authority: origin, grant: 'client_credentials', client: { id: 'millrace', secret: 'client-secret' } }
  expect(await calling({ [scheme]: policy })).toEqual({ tools: [] })
  expect(received.filter(({ method }) => method === 'POST')).toHaveLength(1)
  expect(server.heard()).toEqual(session)
})

describe('an error contains no secret:', () => {
  const echoing: Answer = (_, response, { headers }) => {
    response
      .writeHead(500, { 'content-type': 'text/plain' })
      .end(`${'x'.repeat(1_400)} ${String(headers.authorization)} ${String(headers['x-key'])}`)
    return true
  }

  test('a token that a server sends back', async () => {
    server = await startMcpServer(echoing)
    const error = await failureOf(calling({ bearer: { token: 'hush-hush-token' } }))
    expect(error.data.detail).toContain('Bearer ***')
    expect(error.data.detail).not.toContain('hush')
  })

  test('half a secret at the end of what is kept', async () => {
    server = await startMcpServer((_, response, { headers }) =>
      Boolean(response.writeHead(500).end(`${'x'.repeat(1_500 - server.endpoint.length - 80)}${String(headers.authorization)}`)),
    )
    const error = await failureOf(calling({ bearer: { token: 'hush-hush-token'.repeat(20) } }))
    expect(error.data.detail).not.toContain('hush')
  })

  test('a secret of the workflow in a header', async () => {
    server = await startMcpServer(echoing)
    const transport = { http: { endpoint: server.endpoint, headers: { 'x-key': 'key-of-mine' } } }
    const error = await failureOf(
      callingMcp(null, { method: 'tools/list', transport }, { call: { secrets: { deep: [{ key: 'key-of-mine' }] } } }),
    )
    expect(error.data.detail).not.toContain('key-of-mine')
    expect(error.data.detail).toContain('***')
  })

  test('an error of JSON-RPC', async () => {
    server = await startMcpServer((heard, response) => {
      if (heard.method !== 'tools/list') return false
      sendJson(response, 200, { jsonrpc: '2.0', id: heard.id, error: { code: 1, message: 'bad token hush-hush-token' } })
      return true
    })
    expect((await failureOf(calling({ bearer: { token: 'hush-hush-token' } }))).data.detail).toMatch(/bad token \*\*\*$/)
  })
})
