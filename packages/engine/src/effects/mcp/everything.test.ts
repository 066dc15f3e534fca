import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Json } from '#core/json.ts'
import type { HttpPort } from '#effects/http/index.ts'
import { fetchPort } from '#effects/http/testing-port.ts'
import { callingMcp, failureOf, type TestCallOptions } from './testing-call.ts'
import { type EverythingServer, startEverything } from './testing-everything.ts'

let server: EverythingServer
beforeAll(async () => {
  server = await startEverything()
})
afterAll(() => server.close())

const call = (args: Readonly<Record<string, Json>>, options?: TestCallOptions): Promise<Json> => callingMcp(server.endpoint, args, options)

describe('every method gives the result of the real server', () => {
  test('tools/list', async () => {
    const result = await call({ method: 'tools/list' })
    expect(result).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'echo', inputSchema: expect.any(Object) })]),
    })
  })

  test('tools/call', async () => {
    const result = await call({ method: 'tools/call', parameters: { name: 'echo', arguments: { message: 'hello' } } })
    expect(result).toEqual({ content: [{ type: 'text', text: 'Echo: hello' }] })
  })

  test('tools/call of a tool with structured content', async () => {
    const result = await call({ method: 'tools/call', parameters: { name: 'get-structured-content', arguments: { location: 'Chicago' } } })
    const structuredContent = { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 }
    expect(result).toEqual({ content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent })
  })

  test('tools/call of a tool that gives an image', async () => {
    const result = await call({ method: 'tools/call', parameters: { name: 'get-tiny-image', arguments: {} } })
    expect(result).toMatchObject({ content: expect.arrayContaining([expect.objectContaining({ type: 'image', mimeType: 'image/png' })]) })
  })

  test('prompts/list', async () => {
    const result = await call({ method: 'prompts/list' })
    expect(result).toMatchObject({ prompts: expect.arrayContaining([expect.objectContaining({ name: 'args-prompt' })]) })
  })

  test('prompts/get', async () => {
    const result = await call({ method: 'prompts/get', parameters: { name: 'args-prompt', arguments: { city: 'Bern' } } })
    expect(result).toEqual({ messages: [{ role: 'user', content: { type: 'text', text: "What's weather in Bern?" } }] })
  })

  test('resources/list', async () => {
    const result = await call({ method: 'resources/list' })
    expect(result).toMatchObject({ resources: expect.arrayContaining([expect.objectContaining({ uri: expect.any(String) })]) })
  })

  test('resources/read', async () => {
    const uri = 'demo://resource/dynamic/text/1'
    const result = await call({ method: 'resources/read', parameters: { uri } })
    expect(result).toEqual({ contents: [{ uri, mimeType: 'text/plain', text: expect.stringContaining('Resource 1') }] })
  })

  test('resources/templates/list', async () => {
    const result = await call({ method: 'resources/templates/list' })
    expect(result).toMatchObject({
      resourceTemplates: expect.arrayContaining([expect.objectContaining({ uriTemplate: 'demo://resource/dynamic/text/{resourceId}' })]),
    })
  })
})

test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
  'version %s of the protocol is spoken with the real server',
  async (protocolVersion) => {
    const result = await call({ protocolVersion, method: 'tools/call', parameters: { name: 'get-sum', arguments: { a: 2, b: 3 } } })
    expect(result).toMatchObject({ content: [{ text: 'The sum of 2 and 3 is 5.' }] })
  },
)

test('a tool that does not exist is a runtime error with the words of the server', async () => {
  const error = await failureOf(call({ method: 'tools/call', parameters: { name: 'no-such-tool' } }))
  expect(error.data).toMatchObject({ type: expect.stringMatching(/\/runtime$/), detail: expect.stringMatching(/no-such-tool.* not found/) })
})

test('arguments that the tool does not take are a runtime error with the words of the server', async () => {
  const error = await failureOf(call({ method: 'tools/call', parameters: { name: 'echo', arguments: { message: 7 } } }))
  expect(error.data).toMatchObject({ type: expect.stringMatching(/\/runtime$/), detail: expect.stringMatching(/expected string/) })
})

test('a resource that does not exist is a runtime error with the code of the server', async () => {
  const error = await failureOf(call({ method: 'resources/read', parameters: { uri: 'demo://nowhere' } }))
  expect(error.data).toMatchObject({
    status: 500,
    detail: expect.stringMatching(/resources\/read "demo:\/\/nowhere" at .* error -32602: .*not found/),
  })
})

test('a prompt that misses an argument is a runtime error with the code of the server', async () => {
  const error = await failureOf(call({ method: 'prompts/get', parameters: { name: 'args-prompt', arguments: {} } }))
  expect(error.data.detail).toMatch(/error -32602/)
})

test('a session is ended when the call is done', async () => {
  const before = sessions().begun
  await call({ method: 'tools/list' })
  await vi.waitFor(() => expect(sessions()).toEqual({ begun: before + 1, open: 0 }))
})

test('a session is ended when the call has failed', async () => {
  const before = sessions().begun
  await failureOf(call({ method: 'tools/call', parameters: { name: 'no-such-tool' } }))
  await vi.waitFor(() => expect(sessions()).toEqual({ begun: before + 1, open: 0 }))
})

test('a tool that takes longer than the timeout is a timeout error, and its session is ended', async () => {
  const before = sessions().begun
  const slow = { name: 'trigger-long-running-operation', arguments: { duration: 30, steps: 1 } }
  const error = await failureOf(call({ method: 'tools/call', parameters: slow, timeout: { seconds: 3 } }))
  expect(error.data).toMatchObject({
    status: 408,
    type: expect.stringMatching(/\/timeout$/),
    detail: expect.stringMatching(/not done within 3 s/),
  })
  await vi.waitFor(() => expect(sessions()).toEqual({ begun: before + 1, open: 0 }))
})

test('a call that is cancelled while the tool works ends at once, and its session with it', async () => {
  const before = sessions().begun
  const cancelling = new AbortController()
  const slow = { name: 'trigger-long-running-operation', arguments: { duration: 30, steps: 1 } }
  const http: HttpPort = {
    async request(request, signal) {
      const reply = fetchPort.request(request, signal)
      if (String(request.body).includes('"tools/call"')) cancelling.abort(new Error('the execution is cancelled'))
      return reply
    },
  }
  const calling = call({ method: 'tools/call', parameters: slow }, { call: { signal: cancelling.signal }, deps: { http } })
  await expect(calling).rejects.toThrow('the execution is cancelled')
  await vi.waitFor(() => expect(sessions()).toEqual({ begun: before + 1, open: 0 }))
})

interface Sessions {
  readonly begun: number
  readonly open: number
}

/** How many sessions the server has begun, and how many of them it has not been asked to end. What it prints comes a little later. */
function sessions(): Sessions {
  const begun = [...server.log().matchAll(/Session initialized with ID: (\S+)/g)].map(([, id]) => id)
  const ended = new Set([...server.log().matchAll(/session termination request for session (\S+)/g)].map(([, id]) => id))
  return { begun: begun.length, open: begun.filter((id) => !ended.has(id)).length }
}
