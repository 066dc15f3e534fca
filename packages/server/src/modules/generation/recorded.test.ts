import { afterAll, beforeAll, expect, test } from 'vitest'
import { generatedBy, type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { performRequest, readRecorded, readRequests, startShop } from './testing/perform-request.ts'

// The short form of `npm run bench:generation`. The answers are recorded, so this tests the loop of repairs and the checks by running, and
// says nothing about the quality of a model.
let standIn: ModelStandIn
let server: TestServer
let account: TestAccount
let shop: Awaited<ReturnType<typeof startShop>>
let attempts: readonly string[] = []
let asked = 0

beforeAll(async () => {
  shop = await startShop()
  standIn = await startModelStandIn(() => {
    const text = (attempts[Math.min(asked++, attempts.length - 1)] ?? '').replaceAll('{shop}', shop.url)
    return /^(?:do|```)/.test(text) ? generatedBy(text) : { content: text }
  })
  server = await createTestServer({ MILLRACE_MODEL_URL: standIn.url, MILLRACE_MODEL_NAME: 'recorded' })
  account = await server.registerAccount()
})
afterAll(async () => {
  await server.close()
  await standIn.stop()
})

const requests = readRequests()
const recorded = readRecorded()

test('the set has at least 60 requests of different names, each with something that can be checked', () => {
  expect(new Set(requests.map(({ name }) => name)).size).toBe(requests.length)
  expect(requests.length).toBeGreaterThanOrEqual(60)
  expect(requests.filter(({ output, posts }) => output === undefined && posts === undefined)).toEqual([])
})

test('every request has recorded answers, of which at least 40 need repairs and 8 are never usable or wrong', () => {
  expect(new Set(recorded.map(({ name }) => name))).toEqual(new Set(requests.map(({ name }) => name)))
  expect(recorded.filter(({ repairs }) => repairs !== null && repairs > 0).length).toBeGreaterThanOrEqual(40)
  expect(recorded.filter(({ passes }) => !passes).length).toBeGreaterThanOrEqual(8)
})

test.each(recorded)('recorded answers to "$name" ($quality): passes $passes', async ({ name, repairs, passes, attempts: given }) => {
  const request = requests.find((each) => each.name === name)
  if (request === undefined) throw new Error(`there is no request ${name}`)
  attempts = given
  asked = 0
  const result = await performRequest((path, body) => account.send('POST', path, body), shop, request)
  expect([result.repairs ?? null, result.failure === undefined]).toEqual([repairs, passes])
  expect(asked).toBe(repairs === null ? 4 : repairs + 1)
})
