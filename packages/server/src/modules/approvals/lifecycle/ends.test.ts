import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountDeletionOf } from '#testing/account-deletion.ts'
import { startSmtpServer, type TestSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { fromTypeId } from '#platform/ids.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import {
  approvalsOf,
  openApproval,
  endedExecution,
  callLink,
  addMember,
  mailingTo,
  mailsTo,
  type Member,
  currentApproval,
  startWorkflow,
  onlyApprovalOf,
} from '#testing/approvals.ts'

let smtp: TestSmtpServer
let server: TestServer
let owner: TestAccount
let ada: Member
beforeAll(async () => {
  smtp = await startSmtpServer()
  server = await createTestServer(mailingTo(smtp))
  owner = await server.registerAccount()
  ada = await addMember(server, owner, 'admin')
})
afterAll(async () => {
  await server.close()
  await smtp[Symbol.asyncDispose]()
})

const approve = { decision: 'approve' }
const timeout = 60_000

describe('an approval whose wait ended', () => {
  test('an approval is closed when its execution is cancelled', async () => {
    const asked = await openApproval(owner, { approvers: [ada.email, 'cancelled@example.org'] })
    const [mail] = await mailsTo(smtp, 'cancelled@example.org')
    await owner.client.executions.cancel({ params: asked })
    await endedExecution(owner, asked.executionId)
    expect((await ada.decide(asked, approve)).body).toMatchObject({ status: 409, code: 'approval_closed', state: 'closed' })
    expect((await callLink(server.url, mail?.token ?? '', approve)).body).toMatchObject({ status: 409, code: 'approval_closed' })
    expect((await callLink(server.url, mail?.token ?? '')).body).toMatchObject({ state: 'closed', answer: null })
    await expect.poll(async () => (await currentApproval(owner, asked)).endedAt, { timeout }).not.toBeNull()
    expect((await ada.client.approvals.list({})).data.map(({ id }) => id)).not.toContain(asked.approvalId)
    expect((await ada.client.approvals.list({ query: { state: 'closed' } })).data.map(({ id }) => id)).toContain(asked.approvalId)
  })

  test('an approval is closed when its task times out, and the workflow continues with the error', async () => {
    const tasks = `do:
  - guarded:
      try:
        - ask: { call: approve, with: { title: Quick, approvers: [${ada.email}] }, timeout: { after: { seconds: 2 } } }
      catch:
        errors: { with: { status: 408 } }
        do: [{ late: { set: { late: true } } }]
`
    const executionId = await startWorkflow(owner, tasks)
    const asked = await onlyApprovalOf(owner, executionId)
    expect(await endedExecution(owner, executionId)).toMatchObject({ state: 'completed', output: { late: true } })
    expect((await ada.decide(asked, approve)).body).toMatchObject({ code: 'approval_closed' })
  })

  test('an approval is closed when another branch wins', async () => {
    const tasks = `do:
  - either:
      fork:
        compete: true
        branches:
          - one: { call: approve, with: { title: One, approvers: [${ada.email}] } }
          - other: { call: approve, with: { title: Other, approvers: [${ada.email}] } }
`
    const executionId = await startWorkflow(owner, tasks)
    const all = await approvalsOf(owner, executionId, 2)
    const [winner, loser] = ['One', 'Other'].map((title) => ({
      executionId,
      approvalId: all.find((each) => each.title === title)?.id ?? '',
    }))
    if (winner === undefined || loser === undefined) throw new Error('two approvals were asked for')
    expect((await ada.decide(winner, approve)).status).toBe(200)
    expect((await endedExecution(owner, executionId)).output).toMatchObject({ approved: true, approval: winner.approvalId })
    expect((await ada.decide(loser, approve)).body).toMatchObject({ code: 'approval_closed' })
    expect(await currentApproval(owner, winner)).toMatchObject({ state: 'approved' })
    expect(await currentApproval(owner, loser)).toMatchObject({ state: 'closed' })
  })
})

describe('in a loop', () => {
  test('every iteration of a loop opens a new approval', async () => {
    const tasks = `do:
  - each:
      for: { in: '\${ ["a", "b"] }' }
      do:
        - ask: { call: approve, with: { title: '\${ "Item " + $item }', approvers: [${ada.email}] } }
`
    const executionId = await startWorkflow(owner, tasks)
    for (const [count, title] of [
      [1, 'Item a'],
      [2, 'Item b'],
    ] as const) {
      const [latest] = await approvalsOf(owner, executionId, count)
      expect(latest).toMatchObject({ title, state: 'open' })
      await ada.decide({ executionId, approvalId: latest?.id ?? '' }, approve)
    }
    expect((await endedExecution(owner, executionId)).state).toBe('completed')
  })
})

describe('a retry', () => {
  test('a retry of an execution that was cancelled while it waited opens a new approval with a new link', async () => {
    const asked = await openApproval(owner, { approvers: ['again@example.org'] })
    const [first] = await mailsTo(smtp, 'again@example.org')
    await owner.client.executions.cancel({ params: asked })
    await endedExecution(owner, asked.executionId)
    const retried = await owner.client.executions.retry({ params: asked, body: {} })
    const [again] = await approvalsOf(owner, retried.id, 1)
    expect(again?.id).not.toBe(asked.approvalId)
    const [, second] = await mailsTo(smtp, 'again@example.org', 2)
    expect((await callLink(server.url, first?.token ?? '', approve)).status).toBe(409)
    expect((await callLink(server.url, second?.token ?? '', approve)).status).toBe(200)
    expect((await endedExecution(owner, retried.id)).output).toMatchObject({ approved: true })
  })

  test('a retry of a task after an approval does not open the approval again', async () => {
    let broken = true
    await using service = await startHttpStandIn(() => (broken ? { status: 500, body: {} } : { body: { done: true } }))
    const tasks = `do:
  - ask: { call: approve, with: { title: Once, approvers: [${ada.email}] } }
  - act: { call: http, with: { method: post, endpoint: '${service.url}/act' } }
`
    const executionId = await startWorkflow(owner, tasks)
    const asked = await onlyApprovalOf(owner, executionId)
    await ada.decide(asked, approve)
    expect((await endedExecution(owner, executionId)).state).toBe('faulted')
    broken = false
    const retried = await owner.client.executions.retry({ params: { executionId }, body: {} })
    expect(await endedExecution(owner, retried.id)).toMatchObject({ state: 'completed', output: { done: true } })
    expect((await owner.client.approvals.ofExecution({ params: { executionId: retried.id } })).data).toEqual([])
  })

  test('the starter of an execution cannot approve in its retry', async () => {
    const bob = await addMember(server, owner, 'admin')
    const asked = await openApproval(owner, { approvers: [{ role: 'admin' }] })
    await owner.client.executions.cancel({ params: asked })
    await endedExecution(owner, asked.executionId)
    const retried = await ada.client.executions.retry({ params: asked, body: {} })
    const [again] = await approvalsOf(owner, retried.id, 1)
    const now = { executionId: retried.id, approvalId: again?.id ?? '' }
    expect((await owner.send('POST', `/api/v1/workflows/executions/${now.executionId}/approvals/${now.approvalId}`, approve)).status).toBe(
      403,
    )
    expect((await ada.decide(now, approve)).status).toBe(403)
    expect((await bob.decide(now, approve)).status).toBe(200)
  })
})

test('an approval of a suspended execution can be decided, and the execution continues when it is resumed', async () => {
  const asked = await openApproval(owner, { approvers: [ada.email] })
  await owner.client.executions.suspend({ params: asked })
  await expect.poll(() => owner.client.workflows.execution({ params: asked }), { timeout }).toMatchObject({ state: 'suspended' })
  expect((await ada.decide(asked, approve)).body).toMatchObject({ state: 'approved' })
  expect(await owner.client.workflows.execution({ params: asked })).toMatchObject({ state: 'suspended' })
  await owner.client.executions.resume({ params: asked })
  expect((await endedExecution(owner, asked.executionId)).output).toMatchObject({ approved: true })
})

test('a deleted account leaves no approval, mail or decision', async () => {
  const gone = await server.registerAccount()
  const done = await openApproval(gone, { approvers: [gone.email], excludeStarter: false })
  await gone.send('POST', `/api/v1/workflows/executions/${done.executionId}/approvals/${done.approvalId}`, approve)
  await openApproval(gone, { approvers: ['left@example.org'] })
  await mailsTo(smtp, 'left@example.org')
  await gone.client.auth.deleteMe()
  const afterGrace = () => Date.now() + 8 * 24 * 60 * 60 * 1000
  const accounts = accountDeletionOf(server.database, { engine: { cancel: () => Promise.resolve('ended') }, now: afterGrace })
  const counts = async () => {
    await accounts.purge()
    const { rows } = await sql`
      select (select count(*)::int from approvals where account_id = ${gone.accountId}) as approvals,
        (select count(*)::int from approval_mails where account_id = ${gone.accountId}) as mails,
        (select count(*)::int from approval_answers where account_id = ${gone.accountId}) as answers`.execute(server.database.system)
    return rows[0]
  }
  await expect.poll(counts, { timeout }).toEqual({ approvals: 0, mails: 0, answers: 0 })
})

test('ids of approvals are UUIDv7 of the moment, in their order', async () => {
  const ids = []
  const before = Date.now()
  for (let count = 0; count < 3; count++)
    ids.push(fromTypeId('apr', (await openApproval(owner, { approvers: [ada.email] })).approvalId) ?? '')
  expect(ids).toEqual(ids.toSorted())
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBeGreaterThanOrEqual(before - 5)
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBeLessThanOrEqual(Date.now() + 5)
  }
})
