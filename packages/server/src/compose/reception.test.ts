import { afterAll, beforeAll, expect, test } from 'vitest'
import { endedExecution, openApproval } from '#testing/approvals.ts'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const stated = { purpose: 'Orders', legalBasis: 'contract', retention: 'P90D' } as const
const text = 'My name is Ada Lovelace, write to ada@example.com.'
const redacted = 'My name is <PERSON>, write to <EMAIL>.'
const child = (name: string, body: string) => documentOf(body, name)
const runs = (name: string) =>
  documentOf(`do: [{ run-it: { run: { workflow: { namespace: tests, name: ${name}, version: latest, input: '\${ . }' } } } }]\n`)

async function governed(...points: readonly ('journal' | 'input')[]): Promise<TestAccount> {
  const account = await server.registerAccount()
  for (const point of points) await account.client.privacy.putPolicy({ body: { ...stated, point, action: 'redact' } })
  return account
}

test('an event that a task receives is redacted before it is journalled, and keeps its attributes', async () => {
  const account = await governed('journal')
  const listens = 'do: [{ hear: { listen: { to: { one: { with: { type: com.example.paid } } }, read: envelope } } }]\n'
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(listens) } })
  const run = account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: 'wait=20' })
  const event = { specversion: '1.0', id: '5550123456', source: 'https://shop.example.com', type: 'com.example.paid', data: { id: text } }
  await account.send('POST', '/api/v1/events', event, { 'content-type': 'application/cloudevents+json' })
  const { body } = await run
  expect(body).toMatchObject({ state: 'completed', output: [{ ...event, data: { id: redacted } }] })
  const { verified } = await account.client.archivist.replay({ params: { id: body.id } })
  const { data } = await account.client.privacy.logs({ query: { workflowId: id } })
  expect([verified, data]).toMatchObject([true, [{ source: 'journal', action: 'redacted', counts: { person: 1, email: 1 } }]])
})

test('an answer of an approval is redacted, and says who decided by the id of the user alone', async () => {
  const account = await governed('journal')
  const asked = await openApproval(account, { approvers: [account.email], excludeStarter: false })
  const path = `/api/v1/workflows/executions/${asked.executionId}/approvals/${asked.approvalId}`
  expect((await account.send('POST', path, { decision: 'approve', reason: text })).status).toBe(200)
  const { output } = await endedExecution(account, asked.executionId)
  expect(output).toMatchObject({
    approved: true,
    decidedAt: expect.stringMatching(/^\d{4}-/),
    answers: [
      { by: '<EMAIL>', user: expect.stringMatching(/^usr_/), decision: 'approve', reason: redacted, at: expect.stringMatching(/^\d{4}-/) },
    ],
  })
})

test('a parent gets the output of a child as its own policy leaves it, and a blocked one fails the task', async () => {
  const account = await governed()
  await account.client.workflows.create({ body: { definition: child('says', `do: [{ say: { set: { note: '${text}' } } }]\n`) } })
  const { id } = await account.client.workflows.create({ body: { definition: runs('says') } })
  const output = async () => (await account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: 'wait=20' })).body
  expect(await output()).toMatchObject({ output: { note: text } })
  const policy = { ...stated, workflowId: id, point: 'journal' } as const
  await account.client.privacy.putPolicy({ body: { ...policy, action: 'redact' } })
  expect(await output()).toMatchObject({ output: { note: redacted } })
  await account.client.privacy.putPolicy({ body: { ...policy, action: 'block' } })
  const blocked = await output()
  expect(blocked).toMatchObject({ state: 'faulted', error: { status: 403, detail: expect.stringContaining('refuses results of tasks') } })
})

test('the policy for inputs of a workflow examines what a parent passes to it', async () => {
  const account = await governed('input')
  const { id: childId } = await account.client.workflows.create({
    body: { definition: child('echoes', `do: [{ echo: { set: '\${ . }' } }]\n`) },
  })
  // The parent's own input is examined too, so what it passes is in its definition.
  const passes = runs('echoes').replace(`'\${ . }'`, `{ note: '${text}' }`)
  const { id } = await account.client.workflows.create({ body: { definition: passes } })
  const run = async () => (await account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: 'wait=20' })).body
  expect(await run()).toMatchObject({ output: { note: redacted } })
  const { data } = await account.client.workflows.executions({ params: { id: childId } })
  const { input } = await account.client.workflows.execution({ params: { executionId: data[0]?.id ?? '' } })
  expect(input).toEqual({ note: redacted })
  await account.client.privacy.putPolicy({ body: { ...stated, workflowId: childId, point: 'input', action: 'block' } })
  expect(await run()).toMatchObject({ state: 'faulted', error: { status: 403, detail: expect.stringContaining('refuses inputs') } })
})
