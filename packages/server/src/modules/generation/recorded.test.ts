import { afterAll, beforeAll, expect, test } from 'vitest'
import { generatedBy, type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { lineDiff } from './line-diff.ts'
import {
  performEdit,
  performRequest,
  readEdits,
  readRecorded,
  readRequests,
  type RecordedAnswer,
  startShop,
  workflowOf,
} from './testing/perform-request.ts'

// The short form of `npm run bench:generation`. The answers are recorded, so this tests the loop of repairs and the checks by running, and
// says nothing about the quality of a model.
let standIn: ModelStandIn
let server: TestServer
let account: TestAccount
let shop: Awaited<ReturnType<typeof startShop>>
let attempts: readonly RecordedAnswer[] = []
let asked = 0

beforeAll(async () => {
  shop = await startShop()
  standIn = await startModelStandIn(() => {
    const answer = withShop(attempts[Math.min(asked++, attempts.length - 1)] ?? '')
    if (typeof answer !== 'string') return generatedBy(answer.definition ?? '', { edits: answer.edits ?? [] })
    return /^(?:do|```)/.test(answer) ? generatedBy(answer) : { content: answer }
  })
  server = await createTestServer({ MILLRACE_MODEL_URL: standIn.url, MILLRACE_MODEL_NAME: 'recorded' })
  account = await server.registerAccount()
})
afterAll(async () => {
  await server.close()
  await standIn.stop()
})

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The address of the shop needs no escape in JSON.
const withShop = (answer: RecordedAnswer) => JSON.parse(JSON.stringify(answer).replaceAll('{shop}', shop.url)) as RecordedAnswer

const requests = readRequests()
const recorded = readRecorded('recorded.json')
const edits = readEdits()
const recordedEdits = readRecorded('recorded-edits.json')

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

test('every edit has recorded answers, of which at least 10 need repairs and 2 are never usable or wrong', () => {
  expect(new Set(recordedEdits.map(({ name }) => name))).toEqual(new Set(edits.map(({ name }) => name)))
  expect(recordedEdits.filter(({ repairs }) => repairs !== null && repairs > 0).length).toBeGreaterThanOrEqual(10)
  expect(recordedEdits.filter(({ passes }) => !passes).length).toBeGreaterThanOrEqual(2)
})

test.each(recordedEdits)('recorded edits for "$name" ($quality): passes $passes', async ({ name, repairs, passes, attempts: given }) => {
  const edit = edits.find((each) => each.name === name)
  if (edit === undefined) throw new Error(`there is no edit ${name}`)
  attempts = given
  asked = 0
  const result = await performEdit((path, body) => account.send('POST', path, body), shop, edit)
  expect([result.repairs ?? null, result.failure === undefined]).toEqual([repairs, passes])
  expect(asked).toBe(repairs === null ? 4 : repairs + 1)
  const before = workflowOf(edit, shop)
  const last = withShop(given.at(-1) ?? '')
  if (result.definition === undefined || typeof last === 'string' || (last.definition ?? '') !== '') return
  // What no edit names stays as it was, and the edits stay small.
  const changed = lineDiff(before, result.definition)
    .split('\n')
    .filter((line) => /^[-+]/.test(line))
  const named = (last.edits ?? []).flatMap(({ search, replace }) => [...search.split('\n'), ...replace.split('\n')])
  expect(changed.length).toBeLessThanOrEqual(named.length)
  expect(JSON.stringify(last.edits).length).toBeLessThan(before.length)
})

test('edits of the large workflow are at most a tenth of what the whole definition would be', () => {
  const large = new Set(edits.filter(({ workflow }) => workflow === 'end-of-day').map(({ name }) => name))
  const answers = recordedEdits.filter(({ name, passes }) => passes && large.has(name)).flatMap((each) => each.attempts.at(-1) ?? [])
  const sizes = (isEdits: boolean) =>
    answers.flatMap((answer) =>
      typeof answer === 'object' && (answer.definition === undefined) === isEdits ? JSON.stringify(answer).length : [],
    )
  const [whole = 0] = sizes(false)
  expect(sizes(true).length).toBeGreaterThanOrEqual(4)
  for (const size of sizes(true)) expect(size).toBeLessThan(whole / 10)
})
