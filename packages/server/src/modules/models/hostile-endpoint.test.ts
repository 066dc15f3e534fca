import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWebFetch } from '#platform/net/web-fetch.ts'
import { listenLocally } from '#testing/listen-locally.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { readJsonText } from './json-text.ts'
import { createModels } from './models.ts'

const signal = new AbortController().signal
const web = createWebFetch()
let server: TestServer
let respond: (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>
let endpoint: Awaited<ReturnType<typeof listenLocally>>
beforeAll(async () => {
  server = await createTestServer()
  endpoint = await listenLocally(async (incoming, outgoing) => respond(incoming, outgoing))
})
afterAll(async () => {
  await endpoint[Symbol.asyncDispose]()
  await web.close()
  await server.close()
})

interface Written {
  readonly content?: string
  readonly calls?: readonly { readonly id?: string; readonly name?: string; readonly arguments: string }[]
  readonly tokens?: number
}

function completionOf({ content = '', calls = [], tokens = 1 }: Written): string {
  const toolCalls = calls.map(({ id = 'c', name = 'add', arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }))
  const message = { role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: toolCalls }) }
  const usage = { prompt_tokens: tokens, completion_tokens: tokens, total_tokens: tokens }
  return JSON.stringify({ id: 'x', created: 1, model: 'm', choices: [{ index: 0, finish_reason: 'stop', message }], usage })
}

const sending = (body: string) => (_incoming: IncomingMessage, outgoing: ServerResponse) => void outgoing.end(body)

async function setUp(tokens?: number) {
  const { accountId } = await server.registerAccount()
  const limits = { timeoutMs: 20_000, retries: 0, maxOutputTokens: 1000, structured: true }
  const first = {
    name: 'first',
    kind: 'openai',
    url: endpoint.url,
    model: 'm',
    key: undefined,
    roles: ['fast', 'speech'],
    ...limits,
  } as const
  const models = createModels({
    database: server.database,
    endpoints: [first],
    limits: { tokens, costMicros: undefined },
    web,
    now: () => Date.now(),
  })
  const request = { accountId, role: 'fast', messages: [{ role: 'user', text: 'Hello' }], signal } as const
  return { models, request, accountId }
}

test('a text whose repair takes long is not repaired, as data, as arguments or in later turns', async () => {
  const { models, request } = await setUp()
  const bodies: string[] = []
  for (const unit of ['/a', 'http://a"', '"\u201d']) {
    const text = `[${unit.repeat(40_000 / unit.length)}`
    const response = completionOf({ content: text, calls: [{ arguments: text }] })
    respond = async (incoming, outgoing) => {
      bodies.push(await readText(incoming))
      outgoing.end(response)
    }
    const { data, toolCalls } = await models.complete({ ...request, schema: {} })
    expect([data, toolCalls[0]?.arguments]).toEqual([undefined, text])
    await models.complete({ ...request, messages: [...request.messages, { role: 'assistant', text: '', toolCalls }] })
    const [, assistant] = JSON.parse(bodies.at(-1) ?? '').messages
    expect(assistant.tool_calls[0].function.arguments).toBe('{}')
  }
})

test('the calls of one response share what is repaired', async () => {
  const { models, request } = await setUp()
  const args = `{'a': "${'b'.repeat(6_000)}",}`
  respond = sending(completionOf({ calls: [{ arguments: args }, { arguments: args }, { arguments: args }] }))
  const { toolCalls } = await models.complete(request)
  expect(toolCalls.map((call) => call.arguments === args)).toEqual([false, false, true])
})

test('texts in data that cannot be stored are replaced, in names of members too', async () => {
  const { models, request } = await setUp()
  const written = '{"a\\u0000": ["b\\ud83d\\ude00\\ud83d", {"c": "\\u0000"}], "d": 1, "e": null}'
  respond = sending(completionOf({ content: written, calls: [{ arguments: written }] }))
  const { data, toolCalls } = await models.complete({ ...request, schema: {} })
  const mended = { 'a\ufffd': ['b😀\ufffd', { c: '\ufffd' }], d: 1, e: null }
  expect(data).toEqual(mended)
  expect(readJsonText(toolCalls[0]?.arguments ?? '')).toEqual(mended)
  respond = sending(completionOf({ content: `{"a":"\\u0000","b":${'['.repeat(100_000)}${']'.repeat(100_000)}}` }))
  expect((await models.complete({ ...request, schema: {} })).data).toBeUndefined()
})

test('of calls without end the first are read', async () => {
  const { models, request } = await setUp()
  respond = sending(completionOf({ calls: Array.from({ length: 1_000 }, (_, index) => ({ id: `c${index}`, arguments: '{}' })) }))
  const { toolCalls } = await models.complete(request)
  expect(toolCalls).toHaveLength(64)
  expect(toolCalls[0]?.id).toBe('c0')
})

test('arguments with a slip are repaired once, and are JSON from then on', async () => {
  const { models, request } = await setUp()
  respond = sending(completionOf({ calls: [{ arguments: "{'a': 1,}" }, { arguments: '{"b": 2}' }, { arguments: 'none' }] }))
  const { toolCalls } = await models.complete(request)
  expect(toolCalls.map((call) => call.arguments)).toEqual(['{"a":1}', '{"b": 2}', 'none'])
})

test('a response that takes long to parse is refused with the limit', async () => {
  const { models, request } = await setUp()
  respond = sending(`{"choices":[${'{},'.repeat(2_000_000)}{}]}`)
  const refusal = { code: 'model_unavailable', message: expect.stringContaining('the response is larger than 4194304 bytes') }
  await expect(models.complete(request)).rejects.toMatchObject(refusal)
  const speech = { accountId: request.accountId, role: 'speech', signal } as const
  const parsed = models.with(speech, async ({ url }, itsWeb) => (await itsWeb.fetch(url)).json())
  await expect(parsed).rejects.toMatchObject(refusal)
})

test('an event of a stream that takes long to parse ends the stream', async () => {
  const { models, request } = await setUp()
  const piece = 'a'.repeat(65_536)
  respond = (_incoming, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: "')
    const timer = setInterval(() => outgoing.write(piece), 1)
    outgoing.on('close', () => clearInterval(timer))
  }
  const read = async () => {
    for await (const part of models.stream(request)) if (part.kind === 'end') return
  }
  await expect(read()).rejects.toMatchObject({ message: expect.stringContaining('a line of more than 1048576 bytes') })
})

test('many lines of a stream are no long line', async () => {
  const { models, request } = await setUp()
  const event = (delta: object, finish: string | null) => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    return `data: ${JSON.stringify({ id: 'x', created: 1, model: 'm', choices })}\n\n`
  }
  const text = 'b'.repeat(1_000)
  const count = 3_000
  respond = (_incoming, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    outgoing.end(`${event({ content: text }, null).repeat(count)}${event({}, 'stop')}data: [DONE]\n\n`)
  }
  let length = 0
  for await (const part of models.stream(request)) if (part.kind === 'end') length = part.completion.text.length
  expect(length).toBe(count * text.length)
})

test('characters that cannot be stored are replaced, and half of one at the end of a piece is not', async () => {
  const { models, request } = await setUp()
  const broken = 'a\0\ud800'
  respond = sending(completionOf({ content: broken, calls: [{ id: broken, name: broken, arguments: broken }] }))
  const mended = 'a\ufffd\ufffd'
  expect(await models.complete(request)).toMatchObject({ text: mended, toolCalls: [{ id: mended, name: mended, arguments: mended }] })
  const deltas = ['a\0', '\ud83d', '\ude00', '\ud83d']
  respond = (_incoming, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    const events = deltas.map((content) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }))
    const all = [...events, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }]
    outgoing.end(all.map((data) => `data: ${JSON.stringify({ id: 'x', created: 1, model: 'm', ...data })}\n\n`).join(''))
  }
  const texts: string[] = []
  for await (const part of models.stream(request)) texts.push(part.kind === 'end' ? part.completion.text : part.text)
  expect(texts.slice(0, -1).join('')).toBe('a\ufffd😀')
  expect(texts.at(-1)).toBe('a\ufffd😀\ufffd')
})

test.each([-1_000_000, 1.5, 1e300, 9e15])('an endpoint that reports %d tokens is counted by an estimate', async (tokens) => {
  const { models, request, accountId } = await setUp()
  respond = sending(completionOf({ content: 'Hello there', tokens }))
  const { usage } = await models.complete(request)
  expect(usage.outputTokens).toBe(3)
  const { rows } = await sql`select output_tokens::int from model_usage where account_id = ${accountId}`.execute(server.database.system)
  expect(rows).toEqual([{ output_tokens: 3 }])
})

test('an endpoint cannot take back tokens that count against the limit of the day', async () => {
  const { models, request } = await setUp(100)
  respond = sending(completionOf({ content: 'a', tokens: -1_000 }))
  await models.complete(request)
  respond = sending(completionOf({ content: 'a', tokens: 100 }))
  await models.complete(request)
  await expect(models.complete(request)).rejects.toMatchObject({ code: 'quota_exceeded' })
})
