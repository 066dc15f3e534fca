import { afterEach, describe, expect, test } from 'vitest'
import { WorkflowError } from '#core/error.ts'
import type { JsonObject } from '#core/json.ts'
import { type Received, startServer, type TestServer } from '#effects/http/testing-server.ts'
import { fetchPort } from '#effects/http/testing-port.ts'
import type { HttpPort } from '#effects/http/index.ts'
import { createResourceFetcher, type ResourceRequest } from './fetch-resource.ts'

type Handle = Parameters<typeof startServer>[0]
type Endpoint = ResourceRequest['endpoint']

const servers: TestServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serve(handle: Handle): Promise<TestServer> {
  const server = await startServer(handle)
  servers.push(server)
  return server
}

const serveText = (text: string | Uint8Array, type = 'application/yaml') =>
  serve((_request, response) => void response.writeHead(200, { 'content-type': type }).end(text))

function fetcher(http: HttpPort = fetchPort, limits = { timeoutMs: 5_000, maxResponseBytes: 1_000 }) {
  let ids = 0
  return createResourceFetcher({ http, clock: () => 0, randomId: () => `random-id-${String(++ids).padStart(8, '0')}`, limits })
}

function fetchFrom(endpoint: Endpoint, secrets: JsonObject = {}, signal = new AbortController().signal, fetch = fetcher()) {
  return fetch({ endpoint, secrets, signal })
}

/** The error of a failed fetch; throws when a workflow cannot have that error. */
async function failureOf(fetching: Promise<string>): Promise<WorkflowError> {
  const [outcome] = await Promise.allSettled([fetching])
  if (outcome.status === 'rejected' && outcome.reason instanceof WorkflowError) return outcome.reason
  throw new Error('it did not fail as fetching fails', { cause: outcome })
}

const failingPort = (reason: string): HttpPort => ({
  request: () => Promise.reject(Object.assign(new Error('the port says why'), { reason })),
})

describe('a document is fetched', () => {
  test('as the text that it is, whatever type the server gives it', async () => {
    const text = 'document:\n  name: "é😀"\n'
    for (const type of ['application/yaml', 'application/json', 'application/octet-stream', 'text/html']) {
      const { origin } = await serveText(text, type)
      expect(await fetchFrom({ uri: `${origin}/a.yaml` })).toBe(text)
    }
  })

  test('without being parsed: JSON stays text', async () => {
    const { origin } = await serveText('{ "a" : 1 }', 'application/json')
    expect(await fetchFrom({ uri: origin })).toBe('{ "a" : 1 }')
  })

  test('without the mark of its encoding, which would be no YAML', async () => {
    const { origin } = await serveText(Buffer.from([0xef, 0xbb, 0xbf, 0x61]))
    expect(await fetchFrom({ uri: origin })).toBe('a')
  })

  test('empty, when it is empty', async () => {
    const { origin } = await serveText('')
    expect(await fetchFrom({ uri: origin })).toBe('')
  })

  test('by one GET without a body that prefers YAML and JSON', async () => {
    const server = await serveText('a')
    await fetchFrom({ uri: `${server.origin}/functions/f.yaml?ref=main` })
    expect(server.received).toMatchObject([
      { method: 'GET', url: '/functions/f.yaml?ref=main', headers: { accept: 'application/yaml, application/json, text/plain, */*' } },
    ])
    expect(server.received[0]?.headers.authorization).toBeUndefined()
    expect(server.received[0]?.body).toHaveLength(0)
  })

  test('each time anew: what is there may have changed', async () => {
    let version = 0
    const { origin } = await serve((_request, response) => void response.end(`version: ${++version}`))
    const fetch = fetcher()
    const get = () => fetchFrom({ uri: origin }, {}, new AbortController().signal, fetch)
    expect([await get(), await get()]).toEqual(['version: 1', 'version: 2'])
  })
})

describe('with the authentication of its endpoint', () => {
  /** Gives the document only to who sends this header. */
  const guarded = (authorization: string) =>
    serve(({ headers }, response) => void response.writeHead(headers.authorization === authorization ? 200 : 401).end('secret: document'))
  const basic = `Basic ${Buffer.from('ada:hush-hush').toString('base64')}`

  test.each<[what: string, authentication: Exclude<Endpoint['authentication'], undefined>, secrets: JsonObject, header: string]>([
    ['a token that stands there', { bearer: { token: 'plain' } }, {}, 'Bearer plain'],
    ['a token from a secret', { bearer: { token: '${ $secrets.token }' } }, { token: 'hush-hush' }, 'Bearer hush-hush'],
    ['a token put together', { bearer: { token: '${ $secrets.github.pat + "-x" }' } }, { github: { pat: 'hush' } }, 'Bearer hush-x'],
    ['name and password', { basic: { username: 'ada', password: '${ $secrets.password }' } }, { password: 'hush-hush' }, basic],
    ['a secret that contains the whole policy', { basic: { use: 'git' } }, { git: { username: 'ada', password: 'hush-hush' } }, basic],
    ['a secret that contains it as JSON', { basic: { use: 'git' } }, { git: '{"username":"ada","password":"hush-hush"}' }, basic],
  ])('by %s', async (_what, authentication, secrets, header) => {
    const { origin } = await guarded(header)
    expect(await fetchFrom({ uri: origin, authentication }, secrets)).toBe('secret: document')
  })

  test.each(['missing', 'constructor', '__proto__', 'toString'])(
    'an unknown secret %j is named in the error, and nothing is sent',
    async (name) => {
      const server = await serveText('a')
      const error = await failureOf(fetchFrom({ uri: server.origin, authentication: { bearer: { use: name } } }, { token: 'hush-hush' }))
      expect(error.data).toMatchObject({
        type: expect.stringMatching(/\/authorization$/),
        detail: expect.stringContaining(`"${name}" does not exist`),
      })
      expect(server.received).toEqual([])
    },
  )

  test('expressions see the secrets that are given, and nothing of an execution', async () => {
    const { origin } = await guarded('Bearer [{},null,null,null,null]')
    const token = '${ [$secrets, $context, $input, $workflow.input, .] | tojson }'
    expect(await fetchFrom({ uri: origin, authentication: { bearer: { token } } })).toBe('secret: document')
  })

  test('an expression that fails is an expression error, and nothing is sent', async () => {
    const server = await serveText('a')
    const endpoint = { uri: server.origin, authentication: { bearer: { token: '${ error("no token today") }' } } }
    const error = await failureOf(fetchFrom(endpoint))
    expect(error.data).toMatchObject({ type: expect.stringMatching(/\/expression$/), detail: expect.stringContaining('no token today') })
    expect(server.received).toEqual([])
  })
})

describe('what cannot be fetched is an error with the reason', () => {
  test.each([400, 401, 403, 404, 410, 429, 500, 503])('an answer of %i', async (status) => {
    const { origin } = await serve((_request, response) => void response.writeHead(status).end())
    const { data } = await failureOf(fetchFrom({ uri: `${origin}/function.yaml` }))
    expect(data).toMatchObject({ type: expect.stringMatching(/\/communication$/), status })
    expect(data.detail).toContain(`GET ${origin}/function.yaml answered ${status}.`)
  })

  test('the error has the text of the response', async () => {
    const { origin } = await serve(
      (_request, response) => void response.writeHead(404, { 'content-type': 'text/plain' }).end('no such branch'),
    )
    expect((await failureOf(fetchFrom({ uri: origin }))).data.detail).toContain('no such branch')
  })

  test.each([301, 302, 303, 307, 308])('a redirect of %i: a document is pinned to the address that was published', async (status) => {
    const goal = await serveText('other: document')
    const { origin } = await serve((_request, response) => void response.writeHead(status, { location: goal.origin }).end('not: this'))
    expect((await failureOf(fetchFrom({ uri: origin }))).data).toMatchObject({ status })
    expect(goal.received).toEqual([])
  })

  test.each([
    ['latin1', Buffer.from([0x63, 0x61, 0x66, 0xe9])],
    ['half a character', Buffer.from('é').subarray(0, 1)],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ])('bytes that are not UTF-8: %s', async (_what, bytes) => {
    const { origin } = await serveText(bytes)
    expect((await failureOf(fetchFrom({ uri: origin }))).data).toMatchObject({
      type: expect.stringMatching(/\/validation$/),
      detail: 'the document is not text in UTF-8',
    })
  })

  test('more than the limit, and not what is just as long', async () => {
    const long = await serveText('x'.repeat(1_001))
    expect((await failureOf(fetchFrom({ uri: long.origin }))).data).toMatchObject({
      status: 502,
      detail: expect.stringContaining('1000 bytes'),
    })
    const fitting = await serveText('x'.repeat(1_000))
    expect(await fetchFrom({ uri: fitting.origin })).toHaveLength(1_000)
  })

  test('a server that is silent, when the time is up', async () => {
    const { origin } = await serve(() => undefined)
    const fetch = fetcher(fetchPort, { timeoutMs: 50, maxResponseBytes: 1_000 })
    const { data } = await failureOf(fetchFrom({ uri: origin }, {}, new AbortController().signal, fetch))
    expect(data).toMatchObject({ type: expect.stringMatching(/\/timeout$/), detail: expect.stringContaining('50 ms') })
  })

  test('an address without a server', async () => {
    const server = await startServer(() => undefined)
    await server.close()
    expect((await failureOf(fetchFrom({ uri: server.origin }))).data).toMatchObject({ status: 503, title: 'Service not reachable' })
  })

  test('an address that the port refuses, as a private one', async () => {
    const fetch = fetcher(failingPort('denied'))
    const endpoint = { uri: 'http://169.254.169.254/latest/meta-data?key=hush' }
    const { data } = await failureOf(fetchFrom(endpoint, {}, new AbortController().signal, fetch))
    expect(data).toMatchObject({ type: expect.stringMatching(/\/authorization$/), status: 403, title: 'Address not allowed' })
    expect(data.detail).toBe('GET http://169.254.169.254/latest/meta-data?key=***: the port says why')
  })

  test.each(['ftp://a.test/x', 'file:///etc/passwd', 'data:text/plain,a', 'http://ada:hush@a.test/', 'functions/f.yaml', ''])(
    'an address of another protocol: %j',
    async (uri) => {
      expect((await failureOf(fetchFrom({ uri }))).data).toMatchObject({ type: expect.stringMatching(/\/validation$/), status: 400 })
    },
  )

  test('a fault of the port itself is not taken for one of the document', async () => {
    const broken = new TypeError('a bug')
    const fetch = fetcher({ request: () => Promise.reject(broken) })
    await expect(fetchFrom({ uri: 'http://a.test' }, {}, new AbortController().signal, fetch)).rejects.toBe(broken)
  })
})

describe('errors contain no secrets', () => {
  const echo = ({ headers }: Received) => `you sent ${headers.authorization}`

  test.each<[what: string, secrets: JsonObject]>([
    ['a text', { token: 'hush-hush' }],
    ['within an object', { token: 'hush-hush', github: { pat: 'hush-hush' } }],
    ['within a list', { token: 'hush-hush', all: [{ deep: ['hush-hush'] }] }],
  ])('%s', async (_what, secrets) => {
    const { origin } = await serve((request, response) => void response.writeHead(403, { 'content-type': 'text/plain' }).end(echo(request)))
    const endpoint = { uri: origin, authentication: { bearer: { token: '${ $secrets.token }' } } }
    const { detail } = (await failureOf(fetchFrom(endpoint, secrets))).data
    expect(detail).toContain('you sent Bearer ***')
    expect(detail).not.toContain('hush')
  })

  test('not even one that is only within another secret and that the server knows by itself', async () => {
    const { origin } = await serve(
      (_request, response) => void response.writeHead(403, { 'content-type': 'text/plain' }).end('not deep-secret'),
    )
    const { detail } = (await failureOf(fetchFrom({ uri: origin }, { github: { pats: ['deep-secret'] } }))).data
    expect(detail).toContain('not ***')
  })
})

describe('an abort', () => {
  test('an abort before the request sends nothing and rejects with its reason', async () => {
    const server = await serveText('a')
    await expect(fetchFrom({ uri: server.origin }, {}, AbortSignal.abort(new Error('not wanted')))).rejects.toThrow('not wanted')
    expect(server.received).toEqual([])
  })

  test('ends a request that is under way, and is no error of the document', async () => {
    const controller = new AbortController()
    const { origin } = await serve(() => controller.abort(new Error('closed')))
    await expect(fetchFrom({ uri: origin }, {}, controller.signal)).rejects.toThrow('closed')
  })
})

test('documents are fetched side by side, each with its own secrets', async () => {
  const { origin } = await serve(({ headers }, response) => void response.end(headers.authorization))
  const fetch = fetcher()
  const endpoint = { uri: origin, authentication: { bearer: { token: '${ $secrets.token }' } } }
  const tokens = Array.from({ length: 8 }, (_, index) => `token-${index}`)
  const got = await Promise.all(tokens.map((token) => fetchFrom(endpoint, { token }, new AbortController().signal, fetch)))
  expect(got).toEqual(tokens.map((token) => `Bearer ${token}`))
})
