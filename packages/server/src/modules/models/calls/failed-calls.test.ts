import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault } from '@millrace/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CompletionRequest, ModelEndpoint } from '#modules/models/model.ts'
import { createModels, type ModelsDeps } from '#modules/models/models.ts'
import { createWebFetch } from '#platform/net/web-fetch.ts'
import { documentOf } from '#testing/definitions.ts'
import { listenLocally } from '#testing/listen-locally.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'
import type { CallOutcome } from './call-outcome.ts'

const key = ['sk', 'of-account', '4711-abcdef'].join('-')

let respond: (incoming: IncomingMessage, outgoing: ServerResponse) => void
let endpoint: Awaited<ReturnType<typeof listenLocally>>
let server: TestServer
const web = createWebFetch()
beforeAll(async () => {
  endpoint = await listenLocally(async (incoming, outgoing) => respond(incoming, outgoing))
  server = await createTestServer()
})
afterAll(async () => {
  await server.close()
  await web.close()
  await endpoint[Symbol.asyncDispose]()
})

const refusing = (status: number, message: string) => (_: IncomingMessage, outgoing: ServerResponse) =>
  void outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }))

const saying =
  (content: string, finish = 'stop') =>
  (_: IncomingMessage, outgoing: ServerResponse) =>
    void outgoing.end(
      JSON.stringify({
        id: 'x',
        created: 1,
        model: 'm',
        choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', content } }],
        usage: { prompt_tokens: 70, completion_tokens: 30, total_tokens: 100 },
      }),
    )

const silent = () => undefined

/** Writes the beginning of a streamed answer, and then breaks off. */
function breakingOff(_: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  const delta = { id: 'x', created: 1, model: 'm', choices: [{ index: 0, delta: { content: 'One two three' } }] }
  outgoing.write(`data: ${JSON.stringify(delta)}\n\n`, () => setTimeout(() => outgoing.destroy(), 20))
}

async function setUp(more: Partial<ModelEndpoint> = {}, deps: Partial<ModelsDeps> = {}) {
  const { accountId } = await server.registerAccount()
  const outcomes: CallOutcome[] = []
  const first: ModelEndpoint = {
    name: 'first',
    kind: 'openai',
    url: endpoint.url,
    model: 'm',
    key: undefined,
    roles: ['fast'],
    timeoutMs: 20_000,
    retries: 0,
    maxOutputTokens: 1000,
    structured: true,
    prices: { input: 1, output: 2 },
    ...more,
  }
  const models = createModels({
    database: server.database,
    endpoints: [first],
    limits: { tokens: undefined, costMicros: undefined },
    web,
    now: () => Date.now(),
    recordCall: async (_tx, _request, outcome) => void outcomes.push(outcome),
    ...deps,
  })
  const request: CompletionRequest = {
    accountId,
    role: 'fast',
    messages: [{ role: 'user', text: 'Hello' }],
    signal: new AbortController().signal,
  }
  return { models, request, outcomes }
}

const read = async (parts: AsyncGenerator) => {
  for await (const _part of parts);
}

test('each attempt that fails is recorded with its reason, and so is the one that succeeds', async () => {
  const { models, request, outcomes } = await setUp({ retries: 2 })
  const responses = [
    refusing(429, 'slow down'),
    (_: IncomingMessage, outgoing: ServerResponse) => void outgoing.end('<html>'),
    saying('Hi'),
  ]
  respond = (incoming, outgoing) => responses.shift()?.(incoming, outgoing)
  expect((await models.complete(request)).text).toBe('Hi')
  expect(outcomes.map(({ failed, model }) => [model, failed?.failure, failed?.error])).toEqual([
    ['first', 'provider', 'The endpoint responded with 429: it is over its limit.'],
    ['first', 'unreadable', 'The endpoint responded with something that is not its protocol.'],
    ['first', undefined, undefined],
  ])
  expect(new Set(outcomes.map(({ promptDigest }) => promptDigest)).size).toBe(1)
})

test('a model over its time limit, and a request that was stopped, are recorded as such', async () => {
  const { models, request, outcomes } = await setUp({ timeoutMs: 50 })
  respond = silent
  await expect(models.complete(request)).rejects.toMatchObject({ code: 'model_unavailable' })
  await expect(models.complete({ ...request, signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  expect(outcomes.map(({ failed }) => failed?.failure)).toEqual(['timeout', 'stopped'])
})

test('an answer without the JSON that was asked for is recorded as a failure with what it used', async () => {
  const { models, request, outcomes } = await setUp()
  respond = saying('I would rather not.')
  expect((await models.complete({ ...request, schema: { type: 'object' } })).data).toBeUndefined()
  expect(outcomes).toMatchObject([
    { failed: { failure: 'unreadable' }, finish: 'stop', usage: { inputTokens: 70, outputTokens: 30, costMicros: 130 } },
  ])
})

test('a request that the budget or the privacy of the account refuses is recorded without a prompt, since nothing was sent', async () => {
  const { models, request, outcomes } = await setUp({}, { limits: { tokens: 50, costMicros: undefined } })
  respond = saying('Hi')
  await models.complete(request)
  await expect(models.complete(request)).rejects.toMatchObject({ code: 'quota_exceeded' })
  const admit = () => Promise.reject(new Fault('consent_required', { detail: 'Names may not leave.' }))
  const guarded = await setUp({}, { egress: { admit } })
  await expect(guarded.models.complete(guarded.request)).rejects.toMatchObject({ code: 'consent_required' })
  expect([...outcomes.slice(1), ...guarded.outcomes]).toMatchObject([
    { failed: { failure: 'quota', error: expect.stringContaining('of the 50 tokens') }, prompt: undefined, promptDigest: undefined },
    { failed: { failure: 'privacy', error: 'Names may not leave.' }, prompt: undefined },
  ])
})

test('a streamed answer that breaks off, or that its reader leaves, is recorded with an estimate of what it used', async () => {
  const { models, request, outcomes } = await setUp()
  respond = breakingOff
  await expect(read(models.stream(request))).rejects.toMatchObject({ code: 'model_unavailable' })
  for await (const _part of models.stream(request)) break
  const used = { inputTokens: expect.any(Number), outputTokens: 4 }
  expect(outcomes).toMatchObject([
    { failed: { failure: 'provider' }, usage: used },
    { failed: { failure: 'stopped' }, usage: used },
  ])
})

test('a failed call is found at its task and counted by model and workflow, and its record has no key of the account', async () => {
  const account = await server.registerAccount()
  const get = async (path: string) => (await account.send('GET', path)).body
  const model = { name: 'main', url: endpoint.url, model: 'm', key, roles: ['fast'] }
  expect((await account.send('POST', '/api/v1/models', model)).status).toBe(200)
  await account.send('PUT', '/api/v1/model-settings', { installationModels: 'missing', texts: 'kept' })
  const definition = documentOf('do:\n  - ask: { call: model, with: { prompt: Say it. } }\n')
  const { body: workflow } = await account.send('POST', '/api/v1/workflows', { definition, publish: true })
  const run = async () => (await account.send('POST', `/api/v1/workflows/${workflow.id}/execute`, {}, { prefer: 'wait=30' })).body
  respond = refusing(401, `The key ${key} is wrong.`)
  const failed = await run()
  respond = saying('Hi')
  await run()
  const [call, ...others] = (await get(`/api/v1/model-calls?executionId=${failed.id}&position=/do/0/ask`)).data
  expect(others).toEqual([])
  expect(call).toMatchObject({
    state: 'failed',
    failure: 'provider',
    model: 'account:main',
    inputTokens: 0,
    cost: 0,
    finish: null,
    answerDigest: null,
  })
  expect([call.error, call.durationMs >= 0]).toEqual(['The endpoint responded with 401: its key is not valid.', true])
  const { prompt, answer } = await get(`/api/v1/model-calls/${call.id}`)
  expect([JSON.parse(prompt).messages.at(-1).text, answer]).toEqual(['Say it.', null])
  const listed = async (state: string) => (await get(`/api/v1/model-calls?state=${state}`)).data.map(({ id }: { id: string }) => id)
  expect([(await listed('failed')).length, (await listed('failed'))[0], (await listed('answered')).length]).toEqual([1, call.id, 1])
  const use = await get('/api/v1/model-usage')
  expect(use).toMatchObject({
    calls: 2,
    failed: 1,
    days: [{ calls: 2, failed: 1 }],
    models: [{ model: 'account:main', calls: 2, failed: 1 }],
    workflows: [{ workflowId: workflow.id, calls: 2, failed: 1 }],
  })
  const { rows } = await sql<object>`select from model_calls where model_calls::text like ${`%${key}%`}`.execute(server.database.system)
  expect(rows).toEqual([])
})
