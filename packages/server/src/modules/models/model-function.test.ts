import type { ChatCompletionRequest } from '@copilotkit/aimock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { runTasks } from '#testing/run-tasks.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let standIn: ModelStandIn
let server: TestServer
let account: TestAccount
/** The results of the model, by the word of the prompt. */
const results = new Map<string, readonly string[]>()

beforeAll(async () => {
  standIn = await startModelStandIn((request) => {
    const first = JSON.stringify(request.messages.find(({ role }) => role === 'user')?.content)
    const [, contents = []] = [...results].find(([prompt]) => first.includes(prompt)) ?? []
    return { content: contents[correctionsIn(request)] ?? '' }
  })
  server = await createTestServer({ MILLRACE_MODEL_URL: standIn.url, MILLRACE_MODEL_NAME: 'test' })
  account = await server.registerAccount()
})
afterAll(async () => {
  await server.close()
  await standIn.stop()
})

const correctionsIn = ({ messages }: ChatCompletionRequest) => messages.filter(({ role }) => role === 'assistant').length
const sentFor = (prompt: string) => standIn.requests().filter((request) => JSON.stringify(request.messages).includes(prompt))
const schema = { type: 'object', required: ['kind'], properties: { kind: { enum: ['complaint', 'order'] } } }

function ask(prompt: string, given: readonly string[]) {
  results.set(prompt, given)
  return runTasks(account, [{ ask: { call: 'model', with: { prompt, schema } } }])
}

test('a result that does not match the schema is asked for once more, with the reason', async () => {
  const { output } = await ask('classify-first', ['{"kind":"other one"}', '{"kind":"order"}'])
  expect(output).toMatchObject({ data: { kind: 'order' } })
  const sent = sentFor('classify-first')
  expect(sent.map(correctionsIn)).toEqual([0, 1])
  expect(JSON.stringify(sent[1]?.messages.at(-1))).toMatch(/kind.*other one.*must be one of.*complaint/)
  expect(output.usage.inputTokens).toBeGreaterThan(0)
})

test('the place of a mismatch in lists and objects is named with its value', async () => {
  const nested = {
    type: 'object',
    properties: {
      lines: {
        type: 'array',
        items: { type: 'object', properties: { 'net/sum': { type: 'number' }, tags: { type: 'array', maxItems: 1 } } },
      },
    },
  }
  const content = JSON.stringify({ lines: [{ 'net/sum': 1 }, { 'net/sum': 'x'.repeat(100), tags: ['a', 'b'] }] })
  results.set('nested-lines', [content, content])
  const { error } = await runTasks(account, [{ ask: { call: 'model', with: { prompt: 'nested-lines', schema: nested } } }])
  expect(error.detail).toContain(`/lines/1/net~1sum ("${'x'.repeat(59)}…)`)
  expect(error.detail).toMatch(/\/lines\/1\/tags must/)
})

test.each([
  ['a value beyond its choices', 'classify-choice', '{"kind":"Reklamation"}', /\/kind \("Reklamation"\) must be one of/],
  ['no required member', 'classify-member', '{"foo":1}', /kind/],
  ['no JSON', 'classify-words', 'A complaint.', /it is no JSON/],
])('a model that twice returns %s is an error of the task', async (_what, prompt, content, why) => {
  const { state, error } = await ask(prompt, [content, content])
  expect([state, error.type]).toEqual(['faulted', expect.stringContaining('communication')])
  expect(error.detail).toMatch(why)
  expect(sentFor(prompt)).toHaveLength(2)
})
