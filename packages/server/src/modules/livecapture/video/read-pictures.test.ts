import type { ChatCompletionRequest, FixtureResponse } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { orderScreen } from '#testing/order-screen.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let standIn: ModelStandIn
let server: TestServer
let image: string
let respond: (request: ChatCompletionRequest) => FixtureResponse
beforeAll(async () => {
  image = await orderScreen()
  standIn = await startModelStandIn((request) => respond(request))
  server = await createTestServer({ MILLRACE_MODEL_URL: standIn.url, MILLRACE_MODEL_NAME: 'eyes' })
})
afterAll(async () => {
  await server.close()
  await standIn.stop()
})
beforeEach(() => {
  respond = () =>
    seen([{ number: 0, heading: 'Choose a chair', address: '', action: 'Open the shop', fields: [{ label: 'Colour', value: 'Red' }] }])
  standIn.mock.clearRequests()
})

const seen = (pictures: readonly object[]): FixtureResponse => ({ content: JSON.stringify({ pictures }) })
const twice = () => [
  { atMs: 0, image },
  { atMs: 500, image },
]

async function analyze(account: TestAccount) {
  const { status, body } = await account.send('POST', '/api/v1/livecapture/analyze-video', { name: 'Screen', frames: twice() })
  expect([status, body.detail]).toEqual([200, undefined])
  return body
}

async function definitionOf(account: TestAccount, workflowId: string): Promise<string> {
  return JSON.stringify((await account.send('GET', `/api/v1/workflows/${workflowId}`)).body.definition)
}

/** The parts of the messages that the model was sent. */
function sentParts() {
  const [request] = standIn.requests()
  const messages = (request?.messages ?? []).filter(({ role }) => role === 'user')
  return messages.map(({ content }) => (Array.isArray(content) ? content.map(({ type }) => type) : ['text']))
}

test('a vision model reads each different picture once, and the draft has what it saw', async () => {
  const account = await server.registerAccount()
  const body = await analyze(account)
  expect(body).toMatchObject({ draft: { pages: 1, inputs: ['Colour'] }, vision: { model: 'default', pictures: 1, problem: null } })
  const definition = await definitionOf(account, body.draft.workflowId)
  expect(definition).toContain('Choose a chair')
  expect(definition).not.toContain('Red')
  expect(sentParts()).toEqual([['text', 'image_url']])
})

test.each<[string, () => FixtureResponse, string]>([
  ['does not respond', () => ({ error: { message: 'broken' }, status: 401 }), '401'],
  ['returns no description', () => ({ content: 'A chair.' }), 'nothing that can be used'],
  ['describes pictures that it was not sent', () => seen([{ number: 7, heading: 'Other' }]), 'nothing that can be used'],
])('the draft comes from the recognized text when the model %s, and the response says so', async (_case, response, problem) => {
  respond = response
  const account = await server.registerAccount()
  const body = await analyze(account)
  expect(body).toMatchObject({
    draft: { inputs: ['Quantity', 'City'] },
    vision: { pictures: 0, problem: expect.stringContaining(problem) },
  })
  expect(await definitionOf(account, body.draft.workflowId)).toContain('Order a chair')
})

test('nothing is sent of a recording whose text may not leave, and the response says why', async () => {
  const eyes = { MILLRACE_MODEL_URL: standIn.url, MILLRACE_MODEL_NAME: 'eyes' }
  await using abroad = await createTestServer({ ...eyes, MILLRACE_REGION: 'SA', MILLRACE_HOST_REGIONS: '127.0.0.1=US' })
  const account = await abroad.registerAccount()
  expect((await analyze(account)).vision).toMatchObject({ pictures: 0, problem: expect.stringContaining('consent') })
  await account.send('POST', '/api/v1/account/consents/cross-border', { purposes: ['Recordings'] })
  const refusing = { models: 'redact', refusedKinds: ['url'] }
  expect((await account.send('PUT', '/api/v1/account/consents/privacy-preferences', refusing)).status).toBe(200)
  expect((await analyze(account)).vision).toMatchObject({ pictures: 0, problem: expect.stringContaining('refuse to send url') })
  expect(standIn.mock.getRequests()).toHaveLength(0)
})

test('without a model of the role nothing is sent', async () => {
  await using bare = await createTestServer()
  const account = await bare.registerAccount()
  expect((await analyze(account)).vision).toBeNull()
  expect(standIn.mock.getRequests()).toHaveLength(0)
})

test('a model of the account reads the pictures of that account', async () => {
  await using bare = await createTestServer()
  const account = await bare.registerAccount()
  await account.send('POST', '/api/v1/models', { name: 'eyes', url: standIn.url, model: 'm', roles: ['vision'] })
  standIn.mock.clearRequests()
  expect((await analyze(account)).vision).toMatchObject({ model: 'account:eyes', pictures: 1 })
})
