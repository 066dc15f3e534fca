import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvalsOf, currentApproval, endedExecution, makeOlder, openApproval, startWorkflow } from '#testing/approvals.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { approvalTitles } from './approval-titles.ts'

let server: TestServer
let owner: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  owner = await server.registerAccount()
})
afterAll(() => server.close())

const approvers = () => [owner.email]

/** What lists of all workflows and of one say about an execution. */
async function listed(executionId: string) {
  const { data } = await owner.client.executions.search({ query: {} })
  const found = data.find(({ id }) => id === executionId)
  const ofWorkflow = await owner.client.workflows.executions({ params: { id: found?.workflowId ?? '' }, query: {} })
  const [own] = ofWorkflow.data
  const ended = ({ lapsedApproval, decidedApproval }: Pick<(typeof data)[number], 'lapsedApproval' | 'decidedApproval'>) => ({
    lapsedApproval,
    decidedApproval,
  })
  if (found === undefined || own === undefined) throw new Error('the execution is in no list')
  expect(ended(own)).toEqual(ended(found))
  return ended(found)
}

test.each(['approve', 'reject', 'fail'] as const)(
  'lists of executions say that an approval was not decided in time, and that it led to %s',
  async (onDeadline) => {
    const asked = await openApproval(owner, { approvers: approvers(), excludeStarter: false, deadline: 'PT1H', onDeadline })
    expect(await listed(asked.executionId)).toEqual({})
    await makeOlder(server, asked, 3600)
    await endedExecution(owner, asked.executionId)
    const { endedAt } = await currentApproval(owner, asked)
    expect(await listed(asked.executionId)).toEqual({ lapsedApproval: { onDeadline, endedAt } })
  },
)

test('of several approvals, lists have the last one that was not decided in time and the verdict of the last one that was', async () => {
  const ask = (onDeadline: string) =>
    JSON.stringify({
      call: 'approve',
      with: { title: 'Release', approvers: approvers(), excludeStarter: false, deadline: 'PT1H', onDeadline },
    })
  const executionId = await startWorkflow(
    owner,
    `do:\n  - first: ${ask('reject')}\n  - second: ${ask('approve')}\n  - third: ${ask('approve')}\n`,
  )
  for (const count of [1, 2]) {
    const [open] = await approvalsOf(owner, executionId, count)
    await makeOlder(server, { approvalId: open?.id ?? '' }, 3600)
  }
  const [third] = await approvalsOf(owner, executionId, 3)
  await owner.send('POST', `/api/v1/workflows/executions/${executionId}/approvals/${third?.id}`, { decision: 'reject', reason: 'No.' })
  await endedExecution(owner, executionId)
  expect(await listed(executionId)).toMatchObject({ lapsedApproval: { onDeadline: 'approve' }, decidedApproval: { verdict: 'rejected' } })
  const decided = await openApproval(owner, { approvers: approvers(), excludeStarter: false, deadline: 'PT1H' })
  await owner.send('POST', `/api/v1/workflows/executions/${decided.executionId}/approvals/${decided.approvalId}`, { decision: 'approve' })
  await endedExecution(owner, decided.executionId)
  const { endedAt } = await currentApproval(owner, decided)
  expect(await listed(decided.executionId)).toEqual({ decidedApproval: { verdict: 'approved', endedAt } })
})

test('an approval whose details have the character NUL and a half of a character is listed and found as any other', async () => {
  const account = await server.registerAccount()
  const args = {
    approvers: [{ role: 'owner' }],
    excludeStarter: false,
    title: String.raw`Pay \u0000`,
    onDeadline: 'approve',
    deadline: 'PT1H',
  }
  const asked = await openApproval(account, { ...args, details: '${ [0, 55296, 92, 0] | implode }' })
  const expected = { id: asked.approvalId, title: args.title }
  expect((await account.client.approvals.list({ query: { for: 'all' } })).data).toMatchObject([expected])
  expect(await currentApproval(account, asked)).toMatchObject({ ...expected, details: expect.stringContaining('\0') })
  const db = server.database.system
  expect(await approvalTitles.find(db, account.accountId, 'pay')).toEqual([asked.approvalId])
  expect([...(await approvalTitles.of(db, account.accountId, [asked.approvalId])).values()]).toEqual([args.title])
  await makeOlder(server, asked, 3600)
  await endedExecution(account, asked.executionId)
  const { data } = await account.client.executions.search({ query: {} })
  expect(data).toMatchObject([{ id: asked.executionId, lapsedApproval: { onDeadline: 'approve' } }])
})
