import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSmtpServer, type TestSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { addMember, currentApproval, mailingTo, mailsTo, makeOlder, openApproval, type TestApproval } from '#testing/approvals.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let smtp: TestSmtpServer
let mailing: TestServer
let mute: TestServer
beforeAll(async () => {
  smtp = await startSmtpServer({
    onRcptTo: ({ address }, _session, callback) =>
      callback(address.startsWith('gone') ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : undefined),
  })
  mailing = await createTestServer(mailingTo(smtp))
  mute = await createTestServer()
})
afterAll(async () => {
  await Promise.all([mailing.close(), mute.close()])
  await smtp[Symbol.asyncDispose]()
})

const outside = 'legal@outside.example'
const obstacleOf = async (account: TestAccount, asked: TestApproval) => (await currentApproval(account, asked)).obstacle
const unassigned = async ({ client }: TestAccount) =>
  (await client.approvals.list({ query: { for: 'unassigned' } })).data.map(({ id }) => id)

test('an approval whose only approver is the starter, whom it excludes, says that no one can decide', async () => {
  const account = await mute.registerAccount()
  const alone = await openApproval(account, { approvers: [account.email] })
  expect(await obstacleOf(account, alone)).toBe('no_one')
  const included = await openApproval(account, { approvers: [account.email], excludeStarter: false })
  expect(await obstacleOf(account, included)).toBeUndefined()
  const later = await openApproval(account, {
    approvers: [account.email],
    escalation: [{ after: 'PT1H', approvers: [{ role: 'member' }] }],
  })
  expect(await obstacleOf(account, later)).toBe('no_one')
  await addMember(mute, account)
  await makeOlder(mute, later, 3600)
  expect(await obstacleOf(account, later)).toBeUndefined()
})

test('a person from outside decides where the installation sends mail, and not where it sends none or the mail is refused for good', async () => {
  const [unmailed, mailed] = [await mute.registerAccount(), await mailing.registerAccount()]
  expect(await obstacleOf(unmailed, await openApproval(unmailed, { approvers: [outside] }))).toBe('no_one')
  const sent = await openApproval(mailed, { approvers: [outside] })
  expect(await obstacleOf(mailed, sent)).toBeUndefined()
  await mailsTo(smtp, outside)
  expect(await obstacleOf(mailed, sent)).toBeUndefined()
  const refused = await openApproval(mailed, { approvers: ['gone@outside.example'] })
  await expect.poll(() => obstacleOf(mailed, refused), { timeout: 30_000 }).toBe('no_one')
  expect(await unassigned(mailed)).toEqual([refused.approvalId])
})

test('an approval that requires more people than are left says so, until a person is added, and not after its end', async () => {
  const account = await mute.registerAccount()
  const [ada, bob] = [await addMember(mute, account), await addMember(mute, account)]
  const asked = await openApproval(account, { approvers: [ada.email, bob.email], required: 3, veto: false })
  expect(await obstacleOf(account, asked)).toBe('too_few')
  const byRole = await openApproval(account, { approvers: [{ role: 'member' }], required: 2, excludeStarter: true })
  expect((await ada.decide(byRole, { decision: 'approve' })).body.obstacle).toBeUndefined()
  await sql`delete from users where id = ${bob.userId}`.execute(mute.database.system)
  expect(await obstacleOf(account, byRole)).toBe('no_one')
  expect((await ada.decide(asked, { decision: 'reject', reason: 'No one else is left.' })).body).toMatchObject({ state: 'rejected' })
  expect(await obstacleOf(account, asked)).toBeUndefined()
})
