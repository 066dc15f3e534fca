import type { ServerResponse } from 'node:http'
import { pause } from '@millrace/engine'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listenLocally } from '#testing/listen-locally.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { createWebFetch } from '#platform/net/web-fetch.ts'
import type { CompletionRequest, ModelEndpoint } from './model.ts'
import { createModels } from './models.ts'

type Respond = Parameters<typeof startModelStandIn>[0]

let server: TestServer
const web = createWebFetch()
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(async () => {
  await web.close()
  await server.close()
})

const signal = new AbortController().signal
const hello: CompletionRequest['messages'] = [
  { role: 'system', text: 'Be brief.' },
  { role: 'user', text: 'Hello' },
]

function endpointOf({ url }: Pick<ModelStandIn, 'url'>, more: Partial<ModelEndpoint> = {}): ModelEndpoint {
  const limits = { timeoutMs: 20_000, retries: 2, maxOutputTokens: 1000, structured: true }
  return { name: 'first', kind: 'openai', url, model: 'm', key: undefined, roles: ['fast'], ...limits, ...more }
}

const unlimited = { tokens: undefined, costMicros: undefined }

async function setUp(
  respond: Respond,
  more: Partial<ModelEndpoint> = {},
  limits: Partial<Parameters<typeof createModels>[0]['limits']> = {},
) {
  const standIn = await startModelStandIn(respond)
  const { accountId } = await server.registerAccount()
  const endpoints = [endpointOf(standIn, more)]
  const models = createModels({ database: server.database, endpoints, limits: { ...unlimited, ...limits }, web, now: () => Date.now() })
  const request = { accountId, role: 'fast', messages: hello, signal } as const
  return { standIn, models, request, accountId, [Symbol.asyncDispose]: () => standIn.stop() }
}

describe.each(['openai', 'anthropic'] as const)('in the form of %s', (kind) => {
  test('text, tool calls and usage are read, and the usage is recorded', async () => {
    await using parts = await setUp(
      ({ tools }) => (tools === undefined ? { content: 'Hi' } : { toolCalls: [{ name: 'add', arguments: '{"a":1}' }] }),
      { kind },
    )
    const { models, request, accountId } = parts
    expect(await models.complete(request)).toMatchObject({ text: 'Hi', toolCalls: [], finish: 'stop', model: 'first' })
    const tools = [{ name: 'add', description: 'Adds', parameters: { type: 'object', properties: { a: { type: 'number' } } } }]
    const { toolCalls, finish } = await models.complete({ ...request, tools })
    expect(finish).toBe('tools')
    expect(toolCalls).toMatchObject([{ name: 'add', arguments: '{"a":1}' }])
    const { rows } = await sql<{ calls: number }>`select calls from model_usage where account_id = ${accountId}`.execute(
      server.database.system,
    )
    expect(rows).toEqual([{ calls: 2 }])
  })

  test('a stream yields its text in pieces and then the whole', async () => {
    const content = 'One two three four five six seven eight nine ten.'
    await using parts = await setUp(() => ({ content }), { kind })
    const texts: string[] = []
    for await (const part of parts.models.stream(parts.request)) {
      if (part.kind === 'text') texts.push(part.text)
      else expect(part.completion).toMatchObject({ text: content, finish: 'stop' })
    }
    expect(texts.length).toBeGreaterThan(1)
    expect(texts.join('')).toBe(content)
  })
})

test('a schema is sent to the endpoint, and JSON in a fence is read', async () => {
  await using parts = await setUp(() => ({ content: 'Here:\n```json\n{"a": 1,}\n```' }))
  const schema = { type: 'object', properties: { a: { type: 'number' } } }
  expect((await parts.models.complete({ ...parts.request, schema })).data).toEqual({ a: 1 })
  expect(parts.standIn.requests()[0]?.response_format).toMatchObject({ type: 'json_schema', json_schema: { schema } })
})

test('an overload is retried, and another failure is not', async () => {
  let overloads = 2
  await using parts = await setUp(() =>
    overloads-- > 0 ? { error: { message: 'slow down' }, status: 429, retryAfter: 0 } : { content: 'Hi' },
  )
  expect((await parts.models.complete(parts.request)).text).toBe('Hi')
  await using refusing = await setUp(() => ({ error: { message: 'no key secret-text' }, status: 401 }))
  await expect(refusing.models.complete(refusing.request)).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringMatching(/"first": the endpoint responded with 401: its key is not valid/),
  })
  expect(refusing.standIn.mock.getRequests()).toHaveLength(1)
})

test('the next model of the role is asked when the first one fails', async () => {
  const broken = await startModelStandIn(() => ({ error: { message: 'broken' }, status: 500 }))
  await using parts = await setUp(() => ({ content: 'from the second' }))
  const endpoints = [endpointOf(broken, { retries: 0 }), endpointOf(parts.standIn, { name: 'second', roles: ['strong'] })]
  const models = createModels({ database: server.database, endpoints, limits: unlimited, web, now: () => Date.now() })
  expect(await models.complete(parts.request)).toMatchObject({ text: 'from the second', model: 'second' })
  await broken.stop()
})

test('a response that is not JSON, and a stream that is cut, are failures and not results', async () => {
  await using parts = await setUp(() => ({ content: 'One two three four five six seven eight nine ten, and more.' }), { retries: 0 })
  parts.standIn.mock.setChaos({ malformedRate: 1 })
  await expect(parts.models.complete(parts.request)).rejects.toMatchObject({ code: 'model_unavailable' })
  parts.standIn.mock.clearChaos()
  parts.standIn.mock.prependFixture({
    match: { userMessage: 'Hello' },
    response: { content: 'One two three four five six seven.' },
    chunkSize: 4,
    truncateAfterChunks: 3,
  })
  const read = async () => {
    for await (const part of parts.models.stream(parts.request)) if (part.kind === 'end') return part
    return undefined
  }
  await expect(read()).rejects.toMatchObject({ code: 'model_unavailable' })
})

test('an account over its tokens of the day is refused before a model is asked, and another account is not', async () => {
  await using parts = await setUp(() => ({ content: 'Hi' }), {}, { tokens: 5 })
  await parts.models.complete(parts.request)
  await expect(parts.models.complete(parts.request)).rejects.toMatchObject({
    code: 'quota_exceeded',
    message: expect.stringMatching(
      /used \d+ tokens of the 5 tokens that the operator allows .* in a day\. The count begins again at .*T00:00:00/,
    ),
    details: { retryAfterSeconds: expect.any(Number), extensions: { meter: 'model_tokens', setBy: 'operator', period: 'day', limit: 5 } },
  })
  expect(parts.standIn.mock.getRequests()).toHaveLength(1)
  const other = await server.registerAccount()
  expect((await parts.models.complete({ ...parts.request, accountId: other.accountId })).text).toBe('Hi')
})

test('the tokens of a call are metered with its record, under the name of a request that may be repeated', async () => {
  await using parts = await setUp(() => ({ content: 'Hi' }))
  const metered: (string | undefined)[] = []
  const models = createModels({
    database: server.database,
    endpoints: [endpointOf(parts.standIn)],
    limits: unlimited,
    web,
    now: () => Date.now(),
    meter: async (_tx, accountId, { sourceId, tokens }) => {
      expect([accountId, tokens > 0]).toEqual([parts.accountId, true])
      metered.push(sourceId)
    },
  })
  await models.complete({ ...parts.request, sourceId: 'exec-1/ask' })
  for await (const _part of models.stream(parts.request));
  expect(metered).toEqual(['exec-1/ask', undefined])
})

test('an account over what its models may cost in a day is refused, and usage has the cost by the prices', async () => {
  const prices = { input: 2, output: 10 }
  const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 }
  await using parts = await setUp(() => ({ content: 'Hi', usage }), { prices }, { costMicros: 1000 })
  const { models, request, accountId } = parts
  expect((await models.complete(request)).usage).toEqual({ inputTokens: 100, outputTokens: 50, costMicros: 700 })
  await models.complete(request)
  await expect(models.complete(request)).rejects.toMatchObject({
    code: 'quota_exceeded',
    message: expect.stringContaining('Models of the account are used beyond it'),
    details: {
      retryAfterSeconds: expect.any(Number),
      extensions: { meter: 'model_cost', setBy: 'operator', period: 'day', limit: 0.001, used: 0.0014 },
    },
  })
  const { rows } = await sql<object>`
    select calls, cost_micros::int as cost from model_usage where account_id = ${accountId}`.execute(server.database.system)
  expect(rows).toEqual([{ calls: 2, cost: 1400 }])
})

/** Sends requests at the same time, which the model answers when all others are refused. @returns how many it answered. */
async function answeredOf(
  count: number,
  { models, request }: Pick<Awaited<ReturnType<typeof setUp>>, 'models' | 'request'>,
  answer: () => void,
) {
  const refused: unknown[] = []
  const sent = Array.from({ length: count }, () =>
    models.complete(request).then(
      () => 'done',
      (error: unknown) => refused.push(Object(error).code),
    ),
  )
  await expect.poll(() => refused.length).toBe(count - 1)
  answer()
  const outcomes = await Promise.all(sent)
  expect(new Set(refused)).toEqual(new Set(['quota_exceeded']))
  return outcomes.filter((each) => each === 'done').length
}

const prices = { input: 1000, output: 1000 }

test.each([
  ['the tokens of the day', {}, { tokens: 900 }],
  ['what the models of the installation may cost in a day', { prices }, { costMicros: 900_000 }],
])('requests at the same time count together against %s, and no longer than they take', async (_what, more, limits) => {
  const waiting = Promise.withResolvers<void>()
  await using parts = await setUp(
    async () => {
      await waiting.promise
      return { content: 'Hi' }
    },
    more,
    limits,
  )
  expect(await answeredOf(10, parts, waiting.resolve)).toBe(1)
  expect((await parts.models.complete(parts.request)).text).toBe('Hi')
})

test('requests to models of the account count against what those of the installation may cost only once they ask one of these', async () => {
  const waiting = Promise.withResolvers<void>()
  let ownFails = false
  let asked = 0
  const own = await startModelStandIn(async () => {
    asked += 1
    if (ownFails) return { error: { message: 'broken' }, status: 500 }
    await waiting.promise
    return { content: 'from the account' }
  })
  const shared = Promise.withResolvers<void>()
  await using parts = await setUp(async () => {
    await shared.promise
    return { content: 'from the installation' }
  })
  const models = createModels({
    database: server.database,
    endpoints: [endpointOf(parts.standIn, { prices })],
    limits: { ...unlimited, costMicros: 900_000 },
    web,
    own: {
      read: async () => ({
        endpoints: [endpointOf(own, { name: 'account:main', owner: 'account', prices, retries: 0 })],
        installation: 'fallback',
        limits: undefined,
      }),
      web,
    },
    now: () => Date.now(),
  })
  const first = models.complete(parts.request)
  await expect.poll(() => asked).toBe(1)
  ownFails = true
  expect(await answeredOf(5, { models, request: parts.request }, shared.resolve)).toBe(1)
  waiting.resolve()
  expect((await first).text).toBe('from the account')
  await own.stop()
})

test('a stream that its reader leaves counts with an estimate', async () => {
  await using parts = await setUp(() => ({ content: 'One two three four five six seven eight nine ten, and much more.' }))
  for await (const part of parts.models.stream(parts.request)) if (part.kind === 'text') break
  const { rows } = await sql<object>`
    select calls, input_tokens > 0 as input, output_tokens > 0 as output from model_usage where account_id = ${parts.accountId}`.execute(
    server.database.system,
  )
  expect(rows).toEqual([{ calls: 1, input: true, output: true }])
})

test('a role without a model names what to configure', async () => {
  await using parts = await setUp(() => ({ content: 'Hi' }))
  await expect(parts.models.with({ ...parts.request, role: 'speech' }, async () => 1)).rejects.toMatchObject({
    code: 'model_not_configured',
    message: expect.stringContaining('MILLRACE_MODEL_SPEECH'),
  })
})

test('a picture beside text that has to be redacted is not sent', async () => {
  await using parts = await setUp(() => ({ content: 'Seen <EMAIL_1>' }))
  const egress = {
    admit: async ({ texts }: { readonly texts: readonly string[] }) => ({
      texts: texts.map((text) => text.replace('ada@example.com', '<EMAIL_1>')),
      restore: (text: string) => text.replace('<EMAIL_1>', 'ada@example.com'),
      restoreJson: (text: string) => text,
    }),
  }
  const endpoints = [endpointOf(parts.standIn)]
  const models = createModels({ database: server.database, endpoints, limits: unlimited, web, now: () => Date.now(), egress })
  const images = [{ mediaType: 'image/png', bytes: new Uint8Array([1]) }]
  const messages = ['Of ada@example.com', 'Of a chair'].map((text) => ({ role: 'user' as const, text, images }))
  expect((await models.complete({ ...parts.request, messages })).text).toBe('Seen ada@example.com')
  const contents = parts.standIn.requests()[0]?.messages.map(({ content }) => JSON.stringify(content)) ?? []
  expect(contents[0]).not.toMatch(/ada@example|image_url/)
  expect(contents[1]).toContain('image_url')
})

/** Streams words with a pause before each, then nothing more without an end, or the end. */
async function stream(outgoing: ServerResponse, { pauseMs, ends }: { readonly pauseMs: number; readonly ends: boolean }) {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  const write = (choice: object) => outgoing.write(`data: ${JSON.stringify({ id: 'x', created: 1, model: 'm', choices: [choice] })}\n\n`)
  for (const word of ['One', ' two', ' three', ' four']) {
    await pause(pauseMs, signal)
    write({ index: 0, delta: { content: word } })
  }
  if (!ends) return
  write({ index: 0, delta: {}, finish_reason: 'stop' })
  outgoing.end('data: [DONE]\n\n')
}

test.each([
  ['falls silent ends with the time limit of its model', { pauseMs: 0, ends: false }, 'the endpoint did not respond in time'],
  ['arrives steadily is not cut, however long it takes', { pauseMs: 250, ends: true }, undefined],
] as const)('a streamed answer that %s', async (_, course, problem) => {
  await using endpoint = await listenLocally((_incoming, outgoing) => stream(outgoing, course))
  const { accountId } = await server.registerAccount()
  const endpoints = [endpointOf(endpoint, { timeoutMs: 800, retries: 0 })]
  const models = createModels({ database: server.database, endpoints, limits: unlimited, web, now: () => Date.now() })
  let text = ''
  const read = async () => {
    for await (const part of models.stream({ accountId, role: 'fast', messages: hello, signal }))
      if (part.kind === 'text') text += part.text
  }
  const error: unknown = await read().catch((cause: unknown) => cause)
  expect(text).toBe('One two three four')
  expect(error).toEqual(
    problem === undefined
      ? undefined
      : expect.objectContaining({ code: 'model_unavailable', message: `The model stopped in the middle: ${problem}.` }),
  )
})
