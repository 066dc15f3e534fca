import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromTypeId, newId } from '#platform/ids.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { createApprovals } from '#modules/approvals/service.ts'
import {
  makeOlder,
  decideAs,
  approvalsOf,
  openApproval,
  type TestApproval,
  endedExecution,
  addMember,
  type Member,
  currentApproval,
  startWorkflow,
} from '#testing/approvals.ts'

let server: TestServer
let owner: TestAccount
const people: Member[] = []
beforeAll(async () => {
  server = await createTestServer()
  owner = await server.registerAccount()
  // One after another, as sign-in bears it.
  for (let count = 0; count < 5; count++) people.push(await addMember(server, owner, 'admin'))
})
afterAll(() => server.close())

const approve = { decision: 'approve' }
const reject = { decision: 'reject', reason: 'No.' }
const timeout = 60_000
const everything = { MILLRACE_ROLES: 'api,worker,scheduler' }

/** How often the execution was handed something for its approvals. */
async function handedOver({ executionId }: Pick<TestApproval, 'executionId'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from journal where execution_id = ${fromTypeId('exec', executionId)} and kind = 'message'`.execute(
    server.database.system,
  )
  return rows[0]?.count ?? -1
}

describe('at the same time', () => {
  test('two simultaneous decisions of two required ones are both recorded, with one verdict', async () => {
    const [ada, bob] = people
    if (ada === undefined || bob === undefined) throw new Error('there are five')
    const rounds = await Promise.all(Array.from({ length: 25 }, () => openApproval(owner, { approvers: [{ role: 'admin' }], required: 2 })))
    for (const asked of rounds) {
      const answers = await Promise.all([ada.decide(asked, approve), bob.decide(asked, approve)])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(answers.map(({ body }) => body.state).toSorted((one, other) => (one < other ? -1 : 1))).toEqual(['approved', 'open'])
    }
    for (const asked of rounds) {
      const { output } = await endedExecution(owner, asked.executionId)
      expect(output).toMatchObject({ approved: true, answers: [{ decision: 'approve' }, { decision: 'approve' }] })
      expect(await handedOver(asked)).toBe(1)
    }
  })

  test('of five simultaneous approvals with two required, two are recorded and three are refused as decided', async () => {
    for (let round = 0; round < 10; round++) {
      const asked = await openApproval(owner, { approvers: [{ role: 'admin' }], required: 2 })
      const answers = await Promise.all(people.map((one) => one.decide(asked, approve)))
      const codes = answers.map(({ status, body }) => (status === 200 ? 'taken' : body.code))
      expect(Object.groupBy(codes, (code) => code)).toMatchObject({ taken: { length: 2 }, approval_decided: { length: 3 } })
      expect((await currentApproval(owner, asked)).answers).toHaveLength(2)
      await endedExecution(owner, asked.executionId)
      expect(await handedOver(asked)).toBe(1)
    }
  })

  test('of a simultaneous approval and rejection the first one is the verdict, in the response and in the execution', async () => {
    const [ada, bob] = people
    if (ada === undefined || bob === undefined) throw new Error('there are five')
    for (let round = 0; round < 10; round++) {
      const asked = await openApproval(owner, { approvers: [{ role: 'admin' }] })
      const answers = await Promise.all([ada.decide(asked, approve), bob.decide(asked, reject)])
      const taken = answers.filter(({ status }) => status === 200)
      expect(taken).toHaveLength(1)
      const state: string = taken[0]?.body.state
      expect((await endedExecution(owner, asked.executionId)).output).toMatchObject({ outcome: state, approved: state === 'approved' })
    }
  })

  test('two simultaneous decisions of one person record one decision', async () => {
    const [ada] = people
    if (ada === undefined) throw new Error('there are five')
    const asked = await openApproval(owner, { approvers: [{ role: 'admin' }], required: 2 })
    const answers = await Promise.all(Array.from({ length: 8 }, () => ada.decide(asked, approve)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await currentApproval(owner, asked)).answers).toHaveLength(1)
  })

  test('of a deadline and a simultaneous decision exactly one takes effect', async () => {
    const [ada] = people
    for (let round = 0; round < 5; round++) {
      const asked = await openApproval(owner, { approvers: [{ role: 'admin' }], deadline: 'PT1H' })
      await makeOlder(server, asked, 3599.5)
      const answered = await ada?.decide(asked, approve)
      const { output } = await endedExecution(owner, asked.executionId)
      expect(output).toMatchObject({ outcome: answered?.status === 200 ? 'approved' : 'expired' })
      expect(await handedOver(asked)).toBe(1)
    }
  })

  test('with a simultaneous decision and cancellation the execution ends, and an accepted decision is stored', async () => {
    const [ada] = people
    for (let round = 0; round < 10; round++) {
      const asked = await openApproval(owner, { approvers: [{ role: 'admin' }] })
      const [answered] = await Promise.all([
        ada?.decide(asked, approve),
        owner.send('POST', `/api/v1/workflows/executions/${asked.executionId}/cancel`, undefined),
      ])
      await endedExecution(owner, asked.executionId)
      const { answers, state } = await currentApproval(owner, asked)
      expect([answers.length, state]).toEqual(answered?.status === 200 ? [1, 'approved'] : [0, 'closed'])
    }
  })
})

describe('a process that dies', () => {
  /** Answers as the server does, up to the commit: it dies before it resumes the execution. */
  async function answerAndDie(asked: TestApproval, person: Member | undefined, choice: 'approve' | 'reject'): Promise<void> {
    const service = createApprovals({
      database: server.database,
      engine: { sendMessage: () => Promise.reject(new Error('it is dead')) },
      files: { ofExecution: () => Promise.resolve([]) },
      now: () => new Date(),
      newId,
    })
    const [executionId = '', approvalId = ''] = [fromTypeId('exec', asked.executionId), fromTypeId('apr', asked.approvalId)]
    await server.database.account(owner.accountId, (tx) =>
      service.decide(
        tx,
        owner.accountId,
        { userId: person?.userId ?? '', role: 'admin' },
        { executionId, approvalId, given: { choice, reason: 'So.', data: undefined } },
      ),
    )
  }

  test('a process that dies between the verdict and its delivery loses nothing: another process delivers it, once', async () => {
    const asked = await openApproval(owner, { approvers: [{ role: 'admin' }] })
    await answerAndDie(asked, people[0], 'approve')
    expect(await currentApproval(owner, asked)).toMatchObject({ state: 'approved', answers: [{ decision: 'approve' }] })
    expect(await handedOver(asked)).toBe(0)
    expect((await people[1]?.decide(asked, reject))?.body).toMatchObject({ code: 'approval_decided', state: 'approved' })
    // It has ten seconds for it, which the approval has waited for then.
    await makeOlder(server, asked, 10)
    expect((await endedExecution(owner, asked.executionId)).output).toMatchObject({ approved: true, outcome: 'approved' })
    expect(await handedOver(asked)).toBe(1)
  })

  test('a process that dies after the delivery and before recording it causes no second delivery', async () => {
    const tasks = `do:
  - first: { call: approve, with: { title: First, approvers: [{ role: admin }] } }
  - second: { call: approve, with: { title: Second, approvers: [{ role: admin }] } }
`
    const executionId = await startWorkflow(owner, tasks)
    const [first] = await approvalsOf(owner, executionId, 1)
    const asked = { executionId, approvalId: first?.id ?? '' }
    await people[0]?.decide(asked, approve)
    await approvalsOf(owner, executionId, 2)
    // As if the resumption had not been recorded: the processor repeats it.
    await sql`update approvals set due_at = now() where id = ${fromTypeId('apr', asked.approvalId)}`.execute(server.database.system)
    const due = async () => {
      const { rows } = await sql`select from approvals where id = ${fromTypeId('apr', asked.approvalId)} and due_at is not null`.execute(
        server.database.system,
      )
      return rows.length
    }
    await expect.poll(due, { timeout }).toBe(0)
    expect(await handedOver(asked)).toBe(1)
    const [second] = await approvalsOf(owner, executionId, 2)
    expect(second).toMatchObject({ title: 'Second', state: 'open', answers: [] })
  })
})

test('an approval outlives a restart, and decisions before and after it count together', async () => {
  await using installation = await createTestServer({ MILLRACE_ROLES: 'api' })
  const account = await installation.registerAccount()
  const [ada, bob] = [await addMember(installation, account, 'admin'), await addMember(installation, account, 'admin')]
  const first = await installation.startSecond(everything)
  const asked = await openApproval(account, { approvers: [{ role: 'admin' }], required: 2 })
  expect((await decideAs(first.url, ada.token, asked, approve)).body).toMatchObject({ state: 'open' })
  await expect.poll(() => account.client.workflows.execution({ params: asked }), { timeout }).toMatchObject({ state: 'waiting' })
  await first.close()
  const second = await installation.startSecond(everything)
  expect((await decideAs(second.url, ada.token, asked, approve)).body).toMatchObject({ code: 'approval_answered' })
  expect((await decideAs(second.url, bob.token, asked, approve)).body).toMatchObject({ state: 'approved' })
  expect((await endedExecution(account, asked.executionId)).output).toMatchObject({ answers: [{ by: ada.email }, { by: bob.email }] })
})

test('an execution continues with the decisions that were made while all its processes were stopped', async () => {
  await using installation = await createTestServer({ MILLRACE_ROLES: 'api' })
  const account = await installation.registerAccount()
  const ada = await addMember(installation, account, 'admin')
  const worker = await installation.startSecond({ MILLRACE_ROLES: 'worker,scheduler' })
  const asked = await openApproval(account, { approvers: [{ role: 'admin' }] })
  await expect.poll(() => account.client.workflows.execution({ params: asked }), { timeout }).toMatchObject({ state: 'waiting' })
  await worker.close()
  expect((await ada.decide(asked, approve)).body).toMatchObject({ state: 'approved' })
  const { state } = await account.client.workflows.execution({ params: asked })
  expect(['waiting', 'pending']).toContain(state)
  await installation.startSecond({ MILLRACE_ROLES: 'worker,scheduler' })
  expect((await endedExecution(account, asked.executionId)).output).toMatchObject({ approved: true })
})
