import { Fault } from '@millrace/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EgressPort, ModelEndpoint } from '#modules/models/model.ts'
import { createModels, type ModelsDeps } from '#modules/models/models.ts'
import { createWebFetch } from '#platform/net/web-fetch.ts'
import { listenLocally } from '#testing/listen-locally.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { rankTexts } from './rank-texts.ts'

const signal = new AbortController().signal
const web = createWebFetch()
let server: TestServer
/** Equal texts have equal vectors here; those of others are as good as random. */
let standIn: ModelStandIn
beforeAll(async () => {
  standIn = await startModelStandIn(() => ({ content: 'No texts are written here.' }))
  server = await createTestServer()
})
afterAll(async () => {
  await server.close()
  await standIn.stop()
  await web.close()
})

const limits = { tokens: undefined, costMicros: undefined }

async function setUp(more: Partial<ModelEndpoint> = {}, deps: Partial<ModelsDeps> = {}) {
  const { accountId } = await server.registerAccount()
  const rest = { timeoutMs: 20_000, retries: 0, maxOutputTokens: 1000, structured: true, roles: ['embedding'] } as const
  const endpoint = { name: 'vectors', kind: 'openai', url: standIn.url, model: 'v', key: undefined, ...rest, ...more } as const
  const models = createModels({ database: server.database, endpoints: [endpoint], limits, web, now: () => Date.now(), ...deps })
  standIn.mock.clearRequests()
  return { accountId, models, rank: (query: string, texts: readonly string[]) => rankTexts(models, { accountId, query, texts, signal }) }
}

/** The texts of each request, joined by spaces. */
const sent = () =>
  standIn.mock.getRequests().flatMap(({ body }) => (body !== null && 'embeddingInput' in body ? [body.embeddingInput] : []))

test('texts are compared by their vectors, and each is sent and paid once', async () => {
  const { accountId, rank } = await setUp({ prices: { input: 1_000_000, output: 0 } })
  const [other = 1, same = 0] = (await rank('post a message', ['weigh a parcel', 'post a message'])) ?? []
  expect(same).toBeCloseTo(1, 5)
  expect(other).toBeLessThan(0.9)
  await rank('post a message', ['weigh a parcel', 'read a mail'])
  expect(sent()).toEqual(['post a message weigh a parcel', 'read a mail'])
  const usage = await server.database.account(accountId, (tx) =>
    sql`select model, calls, input_tokens > 0 and cost_micros >= input_tokens * 1000000 as paid from model_usage where account_id = ${accountId}`.execute(
      tx,
    ),
  )
  expect(usage.rows).toEqual([{ model: 'vectors', calls: 2, paid: true }])
})

test('many texts are sent in requests of bounded size', async () => {
  const { rank } = await setUp()
  const texts = Array.from({ length: 100 }, (_, index) => `text${index}`)
  expect(await rank('query', texts)).toHaveLength(100)
  expect(sent().map((joined) => String(joined).split(' ').length)).toEqual([40, 40, 21])
})

test('what a model of an account returned is used for no other account', async () => {
  const shared = await setUp({ owner: 'account' })
  const { accountId: other } = await server.registerAccount()
  for (const accountId of [shared.accountId, other, shared.accountId])
    await rankTexts(shared.models, { accountId, query: 'a', texts: ['b'], signal })
  expect(sent()).toEqual(['a b', 'a b'])
})

test('texts leave as the egress decision permits, and not at all if it refuses', async () => {
  const redacting: EgressPort = {
    admit: async ({ texts }) => ({
      texts: texts.map((text) => text.replace('ada@example.com', '<EMAIL_1>')),
      restore: (text) => text,
      restoreJson: (text) => text,
    }),
  }
  const { rank } = await setUp({}, { egress: redacting })
  await rank('write to ada@example.com', ['send a mail'])
  expect(sent()).toEqual(['write to <EMAIL_1> send a mail'])
  const refused = await setUp({}, { egress: { admit: () => Promise.reject(new Fault('consent_required')) } })
  expect(await refused.rank('a', ['b'])).toBeUndefined()
  expect(sent()).toEqual([])
})

test('without a model, over the budget, and when the endpoint returns nonsense or does not answer, there is no comparison', async () => {
  const spent = await setUp({}, { limits: { ...limits, tokens: 1 } })
  expect(await spent.rank('a', ['b'])).toHaveLength(1)
  expect(await spent.rank('a', ['c'])).toBeUndefined()
  expect(await (await setUp({ roles: ['fast'] })).rank('a', ['b'])).toBeUndefined()
  let body = ''
  await using nonsense = await listenLocally(async (_incoming, outgoing) => void outgoing.end(body))
  for (body of [
    '{}',
    '<html>',
    '{"data":[{"embedding":[1]}]}',
    '{"data":[{"embedding":[]},{"embedding":[]}]}',
    '{"data":[{"embedding":[1]},{"embedding":[1,2]}]}',
  ])
    expect(await (await setUp({ url: nonsense.url })).rank('a', ['b'])).toBeUndefined()
  expect(await (await setUp({ url: 'http://127.0.0.1:1/v1' })).rank('a', ['b'])).toBeUndefined()
})

test('a caller that leaves ends the comparison', async () => {
  const leaving = new AbortController()
  await using silent = await listenLocally(async () => leaving.abort(new Error('left')))
  const { accountId, models } = await setUp({ url: silent.url })
  await expect(rankTexts(models, { accountId, query: 'a', texts: ['b'], signal: leaving.signal })).rejects.toThrow('left')
})
