import type { FixtureResponse } from '@copilotkit/aimock'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf, fails } from '#testing/definitions.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/assistant'
const notes = 'do:\n  - note: { set: { noted: "${ .n }" } }\n'
const email = { kind: 'email.draft', to: ['ada@example.com'], subject: 'Report', body: 'All is well.\n\nBye' }

let server: TestServer
let model: ModelStandIn
/** How the model responds to the messages so far. */
let respond: (messages: readonly { readonly role: string; readonly content?: unknown }[]) => FixtureResponse = () => ({ content: 'Hello.' })
beforeAll(async () => {
  model = await startModelStandIn((request) => respond(request.messages))
  server = await createTestServer({ MILLRACE_MODEL_URL: model.url, MILLRACE_MODEL_NAME: 'test' })
})
afterAll(async () => {
  await server.close()
  await model.stop()
})

const workflowOf = async (account: TestAccount, body = notes): Promise<string> =>
  (await account.client.workflows.create({ body: { definition: documentOf(body) } })).id
const prepare = async (account: TestAccount, action: object) => (await account.send('POST', `${path}/agent/run`, { action })).body
const propose = async (account: TestAccount, action: object) => (await prepare(account, action)).proposals[0]
const confirm = (account: TestAccount, { id, digest }: { id: string; digest: string }, headers = {}) =>
  account.send('POST', `${path}/agent/confirm`, { proposalId: id, digest }, headers)
const executionsOf = async (account: TestAccount, workflowId: string) =>
  (await account.send('GET', `/api/v1/workflows/${workflowId}/executions`)).body.data

describe('a proposal', () => {
  test('does nothing until it is confirmed, and then exactly what was shown, once', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    const proposal = await propose(account, { kind: 'workflow.run', workflowId, input: { n: 7 } })
    expect(proposal).toMatchObject({ state: 'pending', action: { kind: 'workflow.run', workflowId, input: { n: 7 } }, result: null })
    expect(await executionsOf(account, workflowId)).toEqual([])
    expect((await confirm(account, { ...proposal, digest: '0'.repeat(64) })).body).toMatchObject({ status: 409, code: 'conflict' })
    const answers = await Promise.all([confirm(account, proposal), confirm(account, proposal), confirm(account, proposal)])
    expect(answers.map(({ body }) => body.state)).toEqual(['done', 'done', 'done'])
    expect(new Set(answers.map(({ body }) => body.result.executionId)).size).toBe(1)
    expect(await executionsOf(account, workflowId)).toHaveLength(1)
    const { body } = await account.send('GET', `/api/v1/workflows/executions/${answers[0]?.body.result.executionId}`)
    expect(body.input).toEqual({ n: 7 })
  })

  test('that is confirmed and rejected at the same time is either done once or not at all', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    for (const rejectedFirst of [true, false, true, false]) {
      const before = (await executionsOf(account, workflowId)).length
      const proposal = await propose(account, { kind: 'workflow.run', workflowId })
      const reject = () => account.send('POST', `${path}/agent/reject`, { proposalId: proposal.id })
      const confirming = () => confirm(account, proposal)
      await Promise.all(
        (rejectedFirst ? [reject, confirming, reject, confirming] : [confirming, reject, confirming, reject]).map((send) => send()),
      )
      const { state } = (await account.send('GET', `${path}/proposals?limit=1`)).body.data[0]
      expect(['done', 'rejected']).toContain(state)
      expect(await executionsOf(account, workflowId)).toHaveLength(before + (state === 'done' ? 1 : 0))
    }
  })

  test('of a run is confirmed with the version that was shown, also after another one was published', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    const proposal = await propose(account, { kind: 'workflow.run', workflowId, input: { n: 7 } })
    expect(proposal.action).toMatchObject({ version: 1 })
    const definition = documentOf(notes.replace('noted', 'stolen'))
    expect((await account.send('PUT', `/api/v1/workflows/${workflowId}`, { definition, publish: true })).status).toBe(200)
    const { body } = await confirm(account, proposal)
    const output = async () => (await account.send('GET', `/api/v1/workflows/executions/${body.result.executionId}`)).body.output
    await expect.poll(output).toEqual({ noted: 7 })
    const draft = await account.client.workflows.create({ body: { definition: documentOf(notes), publish: false } })
    expect(await prepare(account, { kind: 'workflow.run', workflowId: draft.id })).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('no published version'),
    })
  })

  test('that was begun by a process which died is finished by the next confirmation, without a second start', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    const proposal = await propose(account, { kind: 'workflow.run', workflowId, input: { n: 1 } })
    const { body } = await confirm(account, proposal)
    await sql`update assistant_proposals set state = 'confirmed', result = null where account_id = ${account.accountId}`.execute(
      server.database.system,
    )
    expect((await confirm(account, proposal)).body).toMatchObject({ state: 'done', result: body.result })
    expect(await executionsOf(account, workflowId)).toHaveLength(1)
  })

  test('is refused after its time, after a rejection, with a changed content, and to everyone else', async () => {
    const [account, other] = [await server.registerAccount(), await server.registerAccount()]
    const workflowId = await workflowOf(account)
    const run = { kind: 'workflow.run', workflowId }
    const [late, rejected, changed, own] = [
      await propose(account, run),
      await propose(account, run),
      await propose(account, run),
      await propose(account, run),
    ]
    await account.send('POST', `${path}/agent/reject`, { proposalId: rejected.id, reason: 'No.' })
    const db = server.database.system
    await sql`update assistant_proposals set expires_at = now() - interval '1 second' where digest = ${late.digest} and id = (
      select id from assistant_proposals where account_id = ${account.accountId} order by id limit 1)`.execute(db)
    await sql`update assistant_proposals set action = replace(action, 'run', 'ruin') where id = (
      select id from assistant_proposals where account_id = ${account.accountId} order by id offset 2 limit 1)`.execute(db)
    for (const proposal of [late, rejected, changed])
      expect((await confirm(account, proposal)).body).toMatchObject({ status: 409, code: 'conflict' })
    expect((await confirm(other, own)).body).toMatchObject({ status: 404, code: 'not_found' })
    expect(await executionsOf(account, workflowId)).toEqual([])
  })

  test('of a failed action names the reason, and an API key can neither confirm nor propose what it may not do', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account, fails)
    const { body: run } = await account.send('POST', `/api/v1/workflows/${workflowId}/execute`, {}, { prefer: 'wait=10' })
    const proposal = await propose(account, { kind: 'execution.cancel', executionId: run.id })
    expect((await confirm(account, proposal)).body).toMatchObject({ status: 409, code: 'execution_ended' })
    expect((await confirm(account, proposal)).body).toMatchObject({ status: 409, code: 'conflict' })
    const retry = await propose(account, { kind: 'execution.retry', executionId: run.id })
    const retried = await confirm(account, retry)
    expect(retried.body).toMatchObject({ state: 'done', result: { executionId: expect.stringMatching(/^exec_/) } })
    // As if the process had died before it recorded the result.
    await sql`update assistant_proposals set state = 'confirmed', result = null where account_id = ${account.accountId} and state = 'done'`.execute(
      server.database.system,
    )
    expect((await confirm(account, retry)).body).toMatchObject({ state: 'done', result: retried.body.result })
    const { secret } = (await account.send('POST', '/api/v1/api-keys', { name: 'k', scopes: ['assistant:use'] })).body
    const asKey = { authorization: `Bearer ${secret}` }
    expect((await confirm(account, proposal, asKey)).body).toMatchObject({ status: 403, code: 'insufficient_scope' })
    const denied = await account.send('POST', `${path}/agent/run`, { action: { kind: 'workflow.run', workflowId } }, asKey)
    expect(denied.body).toMatchObject({ status: 403, code: 'insufficient_scope' })
  })

  test('of a schedule becomes one trigger', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    const action = { kind: 'schedule.create', workflowId, name: 'daily', schedule: { cron: '0 9 * * *', timeZone: 'Europe/Berlin' } }
    const proposal = await propose(account, action)
    expect((await confirm(account, proposal)).body).toMatchObject({ status: 409 })
    const body = { proposalId: proposal.id, digest: proposal.digest }
    const answers = await Promise.all([1, 2].map(() => account.send('POST', `${path}/schedule/confirm`, body)))
    expect(new Set(answers.map((answer) => answer.body.triggerId)).size).toBe(1)
    expect((await account.send('GET', '/api/v1/triggers')).body.data).toMatchObject([{ name: 'daily', kind: 'schedule', workflowId }])
    const wrong = await account.send('POST', `${path}/agent/run`, { action: { ...action, schedule: { cron: '61 * * * *' } } })
    expect(wrong.body).toMatchObject({ status: 422, code: 'schedule_invalid' })
  })
})

describe('an e-mail draft', () => {
  test('is sent once, to each recipient, when it is approved', async () => {
    const account = await server.registerAccount()
    const [draft] = (await prepare(account, { ...email, to: ['ada@example.com', 'bob@example.com'] })).drafts
    const approve = () => account.send('POST', `${path}/email/drafts/${draft.id}/approve`, { digest: draft.digest })
    const answers = await Promise.all([approve(), approve()])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    const sent = async () => {
      const { data }: { data: { subject: string; recipient: string }[] } = JSON.parse(
        await (await fetch(`${server.url}/dev/outbox`)).text(),
      )
      return data.filter(({ subject }) => subject === 'Report').map(({ recipient }) => recipient)
    }
    await expect.poll(async () => (await sent()).toSorted()).toEqual(['ada@example.com', 'bob@example.com'])
    expect((await account.send('GET', `${path}/email/drafts?state=sent`)).body.data).toMatchObject([{ id: draft.id }])
  })

  test('is not sent by a viewer', async () => {
    const account = await server.registerAccount()
    const [draft] = (await prepare(account, email)).drafts
    await sql`update users set role = 'viewer' where id = ${account.userId}`.execute(server.database.system)
    const approved = await account.send('POST', `${path}/email/drafts/${draft.id}/approve`, {})
    expect(approved.body).toMatchObject({ status: 403, code: 'insufficient_role' })
  })

  test('that was rejected keeps the reason and is not sent', async () => {
    const account = await server.registerAccount()
    const [draft] = (await prepare(account, email)).drafts
    const rejected = await account.send('POST', `${path}/email/drafts/${draft.id}/reject`, { reason: 'Wrong tone.' })
    expect(rejected.body).toMatchObject({ state: 'rejected', reason: 'Wrong tone.' })
    expect((await account.send('POST', `${path}/email/drafts/${draft.id}/approve`, {})).body).toMatchObject({ status: 409 })
  })
})

describe('a conversation', () => {
  test('reads with tools, proposes, and is kept for its user alone', async () => {
    const [account, other] = [await server.registerAccount(), await server.registerAccount()]
    const workflowId = await workflowOf(account)
    respond = (messages) => {
      const results = messages.filter(({ role }) => role === 'tool').length
      if (results === 0) return { toolCalls: [{ name: 'list_workflows', arguments: '{}' }] }
      if (results === 1)
        return { toolCalls: [{ name: 'propose_action', arguments: JSON.stringify({ action: { kind: 'workflow.run', workflowId } }) }] }
      return { content: 'Shall I run it?' }
    }
    const { body } = await account.send('POST', `${path}/chat`, { message: 'Run my workflow' })
    expect(body).toMatchObject({
      message: { role: 'assistant', text: 'Shall I run it?' },
      proposals: [{ kind: 'workflow.run', state: 'pending' }],
    })
    const seen = JSON.stringify(model.requests().at(-1)?.messages)
    expect(seen).toContain(workflowId)
    expect(await executionsOf(account, workflowId)).toEqual([])
    const read = await account.send('GET', `${path}/conversations/${body.conversationId}`)
    expect(read.body).toMatchObject({
      title: 'Run my workflow',
      messages: [{ role: 'user' }, { role: 'assistant', proposals: [body.proposals[0].id] }],
    })
    await account.send('POST', `${path}/messages`, { message: 'Later', conversationId: body.conversationId })
    const extended = await account.send('GET', `${path}/conversations/${body.conversationId}`)
    expect(extended.body.messages.map(({ text }: { text: string }) => text)).toEqual(['Run my workflow', 'Shall I run it?', 'Later'])
    expect((await other.send('POST', `${path}/chat`, { message: 'x', conversationId: body.conversationId })).body).toMatchObject({
      status: 404,
    })
    await account.send('DELETE', `${path}/conversations/${body.conversationId}`)
    expect((await account.send('GET', `${path}/conversations`)).body.data).toEqual([])
  })

  test('a model that calls tools for ever, with unknown names and wrong arguments, ends and does nothing', async () => {
    const account = await server.registerAccount()
    const workflowId = await workflowOf(account)
    let turn = 0
    respond = () => {
      turn += 1
      if (turn > 5) return { content: 'I stop.' }
      return {
        toolCalls: [
          {
            name: turn % 2 === 0 ? 'delete_everything' : 'propose_action',
            arguments: turn === 1 ? '{ broken' : '{"action":{"kind":"workflow.drop"}}',
          },
        ],
      }
    }
    const { body } = await account.send('POST', `${path}/chat`, { message: 'Go' })
    expect(body).toMatchObject({ message: { text: 'I stop.' }, proposals: [], drafts: [] })
    expect(JSON.stringify(model.requests().at(-1)?.messages)).toContain('There is no tool delete_everything')
    expect(await executionsOf(account, workflowId)).toEqual([])
  })

  test('a key without a scope gives the model no tool that needs it', async () => {
    const account = await server.registerAccount()
    const { secret } = (await account.send('POST', '/api/v1/api-keys', { name: 'k', scopes: ['assistant:use', 'workflows:read'] })).body
    respond = () => ({ content: 'Hello.' })
    await account.send('POST', `${path}/chat`, { message: 'Hi' }, { authorization: `Bearer ${secret}` })
    const names = model
      .requests()
      .at(-1)
      ?.tools?.map((tool) => ('function' in tool ? tool.function.name : ''))
    expect(names).toEqual(['list_workflows', 'get_workflow', 'propose_action'])
  })

  test('is streamed when asked, piece by piece, with the same end as the JSON', async () => {
    const account = await server.registerAccount()
    respond = () => ({ content: 'A somewhat longer text that comes in several pieces.' })
    const response = await fetch(`${server.url}${path}/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ message: 'Hi' }),
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const events = (await response.text()).split('\n\n').filter((part) => part.startsWith('event: '))
    expect(events.filter((event) => event.startsWith('event: text')).length).toBeGreaterThan(1)
    expect(events.at(-1)).toContain('event: message')
    expect(events.at(-1)).toContain('A somewhat longer text that comes in several pieces.')
  })

  test('without a model it is a 503 that says what to configure, and everything else works', async () => {
    await using bare = await createTestServer()
    const account = await bare.registerAccount()
    expect((await account.send('POST', `${path}/chat`, { message: 'Hi' })).body).toMatchObject({
      status: 503,
      code: 'model_not_configured',
    })
    expect((await account.send('POST', `${path}/agent/run`, { goal: 'x' })).body).toMatchObject({
      status: 503,
      code: 'model_not_configured',
    })
    expect((await prepare(account, email)).drafts).toHaveLength(1)
    expect((await account.send('GET', `${path}/conversations`)).body.data).toEqual([])
  })
})
