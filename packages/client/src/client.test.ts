import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { apiKeys, auth, authEmail, executions, type Problem, workflows } from '@millrace/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ClientError, createClient, every } from './index.ts'

const groups = { apiKeys, auth, executions, workflows }
const workflowId = 'wf_01h455vb4pex5vsknk084sn02q'

interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A server that records its requests and sends the given responses. */
async function listening(answer: (seen: Seen, response: ServerResponse, count: number) => void) {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const entry = { method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() }
      seen.push(entry)
      answer(entry, response, seen.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on TCP')
  return { seen, baseUrl: `http://127.0.0.1:${address.port}` }
}

const json = (response: ServerResponse, value: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value))

function refuse(response: ServerResponse, problem: Partial<Problem>, headers: Record<string, string> = {}) {
  response.writeHead(problem.status ?? 400, { 'content-type': 'application/problem+json', ...headers }).end(JSON.stringify(problem))
}

describe('a call', () => {
  test('a call of a stream accepts events and returns their text at the end of the stream', async () => {
    const events = 'event: end\nid: 1-0-completed-end\ndata: {}\n\n'
    const { seen, baseUrl } = await listening((_, response) => response.setHeader('content-type', 'text/event-stream').end(events))
    const params = { executionId: 'exec_01h455vb4pex5vsknk084sn02q' }
    const reply = await createClient({ baseUrl, groups }).executions.stream({ params, query: { lastEventId: '0-1-running' } })
    expect(reply).toBe(events)
    expect(seen[0]?.headers.accept).toBe('text/event-stream')
    expect(seen[0]?.url).toBe(`/api/v1/workflows/executions/${params.executionId}/stream?lastEventId=0-1-running`)
  })

  test('a call has the declared method and path, with its parts in URL, headers and body', async () => {
    const { seen, baseUrl } = await listening((_, response) => json(response, { revision: 8 }))
    const client = createClient({ baseUrl: `${baseUrl}/`, token: 'secret', groups })
    const reply = await client.workflows.update({ params: { id: workflowId }, body: { name: 'Zähler' } }, { ifMatch: 7 })
    expect(reply.revision).toBe(8)
    expect(seen[0]).toMatchObject({ method: 'PUT', url: `/api/v1/workflows/${workflowId}`, body: '{"name":"Zähler"}' })
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer secret', 'content-type': 'application/json', 'if-match': '"7"' })
    expect(seen[0]?.headers).not.toHaveProperty('idempotency-key')
  })

  test('path and query are escaped, and absent members are omitted', async () => {
    const { seen, baseUrl } = await listening((_, response) => json(response, {}))
    const client = createClient({ baseUrl, groups })
    await client.workflows.get({ params: { id: '../a b?c' } })
    await client.workflows.list({ query: { q: 'a&b=c', limit: 3, state: undefined } })
    expect(seen.map((entry) => entry.url)).toEqual(['/api/v1/workflows/..%2Fa%20b%3Fc', '/api/v1/workflows?q=a%26b%3Dc&limit=3'])
  })

  test('a call without a path parameter is refused before a request is sent', async () => {
    const { seen, baseUrl } = await listening((_, response) => json(response, {}))
    await expect(createClient({ baseUrl, groups }).workflows.get({ params: { id: '' } })).rejects.toThrow('needs the parameter id')
    expect(seen).toEqual([])
  })

  test('a call of a public operation has no credential', async () => {
    const { seen, baseUrl } = await listening((_, response) => json(response, {}))
    await createClient({ baseUrl, token: 'secret', groups }).auth.login({ body: { email: 'a@example.com', password: 'x' } })
    expect(seen[0]?.headers).not.toHaveProperty('authorization')
  })

  test('a call of a public operation that knows its caller has a credential', async () => {
    const { seen, baseUrl } = await listening((_, response) => json(response, { verified: true, email: 'a@example.com' }))
    const client = createClient({ baseUrl, token: 'secret', groups: { authEmail } })
    await client.authEmail.verifyEmail({ body: { token: `mll_${'a'.repeat(43)}` } })
    expect(seen[0]?.headers.authorization).toBe('Bearer secret')
  })

  test('the token is requested for each call, so that a refreshed one is used', async () => {
    const { seen, baseUrl } = await listening((_, response) => json(response, {}))
    const tokens = ['one', 'two']
    const client = createClient({ baseUrl, token: () => Promise.resolve(tokens.shift()), groups })
    await client.auth.me()
    await client.auth.me()
    expect(seen.map((entry) => entry.headers.authorization)).toEqual(['Bearer one', 'Bearer two'])
  })

  test('a POST has an idempotency key, a new one for each call or the given one', async () => {
    const { seen, baseUrl } = await listening((_, response) => json(response, {}))
    const client = createClient({ baseUrl, groups })
    await client.auth.logout()
    await client.auth.logout()
    await client.auth.logout({}, { idempotencyKey: 'mine' })
    const keys = seen.map((entry) => entry.headers['idempotency-key'])
    expect(new Set(keys).size).toBe(3)
    expect(keys[2]).toBe('mine')
  })

  test('a call passes its response to onResponse', async () => {
    const { baseUrl } = await listening((_, response) => json(response.setHeader('etag', '"3"'), {}))
    let etag: string | null = null
    await createClient({ baseUrl, groups }).workflows.get(
      { params: { id: workflowId } },
      {
        onResponse: (response) => {
          etag = response.headers.get('etag')
        },
      },
    )
    expect(etag).toBe('"3"')
  })

  test('a call can be aborted', async () => {
    const { baseUrl } = await listening(() => undefined)
    const controller = new AbortController()
    const running = createClient({ baseUrl, groups, retries: 3 }).auth.me({}, { signal: controller.signal })
    controller.abort()
    await expect(running).rejects.toThrow(/abort/i)
  })

  test('operations have calls, aliases have none', () => {
    const client = createClient({ baseUrl: 'http://localhost', groups })
    expect(Object.keys(client.auth)).toContain('login')
    expect(Object.keys(client.auth)).not.toContain('loginUnprefixed')
  })
})

describe('an error response', () => {
  test('an error response becomes a ClientError with code, problem and time to wait', async () => {
    const problem = {
      status: 422,
      code: 'workflow_invalid',
      detail: 'No.',
      title: 'x',
      requestId: 'r1',
      diagnostics: [{ code: 'unknown_key' }],
    }
    const { baseUrl } = await listening((_, response) => refuse(response, problem, { 'retry-after': '7' }))
    const error = await createClient({ baseUrl, groups })
      .workflows.create({ body: { definition: 'x' } })
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ClientError)
    expect(error).toMatchObject({ status: 422, code: 'workflow_invalid', retryAfterSeconds: 7, problem })
  })

  test('an error response of a proxy has no code of the catalogue', async () => {
    const { baseUrl } = await listening((_, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    )
    const error = await createClient({ baseUrl, groups })
      .auth.me()
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ status: 502, code: undefined, problem: { code: 'unknown', status: 502, instance: '/api/v1/auth/me' } })
  })

  test('a call is not retried by default', async () => {
    const { seen, baseUrl } = await listening((_, response) => refuse(response, { status: 503, code: 'overloaded' }))
    await expect(createClient({ baseUrl, groups }).auth.me()).rejects.toThrow(ClientError)
    expect(seen).toHaveLength(1)
  })
})

describe('with retries', () => {
  const rateLimited = { status: 429, code: 'rate_limited' }

  test('a retry waits as long as the server says and keeps its idempotency key', async () => {
    const { seen, baseUrl } = await listening((_, response, count) =>
      count < 3 ? refuse(response, rateLimited, count === 1 ? { 'retry-after': '2' } : {}) : json(response, { revoked: 1 }),
    )
    const slept: number[] = []
    const sleep = (ms: number) => Promise.resolve(void slept.push(ms))
    const onRetry = vi.fn<NonNullable<Parameters<typeof createClient>[0]['onRetry']>>()
    await expect(createClient({ baseUrl, groups, retries: 5, sleep, onRetry }).auth.logout()).resolves.toEqual({ revoked: 1 })
    expect(slept).toEqual([2000, 400])
    expect(onRetry.mock.calls).toMatchObject([
      [{ operation: 'auth.logout', retry: 1, delayMs: 2000, error: { code: 'rate_limited' } }],
      [{ operation: 'auth.logout', retry: 2, delayMs: 400 }],
    ])
    expect(new Set(seen.map((entry) => entry.headers['idempotency-key'])).size).toBe(1)
  })

  test('a call fails after the allowed number of retries', async () => {
    const { seen, baseUrl } = await listening((_, response) => refuse(response, rateLimited))
    await expect(createClient({ baseUrl, groups, retries: 2, sleep: () => Promise.resolve() }).auth.me()).rejects.toThrow(ClientError)
    expect(seen).toHaveLength(3)
  })

  test.each([
    { status: 403, code: 'insufficient_role' },
    { status: 429, code: 'quota_exceeded' },
  ])('a refusal as $code is final', async (problem) => {
    const { seen, baseUrl } = await listening((_, response) => refuse(response, problem))
    await expect(createClient({ baseUrl, groups, retries: 2, sleep: () => Promise.resolve() }).auth.me()).rejects.toThrow(ClientError)
    expect(seen).toHaveLength(1)
  })

  test('a failed connection is retried', async () => {
    const { baseUrl } = await listening((_, response, count) => (count === 1 ? response.destroy() : json(response, { ok: true })))
    await expect(createClient({ baseUrl, groups, retries: 1, sleep: () => Promise.resolve() }).auth.me()).resolves.toEqual({ ok: true })
  })
})

test('every() iterates over all pages with the same filters, and stops at the last', async () => {
  const { seen, baseUrl } = await listening((entry, response) => {
    const page = Number(new URL(entry.url ?? '', 'http://x').searchParams.get('cursor') ?? 0)
    json(response, { data: [{ id: `${page}a` }, { id: `${page}b` }], nextCursor: page < 2 ? String(page + 1) : null })
  })
  const client = createClient({ baseUrl, groups })
  const ids: string[] = []
  for await (const workflow of every((cursor) => client.workflows.list({ query: { tag: 'x', cursor } }))) ids.push(workflow.id)
  expect(ids).toEqual(['0a', '0b', '1a', '1b', '2a', '2b'])
  expect(seen.map((entry) => entry.url)).toEqual(['', '&cursor=1', '&cursor=2'].map((rest) => `/api/v1/workflows?tag=x${rest}`))
})
