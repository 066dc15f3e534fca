import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listApprovals } from '#modules/approvals/approval-store.ts'
import { toTypeId } from '#platform/ids.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import {
  decideAs,
  openApproval,
  endedExecution,
  addMember,
  type Member,
  currentApproval,
  startWorkflow,
  onlyApprovalOf,
} from '#testing/approvals.ts'

let server: TestServer
let owner: TestAccount
let ada: Member
let bob: Member
let eve: Member
beforeAll(async () => {
  server = await createTestServer()
  owner = await server.registerAccount()
  ada = await addMember(server, owner, 'admin')
  bob = await addMember(server, owner, 'admin')
  eve = await addMember(server, owner, 'viewer')
})
afterAll(() => server.close())

const approve = { decision: 'approve' }
const reject = { decision: 'reject', reason: 'Not yet.' }

describe('an approval', () => {
  test('an open approval uses no resources of a process, and its execution continues with the result', async () => {
    const asked = await openApproval(owner, { approvers: [ada.email], details: { amount: 4711 }, description: 'It is **new**.' })
    await expect.poll(() => owner.client.workflows.execution({ params: asked })).toMatchObject({ state: 'waiting' })
    const { rows } = await sql`select claimed_by from executions where state = 'waiting' and claimed_by is not null`.execute(
      server.database.system,
    )
    expect(rows).toEqual([])
    const { status, body } = await ada.decide(asked, { ...approve, reason: 'Tested.' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: asked.approvalId, state: 'approved', details: { amount: 4711 }, description: 'It is **new**.' })
    const execution = await endedExecution(owner, asked.executionId)
    expect(execution).toMatchObject({ state: 'completed' })
    expect(execution.output).toEqual({
      approved: true,
      outcome: 'approved',
      details: { amount: 4711 },
      approval: asked.approvalId,
      decidedAt: expect.any(String),
      answers: [
        {
          by: ada.email,
          user: ada.id,
          name: expect.any(String),
          decision: 'approve',
          reason: 'Tested.',
          at: expect.any(String),
          via: 'api',
        },
      ],
    })
  })

  test('a rejection is no error, and a switch can read it', async () => {
    const tasks = `do:
  - ask: { call: approve, with: { title: Pay, approvers: [${ada.email}] } }
  - decide: { switch: [{ yes: { when: .approved, then: pay } }, { no: { then: leave } }] }
  - pay: { set: { paid: true }, then: end }
  - leave: { set: { paid: false, because: '\${ $steps.ask.answers[0].reason }' } }
`
    const executionId = await startWorkflow(owner, tasks)
    expect((await ada.decide(await onlyApprovalOf(owner, executionId), reject)).body).toMatchObject({ state: 'rejected' })
    expect(await endedExecution(owner, executionId)).toMatchObject({ state: 'completed', output: { paid: false, because: 'Not yet.' } })
  })

  test('an approval is decided when the required number of people has approved', async () => {
    const asked = await openApproval(owner, { approvers: [{ role: 'admin' }, eve.email], required: 3 })
    expect((await ada.decide(asked, approve)).body).toMatchObject({ state: 'open', answers: [{ by: ada.email, role: 'admin' }] })
    expect((await eve.decide(asked, approve)).body).toMatchObject({ state: 'open' })
    expect((await bob.decide(asked, approve)).body).toMatchObject({ state: 'approved' })
    const { output } = await endedExecution(owner, asked.executionId)
    expect(output).toMatchObject({ approved: true, answers: [{ by: ada.email }, { by: eve.email }, { by: bob.email }] })
    expect(output).not.toHaveProperty('answers.1.role')
  })

  test('an approval by all needs one decision for every entry', async () => {
    const asked = await openApproval(owner, { approvers: [eve.id, { role: 'admin' }], required: 'all' })
    expect((await ada.decide(asked, approve)).body).toMatchObject({ state: 'open' })
    expect((await bob.decide(asked, approve)).body).toMatchObject({ state: 'open' })
    expect((await eve.decide(asked, approve)).body).toMatchObject({ state: 'approved' })
  })

  test('the first rejection decides an approval by default', async () => {
    const asked = await openApproval(owner, { approvers: [{ role: 'admin' }], required: 2 })
    await ada.decide(asked, approve)
    expect((await bob.decide(asked, reject)).body).toMatchObject({ state: 'rejected' })
    expect((await endedExecution(owner, asked.executionId)).output).toMatchObject({ approved: false, outcome: 'rejected' })
  })

  test('an approval with a veto of two stays open after one rejection', async () => {
    const asked = await openApproval(owner, { approvers: [ada.email, bob.email, eve.email], veto: 2 })
    expect((await ada.decide(asked, reject)).body).toMatchObject({ state: 'open' })
    expect((await bob.decide(asked, reject)).body).toMatchObject({ state: 'rejected' })
  })

  test('an approval without a veto is rejected when too few approvers remain', async () => {
    const asked = await openApproval(owner, { approvers: [ada.email, bob.email, eve.email], required: 2, veto: false })
    expect((await ada.decide(asked, reject)).body).toMatchObject({ state: 'open' })
    expect((await bob.decide(asked, reject)).body).toMatchObject({ state: 'rejected' })
  })

  test('an approval without a veto stays open while an escalation may add approvers', async () => {
    const escalation = [{ after: 'P1D', approvers: [eve.email] }]
    const asked = await openApproval(owner, { approvers: [ada.email], veto: false, escalation })
    expect((await ada.decide(asked, reject)).body).toMatchObject({ state: 'open' })
  })

  test('an approval without a veto is rejected although an escalation follows that asks no other person', async () => {
    const escalation = [{ after: 'P1D', notify: ['boss@example.com'] }]
    const asked = await openApproval(owner, { approvers: [ada.email, bob.email], required: 'all', veto: false, escalation })
    expect((await ada.decide(asked, reject)).body).toMatchObject({ state: 'rejected' })
    expect((await endedExecution(owner, asked.executionId)).output).toMatchObject({ approved: false, outcome: 'rejected' })
  })
})

test('an escalation is in the audit log with whom it asks, by name', async () => {
  const asked = await openApproval(owner, { approvers: [ada.email], escalation: [{ after: 'PT1S', approvers: [bob.id] }] })
  const query = { event: 'approval.escalated', target: asked.approvalId }
  const found = () => owner.client.audit.query({ query })
  await expect
    .poll(async () => (await found()).data, { timeout: 30_000 })
    .toMatchObject([{ actor: 'system:approvals', details: { executionId: asked.executionId, asked: [bob.id] } }])
  expect((await found()).names).toHaveProperty(bob.id)
})

test('an approval says who is asked next and when, while no one decides', async () => {
  const escalation = [
    { after: 'P2D', approvers: [{ role: 'owner' }], replace: true, notify: ['Cem <cem@example.com>'] },
    { after: 'P1D', approvers: [eve.email] },
  ]
  const { openedAt, escalations } = await currentApproval(owner, await openApproval(owner, { approvers: [ada.email], escalation }))
  const at = (days: number) => new Date(Date.parse(openedAt) + days * 86_400_000).toISOString()
  expect(escalations).toEqual([
    { at: at(1), approvers: [ada.email, eve.email], notify: [] },
    { at: at(2), approvers: ['role:owner'], notify: ['cem@example.com'] },
  ])
  expect(await currentApproval(owner, await openApproval(owner, { approvers: [ada.email] }))).not.toHaveProperty('escalations')
})

test('a list of approvals reads nothing of what they ask about but the title', async () => {
  const args = { approvers: [ada.email], details: '${ "x" * 1000000 }', description: 'Long.', form: { type: 'object' }, deadline: 'P1D' }
  const { approvalId } = await openApproval(owner, args)
  const { data } = await ada.client.approvals.list({})
  expect(data.find(({ id }) => id === approvalId)).toMatchObject({ title: 'Release', onDeadline: 'reject', deadlineAt: expect.any(String) })
  const options = { state: 'open', before: undefined, limit: 100 } as const
  const listed = await listApprovals(server.database.system, owner.accountId, options)
  expect(listed.map(({ id }) => toTypeId('apr', id))).toContain(approvalId)
  expect(JSON.stringify(listed).length).toBeLessThan(100_000)
})

test('a user who is named is asked also where a role has more users than are asked', async () => {
  const account = await server.registerAccount()
  await sql`insert into users (id, account_id, email, role, created_at)
    select millrace_uuid_v7(), ${account.accountId}, 'crowd' || n || '@example.com', 'viewer', now() from generate_series(1, 500) n`.execute(
    server.database.system,
  )
  const [named, byMail] = [await addMember(server, account, 'viewer'), await addMember(server, account, 'viewer')]
  const asked = await openApproval(account, { approvers: [{ role: 'viewer' }, named.id, byMail.email] })
  // The starter is among the 500.
  await expect.poll(async () => (await currentApproval(account, asked)).mails.length, { timeout: 30_000 }).toBe(499)
  for (const { client } of [named, byMail])
    expect((await client.notifications.list()).data).toMatchObject([{ kind: 'approval.waiting', link: `/approvals/${asked.approvalId}` }])
})

describe('an approver', () => {
  test('a person who is not an approver is refused, whatever their role', async () => {
    const asked = await openApproval(owner, { approvers: [eve.email] })
    const { status, body } = await ada.decide(asked, approve)
    expect([status, body.code]).toEqual([403, 'forbidden'])
    expect((await currentApproval(owner, asked)).answers).toEqual([])
  })

  test('a person with a weaker role is refused', async () => {
    const asked = await openApproval(owner, { approvers: [{ role: 'admin' }] })
    expect((await eve.decide(asked, approve)).status).toBe(403)
  })

  test('a person who has lost the role is refused', async () => {
    const carl = await addMember(server, owner, 'admin')
    const asked = await openApproval(owner, { approvers: [{ role: 'admin' }] })
    await sql`update users set role = 'viewer' where id = ${carl.userId}`.execute(server.database.system)
    expect((await carl.decide(asked, approve)).status).toBe(403)
  })

  test('the starter of an execution is refused unless the workflow permits it', async () => {
    const asked = await openApproval(owner, { approvers: [{ role: 'owner' }] })
    const { status, body } = await decideAs(server.url, owner.token, asked, approve)
    expect([status, body.detail]).toEqual([403, expect.stringContaining('excludeStarter')])
    const open = await openApproval(owner, { approvers: [{ role: 'owner' }], excludeStarter: false })
    expect((await decideAs(server.url, owner.token, open, approve)).status).toBe(200)
  })

  test('the owner of the API key that started an execution counts as its starter', async () => {
    const { secret } = await owner.client.apiKeys.create({ body: { name: 'ci', scopes: ['executions:run', 'workflows:write'] } })
    const definition = { call: 'approve', with: { title: 'Release', approvers: [owner.email, ada.email] } }
    const { id } = await owner.client.workflows.create({
      body: { definition: { document: { dsl: '1.0.3', namespace: 'a', name: 'by-key', version: '1.0.0' }, do: [{ ask: definition }] } },
    })
    const started = await owner.send('POST', `/api/v1/workflows/${id}/execute`, {}, { authorization: `Bearer ${secret}` })
    const executionId: string = started.body.id
    const asked = await onlyApprovalOf(owner, executionId)
    expect((await decideAs(server.url, owner.token, asked, approve)).status).toBe(403)
    expect((await ada.decide(asked, approve)).status).toBe(200)
  })

  test('the starter of a parent execution counts as the starter of its children', async () => {
    const inner = { document: { dsl: '1.0.3', namespace: 'parts', name: 'asking', version: '1.0.0' } }
    const asks = { call: 'approve', with: { title: 'Release', approvers: [owner.email, ada.email] } }
    await owner.client.workflows.create({ body: { definition: { ...inner, do: [{ ask: asks }] } } })
    await startWorkflow(owner, 'do:\n  - part: { run: { workflow: { namespace: parts, name: asking, version: 1.0.0 } } }\n')
    const waiting = async () => (await ada.client.approvals.list({})).data.find(({ position }) => position.endsWith('/ask'))
    await expect.poll(waiting).toBeDefined()
    const found = await waiting()
    const asked = { executionId: found?.executionId ?? '', approvalId: found?.id ?? '' }
    expect((await decideAs(server.url, owner.token, asked, approve)).status).toBe(403)
    expect((await ada.decide(asked, approve)).status).toBe(200)
  })

  test('an approver decides once, and a repetition returns the first decision', async () => {
    const asked = await openApproval(owner, { approvers: [{ role: 'admin' }], required: 2 })
    await ada.decide(asked, approve)
    const { status, body } = await ada.decide(asked, reject)
    expect([status, body.code, body.state, body.answer]).toEqual([
      409,
      'approval_answered',
      'open',
      expect.objectContaining({ decision: 'approve' }),
    ])
    expect((await currentApproval(owner, asked)).answers).toHaveLength(1)
  })

  test('an approver who decides after the verdict gets an error with the state', async () => {
    const asked = await openApproval(owner, { approvers: [{ role: 'admin' }] })
    await ada.decide(asked, approve)
    const { status, body } = await bob.decide(asked, approve)
    expect([status, body.code, body.state]).toEqual([409, 'approval_decided', 'approved'])
    const { output } = await endedExecution(owner, asked.executionId)
    expect(output).toMatchObject({ answers: [{ by: ada.email }] })
    expect(output).not.toHaveProperty('answers.1')
  })

  test('a decision repeated with its idempotency key returns the first response', async () => {
    const asked = await openApproval(owner, { approvers: [owner.email], excludeStarter: false })
    const path = `/api/v1/workflows/executions/${asked.executionId}/approvals/${asked.approvalId}`
    const first = await owner.send('POST', path, approve, { 'idempotency-key': 'k1' })
    const second = await owner.send('POST', path, approve, { 'idempotency-key': 'k1' })
    expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true'])
    expect(second.body).toEqual(first.body)
  })

  test('a user of another account can neither see nor decide an approval', async () => {
    const outsider = await server.registerAccount()
    const asked = await openApproval(owner, { approvers: [outsider.email] })
    expect((await decideAs(server.url, outsider.token, asked, approve)).status).toBe(404)
    expect((await outsider.client.approvals.list({})).data).toEqual([])
  })

  test('an approval cannot be decided under the id of another execution', async () => {
    const [one, other] = [await openApproval(owner, { approvers: [ada.email] }), await openApproval(owner, { approvers: [ada.email] })]
    expect((await ada.decide({ ...one, executionId: other.executionId }, approve)).status).toBe(404)
  })

  test('an API key cannot decide an approval', async () => {
    const created = await owner.send('POST', '/api/v1/api-keys', { name: 'bot', scopes: ['approvals:decide'] })
    expect(created.status).toBe(400)
    const { secret } = await owner.client.apiKeys.create({ body: { name: 'bot', scopes: ['approvals:read'] } })
    const asked = await openApproval(owner, { approvers: [owner.email], excludeStarter: false })
    expect((await decideAs(server.url, secret, asked, approve)).body).toMatchObject({ status: 403, code: 'insufficient_scope' })
  })
})

describe('an answer', () => {
  test.each([
    ['reject', { decision: 'reject' }, approve],
    ['approve', approve, { decision: 'reject' }],
    ['both', approve, { decision: 'reject', reason: 'So.' }],
    ['both', { decision: 'reject' }, { ...approve, reason: 'So.' }],
  ])('where %s needs a reason is refused as %j and taken as %j', async (reason, without, enough) => {
    const asked = await openApproval(owner, { approvers: [ada.email], reason })
    const { status, body } = await ada.decide(asked, without)
    expect([status, body.code, body.errors]).toEqual([422, 'answer_invalid', [expect.objectContaining({ pointer: '/reason' })]])
    expect((await ada.decide(asked, enough)).status).toBe(200)
  })

  test('the data of a decision must match the form, and the workflow receives them', async () => {
    const form = { type: 'object', required: ['cost'], properties: { cost: { type: 'integer' } } }
    const asked = await openApproval(owner, { approvers: [ada.email], form })
    expect((await currentApproval(owner, asked)).form).toEqual(form)
    for (const [data, pointer] of [
      [undefined, '/data'],
      [{}, '/data'],
      [{ cost: 'much' }, '/data/cost'],
    ] as const) {
      const { status, body } = await ada.decide(asked, { ...approve, data })
      expect(status).toBe(422)
      expect(body.errors.map((part: { pointer: string }) => part.pointer)).toContain(pointer)
    }
    expect((await ada.decide(asked, { ...approve, data: { cost: 12 } })).status).toBe(200)
    expect((await endedExecution(owner, asked.executionId)).output).toMatchObject({ data: { cost: 12 }, answers: [{ data: { cost: 12 } }] })
  })

  test('a rejection does not require the form', async () => {
    const asked = await openApproval(owner, { approvers: [ada.email], form: { type: 'object', required: ['cost'] } })
    expect((await ada.decide(asked, reject)).status).toBe(200)
  })

  test('data without a form are refused', async () => {
    const asked = await openApproval(owner, { approvers: [ada.email] })
    expect((await ada.decide(asked, { ...approve, data: 1 })).status).toBe(422)
  })

  test('a decision writes an audit row with its author, choice and chosen options, and without what was written freely', async () => {
    const form = { type: 'object', properties: { choice: { enum: ['customer', 'warehouse'] }, note: { type: 'string' } } }
    const asked = await openApproval(owner, { approvers: [ada.email], form })
    await ada.decide(asked, { ...reject, data: { choice: 'warehouse', note: 'Ada lives in Bonn.' } })
    const { rows } = await sql`select actor, event, details from audit_events where target = ${asked.approvalId}`.execute(
      server.database.system,
    )
    expect(rows).toEqual([
      {
        actor: `user:${ada.id}`,
        event: 'approval.answered',
        details: {
          executionId: asked.executionId,
          decision: 'reject',
          reason: 'Not yet.',
          via: 'api',
          state: 'rejected',
          chosen: { choice: 'warehouse' },
        },
      },
    ])
  })
})

describe('the list', () => {
  test('the list contains approvals that wait for the caller, until the caller has decided', async () => {
    const carl = await addMember(server, owner, 'member')
    const mine = await openApproval(owner, { approvers: [carl.email, ada.email], required: 2 })
    const byRole = await openApproval(owner, { approvers: [{ role: 'member' }] })
    await openApproval(owner, { approvers: [ada.email] })
    const ids = async (state?: 'open' | 'approved') =>
      (await carl.client.approvals.list({ query: state === undefined ? {} : { state } })).data.map(({ id }) => id)
    expect(await ids()).toEqual(expect.arrayContaining([byRole.approvalId, mine.approvalId]))
    const before = await ids()
    await carl.decide(mine, approve)
    expect(await ids()).toEqual(before.filter((id) => id !== mine.approvalId))
    await ada.decide(mine, approve)
    expect(await ids('approved')).toContain(mine.approvalId)
  })

  test('the list does not contain approvals of executions that the user started and may not decide', async () => {
    const asked = await openApproval(owner, { approvers: [owner.email, ada.email] }, "{ order: '4711' }")
    expect((await owner.client.approvals.list({})).data.map(({ id }) => id)).not.toContain(asked.approvalId)
    expect((await ada.client.approvals.list({})).data[0]).toMatchObject({
      id: asked.approvalId,
      title: 'Release',
      state: 'open',
      workflowId: expect.stringMatching(/^wf_/),
      workflowName: expect.stringMatching(/^flow-/),
      executionCreatedAt: expect.any(String),
      labels: { order: '4711' },
    })
  })

  test('the list of the whole account is for administrators', async () => {
    const asked = await openApproval(owner, { approvers: ['approver@example.org'] })
    expect((await ada.client.approvals.list({ query: { for: 'all' } })).data[0]).toMatchObject({ id: asked.approvalId })
    await expect(eve.client.approvals.list({ query: { for: 'all' } })).rejects.toMatchObject({ status: 403 })
  })

  test('the list is paged', async () => {
    const dora = await addMember(server, owner, 'viewer')
    const ids = []
    for (let count = 0; count < 5; count++) ids.unshift((await openApproval(owner, { approvers: [dora.email] })).approvalId)
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await dora.client.approvals.list({ query: { limit: 2, ...(cursor === undefined ? {} : { cursor }) } })
      seen.push(...page.data.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(ids)
  })
})
