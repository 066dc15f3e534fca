import { Readable } from 'node:stream'
import { alias, Fault, JsonValue, operation, typeId } from '@millrace/contract'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { withPreparation } from './handler.ts'
import { served } from './http-server.ts'
import { accountId as chosen, type Kernel, principalOf, problemIn, startKernel } from '#testing/kernel.ts'
import { readBase, writeBase } from '#testing/operations.ts'
import { etag, respond, respondLater, respondStream } from './response/respond.ts'

const Id = typeId('wf')
const id = 'wf_01h455vb4pex5vsknk084sn02q'
const Done = z.object({ done: z.boolean() })
const done = () => Promise.resolve({ done: true })

const codeOf = async (response: Response): Promise<string> => (await problemIn(response)).code

describe('the order of checks', () => {
  const flagged = operation({ ...writeBase, flag: 'isFancyEnabled', role: 'admin', body: z.strictObject({ a: z.int() }), reply: Done })
  const start = (enabled: boolean) =>
    startKernel({
      groups: { test: served({ flagged }, { flagged: done }) },
      guards: { flagEnabled: (flag) => enabled && flag === 'isFancyEnabled' },
    })

  test('an operation whose flag is off responds like an unknown path, whatever else is wrong', async () => {
    await using kernel = await start(false)
    const off = await problemIn(await kernel.send('POST', '/api/v1/test', 'no json', { authorization: 'Bearer expired' }))
    const unknown = await problemIn(await kernel.send('POST', '/api/v1/nowhere', {}))
    expect({ ...off, requestId: '', instance: '' }).toEqual({ ...unknown, requestId: '', instance: '' })
    expect(off).toMatchObject({ status: 404, code: 'route_not_found' })
    expect(await codeOf(await kernel.fetch('/api/v1/test', { method: 'POST' }))).toBe('route_not_found')
  })

  test('an operation whose flag is off for the account of the caller responds like an unknown path, also where it is on for the installation', async () => {
    const flagEnabledFor = (_flag: string, accountId: string) => Promise.resolve(accountId === chosen)
    for (const installation of [true, false]) {
      await using kernel = await startKernel({
        groups: { test: served({ flagged }, { flagged: done }) },
        guards: { flagEnabled: () => installation, flagEnabledFor },
      })
      const codeFor = async (token: string) =>
        await codeOf(await kernel.send('POST', '/api/v1/test', 'no json', { authorization: `Bearer ${token}` }))
      const codeWithout = await codeOf(await kernel.fetch('/api/v1/test', { method: 'POST' }))
      expect(await codeFor('viewer account=01890a5d-ac96-774b-bcce-b302099a8059')).toBe('route_not_found')
      expect(await codeFor(`admin account=${chosen}`)).toBe('malformed_json')
      expect([codeWithout, await codeFor('expired')]).toEqual(
        installation ? ['unauthenticated', 'token_expired'] : ['route_not_found', 'route_not_found'],
      )
    }
  })

  test('a request to an operation whose flag is evaluated by account is authenticated once', async () => {
    let asked = 0
    await using kernel = await startKernel({
      groups: { test: served({ flagged }, { flagged: done }) },
      guards: {
        flagEnabledFor: () => Promise.resolve(true),
        authenticate: () => (asked++, Promise.resolve(principalOf('admin'))),
      },
    })
    expect((await kernel.send('POST', '/api/v1/test', { a: 1 })).status).toBe(200)
    expect(asked).toBe(1)
  })

  test.each([
    ['no credential comes before a bad body', undefined, 'no json', 'unauthenticated'],
    ['an expired credential comes before scope and body', 'expired', 'no json', 'token_expired'],
    ['a missing scope comes before the role and the body', 'viewer -workflows:write', 'no json', 'insufficient_scope'],
    ['a low role comes before the body', 'member', 'no json', 'insufficient_role'],
    ['a bad body comes last', 'admin', 'no json', 'malformed_json'],
  ])('%s', async (_, token, body, code) => {
    await using kernel = await start(true)
    const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
    expect(await codeOf(await kernel.fetch('/api/v1/test', { method: 'POST', headers, body }))).toBe(code)
  })

  test('a request over its rate limit is refused before its credential is checked', async () => {
    const limit = { limit: 2, windowSeconds: 60 }
    let asked = 0
    const read = operation({ ...readBase, rateLimit: 'auth', reply: Done })
    await using kernel = await startKernel({
      groups: { test: served({ read }, { read: done }) },
      config: { rateLimits: { global: { limit: 100, windowSeconds: 60 }, auth: limit, refresh: limit, execution: limit } },
      guards: { authenticate: () => (asked++, Promise.resolve(undefined)) },
    })
    const answers = [await kernel.fetch('/api/v1/test'), await kernel.fetch('/api/v1/test'), await kernel.fetch('/api/v1/test')]
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 429])
    expect(asked).toBe(2)
    expect(answers.map((answer) => answer.headers.get('ratelimit-remaining'))).toEqual(['1', '0', '0'])
    expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(answers[2]?.headers.get('ratelimit-policy')).toBe('100;w=60, 2;w=60')
    expect(await codeOf(await kernel.fetch('/api/v1/nowhere'))).toBe('route_not_found')
  })

  describe('with limits of credentials', () => {
    const [ada, grace] = ['Bearer user=01890a5d-ac96-774b-bcce-b302099a8001', 'Bearer user=01890a5d-ac96-774b-bcce-b302099a8002'] as const
    const limit = (count: number) => ({ limit: count, windowSeconds: 60 })
    const startLimited = (isExempt?: (ip: string) => boolean) => {
      const read = operation({ ...readBase, rateLimit: 'execution', reply: Done })
      const rateLimits = { global: limit(2), auth: limit(2), refresh: limit(2), execution: limit(2), credential: limit(3) }
      return startKernel({ groups: { test: served({ read }, { read: done }) }, config: { rateLimits, isExempt } })
    }

    test('callers with a credential are counted apart from their address and from each other', async () => {
      await using kernel = await startLimited()
      const statuses = async (authorization: string, count: number) => {
        const all: number[] = []
        for (let i = 0; i < count; i++) all.push((await kernel.fetch('/api/v1/test', { headers: { authorization } })).status)
        return all
      }
      expect(await statuses(ada, 3)).toEqual([200, 200, 429])
      expect(await statuses(grace, 2)).toEqual([200, 200])
      // Invalid credentials count for the address.
      expect(await statuses('Bearer expired', 3)).toEqual([401, 401, 429])
      expect((await kernel.fetch('/api/v1/test')).status).toBe(429)
    })

    test('the refusal names the limit', async () => {
      await using kernel = await startLimited()
      const ask = () => kernel.fetch('/api/v1/test', { headers: { authorization: ada } })
      await ask()
      await ask()
      expect((await problemIn(await ask())).detail).toMatch(
        /^More than 2 requests that start executions with your credential in 60 s\. Try again in \d+ s\./,
      )
    })

    test('an exempt address is not counted', async () => {
      await using kernel = await startLimited((ip) => ip === '127.0.0.1')
      const answers = await Promise.all([1, 2, 3, 4].map(() => kernel.fetch('/api/v1/test')))
      expect(answers.map(({ status, headers }) => [status, headers.get('ratelimit-limit')])).toEqual(
        Array.from({ length: 4 }, () => [401, null]),
      )
    })
  })

  test('an operation for operators is refused even to owners', async () => {
    const read = operation({ ...readBase, role: 'operator', reply: Done })
    await using kernel = await startKernel({ groups: { test: served({ read }, { read: done }) } })
    expect(await codeOf(await kernel.send('GET', '/api/v1/test'))).toBe('insufficient_role')
    expect((await kernel.send('GET', '/api/v1/test', undefined, { authorization: 'Bearer viewer operator' })).status).toBe(200)
  })
})

describe('the parts of a request', () => {
  const get = operation({
    ...readBase,
    path: '/api/v1/test/{id}',
    params: z.object({ id: Id }),
    query: z.strictObject({ limit: z.coerce.number<number>().int().min(1).max(100).default(25), ref: Id.optional() }),
    reply: z.object({ id: Id, limit: z.int() }),
  })
  const put = operation({
    ...writeBase,
    id: 'test.put',
    method: 'PUT',
    idempotency: 'natural',
    body: z.strictObject({ 'a/b': z.array(z.object({ n: z.int() })), kind: z.enum(['x', 'y']).optional() }),
    reply: Done,
  })
  const bare = operation({ ...writeBase, id: 'test.bare', path: '/api/v1/bare', reply: Done })
  const start = () =>
    startKernel({
      groups: {
        test: served(
          { get, put, bare },
          { get: (_, { params, query }) => Promise.resolve({ id: params.id, limit: query.limit }), put: done, bare: done },
        ),
      },
    })
  const invalid = async (kernel: Kernel, method: string, path: string, body?: unknown) => {
    const response = await kernel.send(method, path, body)
    expect(response.status).toBe(400)
    return (await problemIn(response)).errors
  }

  test('the parts of a request reach the handler parsed and with defaults', async () => {
    await using kernel = await start()
    expect(await (await kernel.send('GET', `/api/v1/test/${id}`)).json()).toEqual({ id, limit: 25 })
    expect(await (await kernel.send('GET', `/api/v1/test/${id}?limit=7`)).json()).toEqual({ id, limit: 7 })
  })

  test.each(['exec_01h455vb4pex5vsknk084sn02q', 'none', id.toUpperCase(), `${id}0`, '..%2Fx', 'x'.repeat(900)])(
    'with an id in the path that can be none is a 404: %s',
    async (wrong) => {
      await using kernel = await start()
      const response = await kernel.send('GET', `/api/v1/test/${wrong}`)
      expect([response.status, await codeOf(response)]).toEqual([404, 'not_found'])
    },
  )

  test('an id of another kind in the query is a 400', async () => {
    await using kernel = await start()
    expect(await invalid(kernel, 'GET', `/api/v1/test/${id}?ref=exec_1`)).toEqual([
      { pointer: '/ref', detail: 'Must be the id of a workflow (wf_…).', in: 'query' },
    ])
  })

  test('all faults of a request are reported together, each with a JSON Pointer', async () => {
    await using kernel = await start()
    expect(await invalid(kernel, 'PUT', '/api/v1/test', { 'a/b': [{ n: 1 }, { n: 'one' }, {}], kind: 'z', more: 1, 'm~re': 2 })).toEqual([
      { pointer: '/a~1b/1/n', detail: expect.stringContaining('number') },
      { pointer: '/a~1b/2/n', detail: 'Is required.' },
      { pointer: '/kind', detail: expect.stringContaining('"x"') },
      { pointer: '/more', detail: expect.stringContaining('Is not known here') },
      { pointer: '/m~0re', detail: expect.stringContaining('Is not known here') },
    ])
  })

  test('undeclared query parameters and bodies are refused', async () => {
    await using kernel = await start()
    expect(await invalid(kernel, 'GET', `/api/v1/test/${id}?other=1`)).toEqual([
      { pointer: '/other', detail: expect.stringContaining('Is not known here'), in: 'query' },
    ])
    expect(await invalid(kernel, 'PUT', '/api/v1/test?dry=1', { 'a/b': [] })).toEqual([
      { pointer: '/dry', detail: expect.stringContaining('Is not known here'), in: 'query' },
    ])
    expect(await invalid(kernel, 'POST', '/api/v1/bare', { a: 1 })).toEqual([{ pointer: '', detail: 'This operation takes no body.' }])
    expect((await kernel.send('POST', '/api/v1/bare', {})).status).toBe(200)
    expect((await kernel.send('POST', '/api/v1/bare')).status).toBe(200)
  })

  test('a repeated query parameter is refused', async () => {
    await using kernel = await start()
    expect(await invalid(kernel, 'GET', `/api/v1/test/${id}?limit=1&limit=2`)).toHaveLength(1)
  })

  test('a request with more than a hundred faults gets the first hundred', async () => {
    await using kernel = await start()
    expect(await invalid(kernel, 'PUT', '/api/v1/test', { 'a/b': Array.from({ length: 5000 }, () => ({})) })).toHaveLength(100)
  })
})

describe('what a handler answers', () => {
  const write = operation({ ...writeBase, replyHeaders: ['ETag'], reply: z.object({ v: JsonValue }), errors: ['conflict'] })
  const start = (handler: Parameters<typeof served<{ write: typeof write }>>[1]['write'], config = {}) =>
    startKernel({ groups: { test: served({ write }, { write: handler }) }, config })

  test('a handler may add headers to its response', async () => {
    await using kernel = await start(() => Promise.resolve(respond({ v: 1 }, { headers: { etag: etag(3), location: '/x' } })))
    const response = await kernel.send('POST', '/api/v1/test')
    expect([response.status, response.headers.get('etag'), response.headers.get('location')]).toEqual([200, '"3"', '/x'])
  })

  test('a handler may respond with a stream', async () => {
    await using kernel = await start(() =>
      Promise.resolve(respondStream(Readable.from(['a', 'b']), { headers: { 'content-type': 'text/plain' } })),
    )
    const response = await kernel.send('POST', '/api/v1/test')
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['text/plain', 'ab'])
  })

  test('a success is audited in the transaction of its effect, with the details of the handler', async () => {
    await using kernel = await start((ctx) => {
      ctx.audit({ target: id, details: { name: 'x' } })
      return Promise.resolve({ v: null })
    })
    expect((await kernel.send('POST', '/api/v1/test')).status).toBe(200)
    expect(kernel.audits).toEqual([{ event: 'test.written', inTransaction: true, details: { target: id, details: { name: 'x' } } }])
    expect(kernel.transactions).toEqual(['committed'])
  })

  test('a deferred response is produced after the audit row, and never with an open transaction', async () => {
    const { promise: settled, resolve: settle } = Promise.withResolvers<{ v: number }>()
    const own = operation({ ...write, transaction: 'own' })
    const handlers = { write: () => Promise.resolve(respondLater(() => settled)) }
    await using kernel = await startKernel({ groups: { test: served({ write: own }, handlers) } })
    const response = kernel.send('POST', '/api/v1/test')
    await expect.poll(() => kernel.audits.length).toBe(1)
    settle({ v: 7 })
    expect([(await response).status, await (await response).json()]).toEqual([200, { v: 7 }])
    await using deferring = await start(() => Promise.resolve(respondLater(() => Promise.resolve({ v: 1 }))))
    expect((await deferring.send('POST', '/api/v1/test')).status).toBe(500)
    expect([deferring.audits, deferring.transactions]).toEqual([[], ['rolled back']])
  })

  test('a deferred response is checked against its declaration', async () => {
    const own = operation({ ...write, transaction: 'own' })
    const wrong = { write: () => Promise.resolve(respondLater(async () => JSON.parse('{ "w": 1 }'))) }
    await using kernel = await startKernel({ groups: { test: served({ write: own }, wrong) }, config: { strict: true } })
    expect((await kernel.send('POST', '/api/v1/test')).status).toBe(500)
  })

  test('a Fault rolls the transaction back, writes no audit row, and runs no effect', async () => {
    let followed = false
    await using kernel = await start((ctx) => {
      ctx.afterCommit(() => {
        followed = true
      })
      throw new Fault('conflict', { detail: 'Not now.' })
    })
    const response = await kernel.send('POST', '/api/v1/test')
    expect([response.status, (await problemIn(response)).detail]).toEqual([409, 'Not now.'])
    expect([kernel.transactions, kernel.audits, followed]).toEqual([['rolled back'], [], false])
  })

  test.each([
    ['until it succeeds', 2, 200],
    ['a bounded number of times', 100, 409],
  ])('after a Fault that others may have caused, a request is prepared and performed again %s', async (_, losses, status) => {
    const [prepared, followed]: [number[], number[]] = [[], []]
    const handler = withPreparation<typeof write, number>(
      (_ctx, _input, attempt) => {
        prepared.push(attempt)
        return Promise.resolve(attempt)
      },
      (ctx, _input, attempt) => {
        ctx.audit({ target: id, details: { attempt } })
        ctx.afterCommit(() => void followed.push(attempt))
        if (attempt <= losses) throw new Fault('conflict', { detail: 'Another one was faster.' })
        return Promise.resolve({ v: attempt })
      },
      ({ code }) => code === 'conflict',
    )
    await using kernel = await start(handler)
    expect((await kernel.send('POST', '/api/v1/test')).status).toBe(status)
    const attempts = status === 200 ? losses + 1 : 8
    expect(prepared).toEqual(Array.from({ length: attempts }, (_each, index) => index + 1))
    expect([kernel.transactions.length, followed, kernel.audits.map(({ details }) => details.details)]).toEqual(
      status === 200 ? [3, [3], [{ attempt: 3 }]] : [8, [], []],
    )
  })

  test('an effect that fails after the commit, or uses the transaction, is logged and does not change the response', async () => {
    const seen: string[] = []
    await using kernel = await start((ctx) => {
      ctx.afterCommit(() => Promise.reject(new Error('no listener')))
      ctx.afterCommit(() => void seen.push('second'))
      ctx.afterCommit(() => void seen.push(typeof ctx.tx))
      return Promise.resolve({ v: 1 })
    })
    expect((await kernel.send('POST', '/api/v1/test')).status).toBe(200)
    expect(seen).toEqual(['second'])
    expect(kernel.errors).toHaveLength(2)
  })

  test('an undeclared error code or member of a reply is a bug, which strict mode reports', async () => {
    await using undeclared = await start(() => Promise.reject(new Fault('last_owner')))
    expect((await undeclared.send('POST', '/api/v1/test')).status).toBe(500)
    expect(String(Reflect.get(Object(undeclared.errors[0]), 'err'))).toContain('test.write raised last_owner')
    const wrong = operation({ ...readBase, reply: Done })
    const answers: typeof done = () => Promise.resolve(JSON.parse('{ "done": "yes" }'))
    await using mistaken = await startKernel({ groups: { test: served({ wrong }, { wrong: answers }) } })
    expect((await mistaken.send('GET', '/api/v1/test')).status).toBe(500)
  })
})

describe('what a handler knows', () => {
  test('the context has the caller, the credential and the parsed headers', async () => {
    const read = operation({ ...readBase, reply: z.object({ v: JsonValue }) })
    await using kernel = await startKernel({
      groups: {
        test: served(
          { read },
          {
            read: (ctx) =>
              Promise.resolve({
                v: [
                  ctx.requestId,
                  ctx.ip,
                  ctx.userAgent ?? null,
                  ctx.role,
                  ctx.credential,
                  ctx.isOperator,
                  ctx.prefer.waitSeconds ?? null,
                  [...(ctx.ifMatch ?? [])],
                ],
              }),
          },
        ),
      },
    })
    const headers = { authorization: 'Bearer member key', prefer: 'wait=5', 'if-match': '"4"', 'user-agent': 'me/1', 'x-request-id': 'r1' }
    expect(await (await kernel.send('GET', '/api/v1/test', undefined, headers)).json()).toEqual({
      v: ['r1', '127.0.0.1', 'me/1', 'member', 'api_key', false, 5, [4]],
    })
  })

  test('reading the caller or the transaction of a context without one is a bug', async () => {
    const reads = ['accountId', 'userId', 'tx'] as const
    const open = operation({ ...readBase, auth: 'public', query: z.strictObject({ read: z.enum(reads) }), reply: Done })
    await using kernel = await startKernel({
      groups: { test: served({ open }, { open: (ctx, { query }) => Promise.resolve({ done: ctx[query.read] !== undefined }) }) },
    })
    for (const read of reads) {
      expect((await kernel.fetch(`/api/v1/test?read=${read}`)).status).toBe(500)
    }
    expect(kernel.transactions).toEqual([])
  })
})

test('an alias is served by the handler of its target', async () => {
  const read = operation({ ...readBase, auth: 'public', reply: Done })
  const group = { read, readAgain: alias(read, { id: 'test.readAgain', path: '/again' }) }
  await using kernel = await startKernel({ groups: { test: served(group, { read: done }) } })
  expect(await (await kernel.fetch('/again')).json()).toEqual({ done: true })
})
