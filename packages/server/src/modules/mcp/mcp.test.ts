import type { FixtureResponse } from '@copilotkit/aimock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { counts, documentOf } from '#testing/definitions.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
let model: ModelStandIn
let respond = (): FixtureResponse => ({ content: 'Hello.' })
beforeAll(async () => {
  model = await startModelStandIn(() => respond())
  server = await createTestServer({ MILLRACE_MODEL_URL: model.url, MILLRACE_MODEL_NAME: 'test' })
})
afterAll(async () => {
  await server.close()
  await model.stop()
})

const consent = '/api/v1/account/consents/cross-border'

test('without the consent of the account nothing is sent to a model, before it is given and after it is withdrawn', async () => {
  const account = await server.registerAccount()
  const chat = () => account.send('POST', '/mcp/chat', { message: 'Hi' })
  expect((await chat()).body).toMatchObject({ status: 403, code: 'consent_required' })
  await account.send('POST', consent, { purposes: ['Answers of a model'] })
  expect((await chat()).body).toMatchObject({ text: 'Hello.', proposals: [] })
  const asked = model.requests().length
  await account.send('DELETE', consent)
  expect((await chat()).body).toMatchObject({ status: 403, code: 'consent_required' })
  expect(model.requests()).toHaveLength(asked)
})

test('a workflow that the model chooses runs only after its user confirms it', async () => {
  const account = await server.registerAccount()
  await account.send('POST', consent, { purposes: ['Answers of a model'] })
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(counts, 'count-up') } })
  respond = () => ({
    content: 'I count.',
    toolCalls: [
      { name: 'count-up', arguments: '{"count":4}' },
      { name: 'unknown', arguments: '{}' },
    ],
  })
  const { body } = await account.send('POST', '/mcp/chat', { message: 'Count up from 4' })
  expect(body).toMatchObject({ tools: ['count-up'], proposals: [{ tool: 'count-up', workflowId: id, input: { count: 4 } }] })
  expect(body.proposals).toHaveLength(1)
  const [proposal] = body.proposals
  const done = await account.send('POST', '/api/v1/assistant/agent/confirm', { proposalId: proposal.id, digest: proposal.digest })
  expect(done.body).toMatchObject({ state: 'done', action: { kind: 'workflow.run', input: { count: 4 } } })
})
