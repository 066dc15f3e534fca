import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSmtpServer, type TestSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import {
  addMember,
  callLink,
  currentApproval,
  endedExecution,
  mailingTo,
  mailsTo,
  type Member,
  openApproval,
  type TestApproval,
} from '#testing/approvals.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let smtp: TestSmtpServer
let server: TestServer
let owner: TestAccount
beforeAll(async () => {
  smtp = await startSmtpServer()
  server = await createTestServer(mailingTo(smtp))
  owner = await server.registerAccount()
})
afterAll(async () => {
  await server.close()
  await smtp[Symbol.asyncDispose]()
})

const approve = { decision: 'approve' }
const remove = ({ id }: Member) => owner.send('DELETE', `/api/v1/account/users/${id}`)
const idsOf = async (query: string) => {
  const { body } = await owner.send('GET', `/api/v1/approvals?${query}`)
  return body.data.map(({ id }: { readonly id: string }) => id)
}
const reassign = ({ executionId, approvalId }: TestApproval, body: object) =>
  owner.send('POST', `/api/v1/workflows/executions/${executionId}/approvals/${approvalId}/reassign`, body)

test('an auditor decides nothing, neither named nor by a role nor in place of others, and what waits for one is found as undecidable', async () => {
  const [auditor, kim] = [await addMember(server, owner, 'auditor'), await addMember(server, owner, 'member')]
  const byName = await openApproval(owner, { approvers: [auditor.email] })
  const byRole = await openApproval(owner, { approvers: [{ role: 'viewer' }, auditor.id] })
  for (const asked of [byName, byRole]) expect((await auditor.decide(asked, approve)).status).toBe(403)
  expect((await auditor.client.approvals.list({})).data).toEqual([])
  await expect.poll(() => idsOf('for=unassigned')).toEqual([byName.approvalId])
  expect(await reassign(byName, { to: auditor.id })).toMatchObject({ status: 409, body: { detail: expect.stringContaining('auditor') } })
  expect((await reassign(byName, { to: kim.id })).status).toBe(200)
  expect((await kim.decide(byName, approve)).status).toBe(200)
  expect((await kim.decide(byRole, approve)).status).toBe(200)
  expect(smtp.deliveries.flatMap(({ recipients }) => recipients)).not.toContain(auditor.email)
  await remove(kim)
})

test('approvals that only a removed user could decide are found before and after the removal, and decided by another user', async () => {
  const [lee, kim] = [await addMember(server, owner, 'member'), await addMember(server, owner, 'member')]
  const asked = await openApproval(owner, { approvers: [lee.email] })
  const shared = await openApproval(owner, { approvers: [lee.email, kim.id] })
  const outside = await openApproval(owner, { approvers: [lee.id, 'outside@example.org'] })
  const [toLee] = await mailsTo(smtp, lee.email, 3)
  await mailsTo(smtp, 'outside@example.org')
  expect(await idsOf(`onlyBy=${lee.id}`)).toEqual([asked.approvalId])
  expect(await idsOf(`onlyBy=${kim.id}`)).toEqual([])
  expect(await idsOf('for=unassigned')).toEqual([])
  expect((await remove(lee)).status).toBe(200)
  expect(await idsOf('for=unassigned')).toEqual([asked.approvalId])

  const { status, body } = await reassign(asked, { to: kim.id })
  expect([status, body.approvers, body.mayDecide]).toEqual([200, [kim.id], false])
  expect(await idsOf('for=unassigned')).toEqual([])
  const listed = (await kim.client.approvals.list({})).data.map(({ id }) => id)
  expect(listed.toSorted()).toEqual([asked.approvalId, shared.approvalId].toSorted())
  expect(outside.approvalId).not.toBe(asked.approvalId)
  const mails = await mailsTo(smtp, kim.email, 2)
  expect((await callLink(server.url, toLee?.token ?? '')).status).toBe(404)
  expect(mails).toHaveLength(2)
  expect((await kim.decide(asked, approve)).status).toBe(200)
  expect((await endedExecution(owner, asked.executionId)).output).toMatchObject({ approved: true, answers: [{ by: kim.email }] })
  const { rows } =
    await sql`select details->>'to' as to, details->>'from' as from from audit_events where target = ${asked.approvalId} and event = 'approval.reassigned'`.execute(
      server.database.system,
    )
  expect(rows).toEqual([{ to: kim.id, from: lee.email }])
})

test('an approver that is named is replaced: the earlier one cannot decide any more, and every approver is seen to be able to or not', async () => {
  const [lee, kim] = [await addMember(server, owner, 'member'), await addMember(server, owner, 'member')]
  const asked = await openApproval(owner, { approvers: [lee.email] })
  const mayDecide = async ({ client }: Pick<Member, 'client'>) => (await currentApproval({ client }, asked)).mayDecide
  expect([await mayDecide(lee), await mayDecide(kim), await mayDecide(owner)]).toEqual([true, false, false])
  expect((await reassign(asked, { to: kim.id })).body).toMatchObject({ status: 409, code: 'conflict' })
  expect((await reassign(asked, { to: kim.id, from: 'no@example.com' })).body).toMatchObject({ status: 409, code: 'conflict' })
  expect((await reassign(asked, { to: kim.id, from: lee.email })).status).toBe(200)
  expect([await mayDecide(lee), await mayDecide(kim)]).toEqual([false, true])
  expect((await lee.decide(asked, approve)).body).toMatchObject({ status: 403, code: 'forbidden' })
  expect((await kim.decide(asked, approve)).status).toBe(200)
  expect(await mayDecide(kim)).toBe(false)
  expect((await reassign(asked, { to: lee.id })).body).toMatchObject({ status: 409, code: 'approval_decided' })
})

test('an approval is not reassigned by members, to the starter whom it excludes, to an unknown user, or to a user of another account', async () => {
  const lee = await addMember(server, owner, 'member')
  const asked = await openApproval(owner, { approvers: [lee.email] })
  const me = String((await owner.send('GET', '/api/v1/auth/me')).body.id)
  const other = await server.registerAccount()
  const foreigner = String((await other.send('GET', '/api/v1/auth/me')).body.id)
  expect((await reassign(asked, { to: me, from: lee.email })).body).toMatchObject({ status: 409, code: 'conflict' })
  expect((await reassign(asked, { to: foreigner, from: lee.email })).body).toMatchObject({ status: 404 })
  const params = { executionId: asked.executionId, approvalId: asked.approvalId }
  await expect(lee.client.approvals.reassign({ params, body: { to: lee.id } })).rejects.toMatchObject({
    problem: { code: 'insufficient_role' },
  })
  for (const query of ['for=unassigned', `onlyBy=${lee.id}`]) {
    const { status } = await fetch(`${server.url}/api/v1/approvals?${query}`, { headers: { authorization: `Bearer ${lee.token}` } })
    expect(status).toBe(403)
  }
})

test('an administrator replaces neither a stronger role, nor an approver who can still decide by themselves', async () => {
  const [admin, kim] = [await addMember(server, owner, 'admin'), await addMember(server, owner, 'member')]
  const byAdmin = ({ executionId, approvalId }: TestApproval, body: { to: string; from?: string }) =>
    admin.client.approvals.reassign({ params: { executionId, approvalId }, body })
  const refused = { problem: { status: 403, code: 'forbidden' } }
  const ofOwners = await openApproval(owner, { approvers: [{ role: 'owner' }], excludeStarter: false })
  for (const to of [admin.id, kim.id]) await expect(byAdmin(ofOwners, { to, from: 'role:owner' })).rejects.toMatchObject(refused)
  expect((await currentApproval(owner, ofOwners)).approvers).toEqual(['role:owner'])
  expect((await reassign(ofOwners, { to: kim.id, from: 'role:owner' })).status).toBe(200)

  const ofKim = await openApproval(owner, { approvers: [kim.email] })
  await expect(byAdmin(ofKim, { to: admin.id, from: kim.email })).rejects.toMatchObject(refused)
  expect((await admin.decide(ofKim, approve)).status).toBe(403)
  await remove(kim)
  await byAdmin(ofKim, { to: admin.id })
  expect((await admin.decide(ofKim, approve)).status).toBe(200)

  const starterOnly = await openApproval(owner, { approvers: [{ role: 'owner' }] })
  await expect(byAdmin(starterOnly, { to: admin.id })).rejects.toMatchObject(refused)
})

test('an approval of a role is reassigned once no user with it may decide', async () => {
  const lonely = await server.registerAccount()
  const asked = await openApproval(lonely, { approvers: [{ role: 'admin' }] })
  const kim = await addMember(server, lonely, 'member')
  await expect
    .poll(async () => (await lonely.client.approvals.list({ query: { for: 'unassigned' } })).data.map(({ id }) => id))
    .toEqual([asked.approvalId])
  const params = { executionId: asked.executionId, approvalId: asked.approvalId }
  expect((await lonely.client.approvals.reassign({ params, body: { to: kim.id } })).approvers).toEqual([kim.id])
  expect((await kim.decide(asked, approve)).status).toBe(200)
})

test('a removal that names another user hands over what the removed one alone could decide, with both in the audit log', async () => {
  const [lee, kim] = [await addMember(server, owner, 'member'), await addMember(server, owner, 'member')]
  const asked = [await openApproval(owner, { approvers: [lee.email] }), await openApproval(owner, { approvers: [lee.id] })]
  const shared = await openApproval(owner, { approvers: [lee.email, kim.id] })
  const { status, body } = await owner.send('DELETE', `/api/v1/account/users/${lee.id}?reassignTo=${kim.id}`)
  expect([status, body.reassigned.toSorted()]).toEqual([200, asked.map(({ approvalId }) => approvalId).toSorted()])
  for (const one of asked) expect((await kim.decide(one, approve)).status).toBe(200)
  expect((await kim.decide(shared, approve)).status).toBe(200)
  const { body: log } = await owner.send('GET', '/api/v1/audit/query?limit=20')
  const events = log.data.map(({ event, target, details }: Record<string, unknown>) => ({ event, target, details }))
  expect(events).toContainEqual({
    event: 'user.removed',
    target: lee.id,
    details: { name: expect.any(String), email: lee.email, reassignedTo: kim.id },
  })
  for (const { approvalId, executionId } of asked)
    expect(events).toContainEqual({
      event: 'approval.reassigned',
      target: approvalId,
      details: { executionId, from: lee.id, to: kim.id },
    })
})

test('a removal removes no one if the other user cannot decide one of the approvals', async () => {
  const [lee, kim] = [await addMember(server, owner, 'member'), await addMember(server, owner, 'member')]
  const decidable = await openApproval(owner, { title: 'First', approvers: [lee.email] })
  const started = await openApproval({ ...owner, client: kim.client }, { title: 'Started by Kim', approvers: [lee.email] })
  const removal = (to: string) => owner.send('DELETE', `/api/v1/account/users/${lee.id}?reassignTo=${to}`)
  const refused = await removal(kim.id)
  expect(refused).toMatchObject({ status: 409, body: { code: 'conflict', detail: expect.stringContaining('Started by Kim') } })
  expect((await removal(lee.id)).status).toBe(409)
  expect((await removal('usr_01jd0000000000000000000000')).status).toBe(409)
  expect((await lee.decide(started, approve)).status).toBe(200)
  expect((await currentApproval(owner, decidable)).approvers).toEqual([lee.email])
})

test('a removal that names another user leaves what people from outside or others can decide, also before they have their mails', async () => {
  const [lee, kim] = [await addMember(server, owner, 'member'), await addMember(server, owner, 'admin')]
  const left = [
    await openApproval(owner, { approvers: [lee.email, 'partner@example.org'] }),
    await openApproval(owner, { approvers: [lee.email, { role: 'admin' }] }),
  ]
  const { body } = await owner.send('DELETE', `/api/v1/account/users/${lee.id}?reassignTo=${kim.id}`)
  expect(body.reassigned).toEqual([])
  const approvers = await Promise.all(left.map(async (asked) => (await currentApproval(owner, asked)).approvers))
  expect(approvers).toEqual([
    [lee.email, 'partner@example.org'],
    [lee.email, 'role:admin'],
  ])
})
