import type { IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ModelEndpoint } from '#modules/models/model.ts'
import { createWebFetch } from '#platform/net/web-fetch.ts'
import { listenLocally } from '#testing/listen-locally.ts'
import { isListed, nearIds } from './listed-models.ts'
import { testEndpoint } from './test-endpoint.ts'

interface Response {
  readonly status?: number
  readonly body: object | string
}

const web = createWebFetch()
const key = 'sk-of-the-test-4711'
let server: Awaited<ReturnType<typeof listenLocally>>
/** What the endpoint responds, by path; 404 with a page of a web server otherwise. */
let responses: Readonly<Record<string, Response>>
let asked: { readonly path: string; readonly body: string; readonly headers: IncomingMessage['headers'] }[]
beforeAll(async () => {
  server = await listenLocally(async (incoming, outgoing) => {
    const path = (incoming.url ?? '').replace(/\?.*/, '')
    asked.push({ path, body: await readText(incoming), headers: incoming.headers })
    const { status = 200, body } = responses[path] ?? { status: 404, body: '<h1>Not found</h1>' }
    outgoing.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' })
    outgoing.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await web.close()
})
beforeEach(() => {
  asked = []
  responses = {}
})

function testOf(more: Partial<ModelEndpoint> = {}) {
  const limits = { timeoutMs: 20_000, retries: 0, maxOutputTokens: 1000, structured: true }
  const credential = { reveal: () => key }
  return testEndpoint(
    { name: 'a', kind: 'openai', url: `${server.url}/v1`, model: 'large-2', key: credential, roles: ['strong'], ...limits, ...more },
    web,
  )
}

const listOf = (...ids: readonly string[]): Response => ({ body: { object: 'list', data: ids.map((id) => ({ id })) } })
const message = { role: 'assistant', content: 'OK' }
const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 }
const completion: Response = { body: { id: 'x', created: 1, model: 'm', choices: [{ index: 0, finish_reason: 'length', message }], usage } }
const refusal = (status: number, text: string): Response => ({ status, body: { error: { message: text } } })
const paths = () => asked.map(({ path }) => path)

test('a model that the list has is ready, and nothing is asked that costs tokens', async () => {
  responses = { '/v1/models': listOf('small-1', 'large-2') }
  expect(await testOf()).toEqual({ state: 'ready', problem: undefined })
  expect(paths()).toEqual(['/v1/models'])
})

test('an endpoint without a list is ready when it answers a request for five tokens', async () => {
  responses = { '/v1/chat/completions': completion }
  expect(await testOf()).toEqual({ state: 'ready', problem: undefined })
  expect(paths()).toEqual(['/v1/models', '/v1/chat/completions'])
  expect(JSON.parse(asked[1]?.body ?? '')).toMatchObject({ model: 'large-2', max_tokens: 5 })
})

test('a path at which nothing answers is no ready model, and the problem names the address', async () => {
  responses = { '/v1/chat/completions': completion }
  expect(await testOf({ url: `${server.url}/api` })).toEqual({
    state: 'failed',
    problem: `Nothing of this protocol is at ${server.url}/api: the endpoint responded with 404, so the address or the model "large-2" is wrong. Most addresses end in /v1.`,
  })
})

test('an endpoint without a list that does not know the model names the model', async () => {
  responses = { '/v1/chat/completions': refusal(404, 'The model `large-2` does not exist.') }
  expect(await testOf()).toEqual({ state: 'failed', problem: 'The endpoint does not know the model "large-2".' })
})

test('a model that the list does not have and that does not answer is named with near names', async () => {
  responses = { '/v1/models': listOf('other', 'large-3', 'large-2-mini'), '/v1/chat/completions': refusal(400, 'unknown') }
  expect(await testOf()).toMatchObject({
    state: 'failed',
    problem: expect.stringMatching(/^Its list of models does not have "large-2", but "large-3", "large-2-mini"\. .*responded with 400/),
  })
})

test('a model that answers although the list does not have it is ready, with what the list has', async () => {
  responses = { '/v1/models': listOf('Large-2b'), '/v1/chat/completions': completion }
  expect(await testOf()).toEqual({
    state: 'ready',
    problem: 'The endpoint answers. Its list of models does not have "large-2", but "Large-2b".',
  })
})

test.each([401, 403])(
  'a key that is refused with %d by the list, or by the request where there is no list, is unauthorized',
  async (status) => {
    responses = { '/v1/models': refusal(status, `bad ${key}`) }
    expect(await testOf()).toMatchObject({ state: 'unauthorized' })
    expect(paths()).toEqual(['/v1/models'])
    responses = { '/v1/chat/completions': refusal(status, `bad ${key}`) }
    const { state, problem } = await testOf()
    expect([state, problem?.includes(key)]).toEqual(['unauthorized', false])
  },
)

test('an endpoint that fails is not asked for tokens, and one that answers with something else is no ready model', async () => {
  responses = { '/v1/models': refusal(500, 'broken'), '/v1/chat/completions': completion }
  expect(await testOf()).toMatchObject({ state: 'failed', problem: expect.stringContaining('500') })
  expect(paths()).toEqual(['/v1/models'])
  responses = { '/v1/models': { body: '<h1>Welcome</h1>' }, '/v1/chat/completions': { body: '<h1>Welcome</h1>' } }
  expect(await testOf()).toMatchObject({ state: 'failed', problem: expect.stringContaining('not its protocol') })
})

test('a key, and a text that is no id, are not repeated as names of models', async () => {
  responses = {
    '/v1/models': listOf(key, `large-${key}`, 'large-2 <b>click here</b>', 'large-2b'),
    '/v1/chat/completions': refusal(404, 'unknown'),
  }
  const { problem } = await testOf()
  expect(problem).toContain('but "large-2b".')
  expect(problem).not.toMatch(/4711|click/)
})

describe('a model that is not for texts', () => {
  test('is asked for the vector of one text', async () => {
    responses = { '/v1/embeddings': { body: { object: 'list', model: 'm', data: [{ object: 'embedding', index: 0, embedding: [1, 0] }] } } }
    expect(await testOf({ roles: ['embedding'] })).toMatchObject({ state: 'ready' })
    responses = {}
    expect(await testOf({ roles: ['embedding'] })).toMatchObject({ state: 'failed', problem: expect.stringContaining('404') })
  })

  test('is asked to transcribe nothing, which an endpoint for speech refuses', async () => {
    responses = { '/v1/audio/transcriptions': refusal(400, 'file is required') }
    expect(await testOf({ roles: ['speech'] })).toMatchObject({ state: 'ready' })
    responses = {}
    expect(await testOf({ roles: ['speech'] })).toMatchObject({ state: 'failed', problem: expect.stringContaining('404') })
  })
})

test('a model of Anthropic is asked by its protocol', async () => {
  const content = [{ type: 'text', text: 'OK' }]
  const body = {
    type: 'message',
    id: 'x',
    model: 'm',
    role: 'assistant',
    content,
    stop_reason: 'max_tokens',
    usage: { input_tokens: 3, output_tokens: 1 },
  }
  responses = { '/v1/messages': { body } }
  expect(await testOf({ kind: 'anthropic' })).toEqual({ state: 'ready', problem: undefined })
  expect(asked.map(({ headers }) => headers['x-api-key'])).toEqual([key, key])
})

test('a list has a model also with a folder before its id, and with the tag that it has by default', () => {
  expect(isListed('gemini-2', ['models/gemini-2'])).toBe(true)
  expect(isListed('llama3.2', ['llama3.2:latest'])).toBe(true)
  expect(isListed('llama3.2', ['llama3.2:3b'])).toBe(false)
})

test('near names are the nearest first, at most three, and the first ones of the list where none is near', () => {
  expect(nearIds('claude-large', ['gpt-4', 'claude-large-20260101', 'claude-lage', 'claude-small'])).toEqual([
    'claude-lage',
    'claude-large-20260101',
  ])
  expect(nearIds('something-else', ['a1', 'b2', 'c3', 'd4'])).toEqual(['a1', 'b2', 'c3'])
})
