import { afterEach, describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import type { HttpPort } from '#effects/http/index.ts'
import { startServer, type TestServer } from '#effects/http/testing-server.ts'
import { fetchPort } from '#effects/http/testing-port.ts'
import { callingMcp, failureOf, type TestCallOptions } from './testing-call.ts'
import { type Answer, sendResult, startMcpServer, type TestMcpServer } from './testing-server.ts'

let server: TestMcpServer
let other: TestServer | undefined
afterEach(async () => {
  await server.close()
  await other?.close()
  other = undefined
})

const list = { method: 'tools/list' }

async function calling(answer: Answer, options?: TestCallOptions): Promise<Json> {
  server = await startMcpServer(answer)
  return callingMcp(server.endpoint, list, options)
}

describe('a refusal is a communication error with the status of the server', () => {
  test('and with what it says', async () => {
    const answer: Answer = (_, response) => Boolean(response.writeHead(404, { 'content-type': 'text/plain' }).end('no MCP here'))
    const error = await failureOf(calling(answer))
    expect(error.data).toEqual({
      type: 'https://open-workflow-specification.org/spec/1.0.0/errors/communication',
      status: 404,
      title: 'Not Found',
      detail: `tools/list at ${server.endpoint}: the server answered 404. It says: no MCP here`,
    })
  })

  test('and with the message of an error of JSON-RPC in it', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: no session' } })
    const error = await failureOf(
      calling((_, response) => Boolean(response.writeHead(400, { 'content-type': 'application/json' }).end(body))),
    )
    expect(error.data.detail).toMatch(/answered 400\. It says: Bad Request: no session \(error -32000\)$/)
  })

  test.each([['<html><body>Sorry</body></html>'], [Buffer.from([0xff, 0xfe, 0x00])], ['']])(
    'and without what people cannot read: %j',
    async (body) => {
      const error = await failureOf(calling((_, response) => Boolean(response.writeHead(502).end(body))))
      expect(error.data.detail).toMatch(/answered 502\.$/)
    },
  )

  test('also with a status that has no body', async () => {
    const error = await failureOf(calling((_, response) => Boolean(response.writeHead(304).end())))
    expect(error.data).toMatchObject({ status: 304, title: 'Not Modified' })
  })

  test('and with how long it asks to be left alone', async () => {
    const error = await failureOf(calling((_, response) => Boolean(response.writeHead(429, { 'retry-after': '7' }).end())))
    expect(error).toMatchObject({
      retryAfterMs: 7_000,
      data: { status: 429, detail: expect.stringMatching(/It asks to retry after 7 s\./) },
    })
  })

  test('in the middle of a session, which is ended', async () => {
    const error = await failureOf(calling(({ method }, response) => method === 'tools/list' && Boolean(response.writeHead(500).end())))
    expect(error.data).toMatchObject({ status: 500, title: 'Internal Server Error' })
    expect(server.heard().at(-1)).toBe('DELETE')
  })

  test('also where it asks for more rights than there are', async () => {
    const headers = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="admin", resource_metadata="http://127.0.0.1:9/x"' }
    const error = await failureOf(calling((_, response) => Boolean(response.writeHead(403, headers).end())))
    expect(error.data).toMatchObject({ status: 403 })
  })
})

describe('a redirect', () => {
  test('that keeps the method is followed within the origin', async () => {
    const result = await calling((_, response, { url }) => url === '/mcp' && Boolean(response.writeHead(307, { location: '/moved' }).end()))
    expect(result).toEqual({ tools: [] })
  })

  test('that was followed is not what a later error is about', async () => {
    const error = await failureOf(
      calling((heard, response, { url }) => {
        if (url === '/mcp') return Boolean(response.writeHead(307, { location: '/moved' }).end())
        return heard.method === 'initialize' && sendResult(response, heard, { hello: 1 })
      }),
    )
    expect(error.data.detail).toMatch(/does not speak the protocol as expected/)
  })

  test('to another origin is not followed, and the error says where it leads', async () => {
    other = await startServer((_, response) => response.end())
    const location = `${other.origin}/mcp?token=secret`
    const error = await failureOf(calling((_, response) => Boolean(response.writeHead(307, { location }).end())))
    expect(error.data.detail).toContain(`It redirects to ${other.origin}/mcp, which is not followed`)
    expect(other.received).toEqual([])
  })

  test('an endless event stream ends with the timeout', async () => {
    const error = await failureOf(calling((_, response) => Boolean(response.writeHead(308, { location: '/mcp' }).end())))
    expect(error.data).toMatchObject({ status: 308 })
    expect(server.received.length).toBeLessThan(30)
  })
})

describe('the port', () => {
  const failing = (reason: string): HttpPort => ({
    request: async () => Promise.reject(Object.assign(new Error('the address 10.0.0.1 is private'), { reason })),
  })

  test('refuses an address with an authorization error', async () => {
    const error = await failureOf(calling(() => false, { deps: { http: failing('denied') } }))
    expect(error.data).toMatchObject({ type: expect.stringMatching(/\/authorization$/), status: 403, title: 'Address not allowed' })
    expect(error.data.detail).toMatch(/the address 10\.0\.0\.1 is private/)
  })

  test('sees every request, those after a redirect too', async () => {
    const urls: string[] = []
    const http: HttpPort = {
      request: (request, signal) => {
        urls.push(new URL(request.url).pathname)
        if (request.url.endsWith('/private')) return failing('denied').request(request, signal)
        return fetchPort.request(request, signal)
      },
    }
    const error = await failureOf(
      calling(({ method }, response) => method === 'tools/list' && Boolean(response.writeHead(307, { location: '/private' }).end()), {
        deps: { http },
      }),
    )
    expect(error.data).toMatchObject({ status: 403 })
    expect(urls).toEqual(['/mcp', '/mcp', '/mcp', '/private', '/mcp'])
  })

  test('that does not reach the server gives a communication error', async () => {
    const error = await failureOf(calling(() => false, { deps: { http: failing('dns') } }))
    expect(error.data).toMatchObject({ type: expect.stringMatching(/\/communication$/), status: 503 })
  })

  test('that has a bug is not something that a workflow can catch', async () => {
    const http: HttpPort = { request: async () => Promise.reject(new RangeError('a bug')) }
    await expect(calling(() => false, { deps: { http } })).rejects.toThrow(RangeError)
  })

  test('that answers what HTTP does not know gives a communication error', async () => {
    const http: HttpPort = { request: async ({ url }) => ({ status: 999, headers: {}, body: new Uint8Array(), url }) }
    expect((await failureOf(calling(() => false, { deps: { http } }))).data).toMatchObject({ status: 502 })
  })
})
