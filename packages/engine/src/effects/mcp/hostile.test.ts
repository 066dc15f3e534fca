import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Json } from '#core/json.ts'
import type { HttpPort } from '#effects/http/index.ts'
import { fetchPort } from '#effects/http/testing-port.ts'
import { callingMcp, failureOf, type TestCallOptions } from './testing-call.ts'
import { type Answer, type Heard, sendEvents, sendResult, startMcpServer, type TestMcpServer } from './testing-server.ts'

let server: TestMcpServer
afterEach(() => server.close())

const list = { method: 'tools/list' }

async function calling(answer: Answer, args: Readonly<Record<string, Json>> = list, options?: TestCallOptions): Promise<Json> {
  server = await startMcpServer(answer)
  return callingMcp(server.endpoint, args, options)
}

/** Cancels a call as soon as the server has the request of that method, which it does not answer. */
function callCancelledOn(silentOn: string): Promise<Json> {
  const cancelling = new AbortController()
  const silent: Answer = ({ method }) => {
    if (method === silentOn) cancelling.abort(new Error('cancelled'))
    return method === silentOn
  }
  return calling(silent, list, { call: { signal: cancelling.signal } })
}

/** What the server does with the request itself, once the session is there. */
function onRequest(answer: (response: Parameters<Answer>[1], heard: Heard) => void): Answer {
  return (heard, response) => {
    if (heard.method !== 'tools/list' && heard.method !== 'tools/call') return false
    answer(response, heard)
    return true
  }
}

/** Answers with events, and leaves the stream open. */
function keepOpen(response: Parameters<Answer>[1], events: readonly string[]): true {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(events.map((event) => `${event}\n\n`).join(''))
  return true
}

const eventsOf = (messages: readonly object[]) => messages.map((message) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}`)

describe('a session', () => {
  test('is opened, used and ended, in this order and with nothing else', async () => {
    await calling(() => false)
    expect(server.heard()).toEqual(['POST initialize', 'POST notifications/initialized', 'POST tools/list', 'DELETE'])
  })

  test('is used with its id and with the version that the server has chosen', async () => {
    await calling(() => false)
    const headers = server.received.map((request) => [request.headers['mcp-session-id'], request.headers['mcp-protocol-version']])
    expect(headers).toEqual([[undefined, undefined], ...Array.from({ length: 3 }, () => ['session-1', '2025-06-18'])])
  })

  test('the client declares no capabilities and names itself', async () => {
    const params: (Json | undefined)[] = []
    await calling(({ method, params: given }) => {
      if (method === 'initialize') params.push(given)
      return false
    })
    expect(params).toEqual([{ protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'millrace', version: '1.2.3' } }])
  })

  test('has the idempotency key of the attempt on the request alone, so that the server detects its repetition', async () => {
    await calling(() => false)
    expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined, 'key-1', undefined])
  })

  test('has the headers of the author on every request, and an idempotency key of the author is kept', async () => {
    server = await startMcpServer()
    const headers = { 'x-tenant': 'one', 'idempotency-key': 'mine' }
    await callingMcp(null, { ...list, transport: { http: { endpoint: server.endpoint, headers } } })
    expect(server.received.map((request) => [request.headers['x-tenant'], request.headers['idempotency-key']])).toEqual(
      Array.from({ length: 4 }, () => ['one', 'mine']),
    )
  })

  test('that the server does not keep is not ended', async () => {
    await calling((heard, response) => {
      if (heard.method !== 'initialize') return false
      return sendResult(response, heard, { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'test', version: '1' } })
    })
    expect(server.heard()).not.toContain('DELETE')
  })

  test('whose end the server refuses does not change the result', async () => {
    const result = await calling((_, response, { method }) => method === 'DELETE' && Boolean(response.writeHead(500).end()))
    expect(result).toEqual({ tools: [] })
  })

  test('the result does not wait until the server confirms the end of the session', async () => {
    expect(await calling((_, __, { method }) => method === 'DELETE')).toEqual({ tools: [] })
  })

  test('is ended when the server does not take the greeting', async () => {
    const error = await failureOf(
      calling((heard, response) => heard.method === 'notifications/initialized' && Boolean(response.writeHead(503).end())),
    )
    expect(error.data).toMatchObject({ status: 503 })
    expect(server.heard().at(-1)).toBe('DELETE')
  })

  test('starts with a version that the server may replace by another one that is spoken', async () => {
    const result = await calling((heard, response) => {
      if (heard.method !== 'initialize') return false
      return sendResult(response, heard, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'test', version: '1' } })
    })
    expect(result).toEqual({ tools: [] })
    expect(server.received.at(-1)?.headers['mcp-protocol-version']).toBe('2025-11-25')
  })

  test('with a server that speaks other versions only is a runtime error that names its version', async () => {
    const error = await failureOf(
      calling((heard, response) => {
        if (heard.method !== 'initialize') return false
        return sendResult(response, heard, { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 'test', version: '1' } })
      }),
    )
    expect(error.data).toMatchObject({
      type: expect.stringMatching(/\/runtime$/),
      detail: expect.stringMatching(/version is not supported: 1999-01-01/),
    })
  })
})

describe('an answer', () => {
  test('may come as an event stream that the server closes, behind other messages', async () => {
    const result = await calling(
      onRequest((response, { id }) => {
        const progress = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'working' } })
        const asked = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'roots/list' })
        const answer = JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [{ name: 'one' }] } })
        sendEvents(response, [
          ': a comment',
          `event: message\ndata: ${progress}`,
          `data: ${asked}`,
          `event: message\nid: 7\ndata: ${answer}`,
        ])
      }),
    )
    expect(result).toEqual({ tools: [{ name: 'one' }] })
  })

  test('is given as it came, with what no version of the protocol knows', async () => {
    const odd = { tools: [{ name: 'one', invented: { deep: [1, null] } }], nextCursor: 'page-2', _meta: { 'example.org/x': true }, more: 0 }
    expect(await calling(onRequest((response, heard) => sendResult(response, heard, odd)))).toEqual(odd)
  })

  test('is one page, and the cursor of the next one is a parameter', async () => {
    const pages: Answer = onRequest((response, heard) => {
      const second = JSON.stringify(heard.params) === JSON.stringify({ cursor: 'page-2' })
      sendResult(response, heard, second ? { tools: [{ name: 'b' }] } : { tools: [{ name: 'a' }], nextCursor: 'page-2' })
    })
    expect(await calling(pages)).toEqual({ tools: [{ name: 'a' }], nextCursor: 'page-2' })
    expect(await callingMcp(server.endpoint, { ...list, parameters: { cursor: 'page-2' } })).toEqual({ tools: [{ name: 'b' }] })
  })

  test('that a server interrupts is fetched from where it was interrupted', async () => {
    let id: Json | undefined
    let resumed = 0
    const result = await calling((heard, response, { method, headers }) => {
      if (heard.method === 'tools/list') {
        ;({ id } = heard)
        return sendEvents(response, ['retry: 10\nid: event-1\ndata: '])
      }
      if (method !== 'GET') return false
      expect(headers).toMatchObject({ accept: 'text/event-stream', 'mcp-session-id': 'session-1' })
      if (headers['last-event-id'] === 'event-1') return sendEvents(response, ['id: event-2\ndata: '])
      resumed += 1
      if (resumed === 1) return sendEvents(response, [': nothing new'])
      return sendEvents(response, [`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { after: headers['last-event-id'] } })}`])
    })
    expect(result).toEqual({ after: 'event-2' })
  })

  test('is read from a stream that the server does not close', async () => {
    const result = await calling(
      onRequest((response, { id }) =>
        keepOpen(response, [
          'data: {"jsonrpc":"2.0","id":4711,"result":{}}',
          ...eventsOf([
            { id: null, method: 'note' },
            { id, result: { a: 1 } },
          ]),
        ]),
      ),
    )
    expect(result).toEqual({ a: 1 })
  })

  test('is read from a stream that was resumed and that the server does not close', async () => {
    let id: Json | undefined
    const result = await calling((heard, response, { method }) => {
      if (heard.method === 'tools/list') {
        ;({ id } = heard)
        return sendEvents(response, ['retry: 10\nid: event-1\ndata: '])
      }
      return method === 'GET' && keepOpen(response, ['id: event-2\ndata: ', ...eventsOf([{ id, result: { a: 1 } }])])
    })
    expect(result).toEqual({ a: 1 })
  })

  test('that a server interrupts for long is not waited for when the call is cancelled', async () => {
    const cancelling = new AbortController()
    const interrupting: Answer = onRequest((response) => {
      sendEvents(response, ['retry: 60000\nid: event-1\ndata: '])
      setTimeout(() => cancelling.abort(new Error('cancelled')), 100)
    })
    await expect(calling(interrupting, list, { call: { signal: cancelling.signal } })).rejects.toThrow('cancelled')
  })

  test('an interrupted stream that cannot be resumed is a communication error', async () => {
    const error = await failureOf(
      calling((heard, response, { method }) => {
        if (heard.method === 'tools/list') return sendEvents(response, ['retry: 10\nid: event-1\ndata: '])
        return method === 'GET' && Boolean(response.writeHead(404).end())
      }),
    )
    expect(error.data).toMatchObject({ status: 502, detail: expect.stringMatching(/answered 404 to the request to resume it/) })
  })

  test('that is never given is a communication error at once, not a timeout', async () => {
    const error = await failureOf(calling(onRequest((response) => sendEvents(response, ['data: {"jsonrpc":"2.0","id":4711,"result":{}}']))))
    expect(error.data).toMatchObject({ type: expect.stringMatching(/\/communication$/), status: 502 })
    expect(error.data.detail).toMatch(/ended its reply before it had answered/)
  })
})

describe('an error', () => {
  test('of JSON-RPC is a runtime error with the code and the message', async () => {
    const error = await failureOf(
      calling(
        onRequest((response, { id }) =>
          send(response, 200, { jsonrpc: '2.0', id, error: { code: -32601, message: 'not here', data: { x: 1 } } }),
        ),
      ),
    )
    expect(error.data).toEqual({
      type: 'https://open-workflow-specification.org/spec/1.0.0/errors/runtime',
      status: 500,
      title: 'Runtime error',
      detail: `tools/list at ${server.endpoint}: the server answered with error -32601: not here`,
    })
  })

  test('without an id is the answer of a server that could not read the request', async () => {
    const answer = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'cannot read this' } }
    const error = await failureOf(calling(onRequest((response) => send(response, 200, answer))))
    expect(error.data.detail).toMatch(/error -32700: cannot read this/)
  })

  test('of a tool is a runtime error with its text', async () => {
    const result = { isError: true, content: [{ type: 'text', text: 'no such' }, { type: 'image' }, { type: 'text', text: 'city' }] }
    const error = await failureOf(
      calling(
        onRequest((response, heard) => sendResult(response, heard, result)),
        { method: 'tools/call', parameters: { name: 'weather' } },
      ),
    )
    expect(error.data.type).toMatch(/\/runtime$/)
    expect(error.data.detail).toBe(`tools/call "weather" at ${server.endpoint}: the tool failed: no such\ncity`)
  })

  test.each([[{ isError: true }], [{ isError: true, content: 'text' }], [{ isError: true, content: [null, { text: 7 }] }]])(
    'of a tool that says nothing is an error all the same: %j',
    async (result: Json) => {
      const answer: Answer = onRequest((response, heard) => sendResult(response, heard, result))
      const error = await failureOf(calling(answer, { method: 'tools/call', parameters: { name: 'mute' } }))
      expect(error.data.detail).toMatch(/the tool failed and gives no reason\.$/)
    },
  )

  test('marked by anything but a tool is a result', async () => {
    expect(await calling(onRequest((response, heard) => sendResult(response, heard, { isError: true })))).toEqual({ isError: true })
  })

  test('is not longer than people read', async () => {
    const message = 'x'.repeat(100_000)
    const error = await failureOf(
      calling(onRequest((response, { id }) => send(response, 200, { jsonrpc: '2.0', id, error: { code: 1, message } }))),
    )
    expect(error.data.detail?.length).toBeLessThan(2_000)
  })
})

describe('what is no answer of an MCP server is a communication error:', () => {
  test.each([
    ['invalid JSON', 'application/json', '{"jsonrpc":', /says that it is JSON and is not/],
    ['JSON that is no message', 'application/json', '{"id":1,"result":{}}', /not a message of JSON-RPC/],
    ['a list that has no messages', 'application/json', '[1]', /not a message of JSON-RPC/],
    ['an empty list', 'application/json', '[]', /before it had answered/],
    ['nothing', 'application/json', '', /not a message of JSON-RPC/],
    ['a page', 'text/html', '<h1>Hello</h1>', /answered with text\/html/],
    ['bytes of no type', undefined, 'hello', /does not say what it is/],
    ['an event that is no JSON', 'text/event-stream', 'data: hello\n\n', /says that it is JSON and is not/],
    ['an event stream that is cut off', 'text/event-stream', 'data: {"jsonrpc":"2.0"', /before it had answered/],
    [
      'JSON that is too deep',
      'application/json',
      `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      /nested deeper/,
    ],
  ])('%s', async (_, type, body, detail) => {
    const error = await failureOf(
      calling(onRequest((response) => response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body))),
    )
    expect(error.data).toMatchObject({
      type: expect.stringMatching(/\/communication$/),
      status: 502,
      detail: expect.stringMatching(detail),
    })
  })

  test.each([
    [{ result: 'text' }],
    [{ result: null }],
    [{ error: 'text' }],
    [{ error: { code: 'E', message: 'x' } }],
    [{ error: { code: 1 } }],
  ])('an answer with %j', async (part) => {
    const error = await failureOf(calling(onRequest((response, { id }) => send(response, 200, { jsonrpc: '2.0', id, ...part }))))
    expect(error.data).toMatchObject({ status: 502, detail: expect.stringMatching(/neither a result nor an error/) })
  })

  test('a greeting that is not one', async () => {
    const error = await failureOf(calling((heard, response) => heard.method === 'initialize' && sendResult(response, heard, { hello: 1 })))
    expect(error.data).toMatchObject({
      type: expect.stringMatching(/\/runtime$/),
      detail: expect.stringMatching(/does not speak the protocol as expected/),
    })
  })

  test('a result larger than the limit', async () => {
    const answer: Answer = onRequest((response, heard) => sendResult(response, heard, { tools: ['x'.repeat(1_000_001)] }))
    const error = await failureOf(calling(answer))
    expect(error.data).toMatchObject({ status: 502, detail: expect.stringMatching(/larger than 1000000 bytes/) })
  })

  test('a result within the limit in one event is accepted', async () => {
    const tools = ['x'.repeat(900_000)]
    const answer: Answer = onRequest((response, { id }) =>
      sendEvents(response, [`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { tools } })}`]),
    )
    expect(await calling(answer)).toEqual({ tools })
  })
})

describe('a server that never answers', () => {
  test.each([['initialize'], ['notifications/initialized'], ['tools/list']])('%s is left when the time is up', async (silentOn) => {
    const error = await failureOf(calling(({ method }) => method === silentOn, { ...list, timeout: 'PT0.3S' }))
    expect(error.data).toMatchObject({ status: 408, detail: `tools/list at ${server.endpoint}: not done within 0.3 s.` })
  })

  test.each([['initialize'], ['notifications/initialized'], ['tools/list']])('%s is left on a cancel', async (silentOn) => {
    await expect(callCancelledOn(silentOn)).rejects.toThrow('cancelled')
  })

  test('a server is notified that the call was cancelled', async () => {
    await expect(callCancelledOn('tools/list')).rejects.toThrow('cancelled')
    await vi.waitFor(() => expect(server.heard()).toEqual(expect.arrayContaining(['POST notifications/cancelled', 'DELETE'])))
  })

  test('a server without sessions is notified of the cancellation, too', async () => {
    let taken = false
    const cancelling = new AbortController()
    const http: HttpPort = {
      request: async (request, signal) => {
        const reply = await fetchPort.request(request, signal)
        taken ||= String(request.body).includes('notifications/cancelled')
        return reply
      },
    }
    const answer: Answer = (heard, response) => {
      if (heard.method === 'initialize') {
        return sendResult(response, heard, { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'test', version: '1' } })
      }
      if (heard.method === 'tools/list') cancelling.abort(new Error('cancelled'))
      if (heard.method === 'notifications/cancelled') setTimeout(() => response.writeHead(202).end(), 100)
      return heard.method !== 'notifications/initialized'
    }
    await expect(calling(answer, list, { call: { signal: cancelling.signal }, deps: { http } })).rejects.toThrow('cancelled')
    expect(taken).toBe(true)
  })

  test('even to that is left all the same', async () => {
    const error = await failureOf(calling(({ method }) => method !== 'initialize', { ...list, timeout: 'PT0.2S' }))
    expect(error.data).toMatchObject({ status: 408 })
  })

  test('costs no longer than the installation allows, whatever the definition says', async () => {
    const deps = { limits: { timeoutMs: 10_000, timeoutMsMax: 200, maxResponseBytes: 1_000 } }
    const error = await failureOf(calling(({ method }) => method === 'tools/list', { ...list, timeout: 'PT1H' }, { deps }))
    expect(error.data.detail).toMatch(/not done within 0\.2 s/)
  })

  test('is not asked when the call is cancelled already', async () => {
    const signal = AbortSignal.abort(new Error('cancelled before'))
    await expect(calling(() => false, list, { call: { signal } })).rejects.toThrow('cancelled before')
    expect(server.heard()).toEqual([])
  })
})

function send(response: Parameters<Answer>[1], status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
