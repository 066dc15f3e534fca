import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSmtpServer, type TestSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { hashOfToken, isToken, mintToken } from './link-token.ts'
import {
  makeOlder,
  approvalsOf,
  openApproval,
  endedExecution,
  callLink,
  addMember,
  mailingTo,
  mailsTo,
  currentApproval,
  startWorkflow,
  onlyApprovalOf,
} from '#testing/approvals.ts'

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
let outsiders = 0
const outsider = () => `outsider${++outsiders}@example.org`

/** Asks one person from outside, and gives the token of the mail that they got. */
async function linkTo(email: string, args = {}) {
  const asked = await openApproval(owner, { approvers: [email], ...args })
  const [mail] = await mailsTo(smtp, email)
  return { ...asked, token: mail?.token ?? '', mail }
}

describe('a mail', () => {
  test('a mail shows the question and the deadline, and has a link for its recipient alone', async () => {
    const [one, other] = [outsider(), outsider()]
    await openApproval(owner, {
      title: 'Pay invoice 4711',
      description: 'It is **late**.',
      details: { amount: 129900 },
      approvers: [`Ada Lovelace <${one}>`, other],
      required: 2,
      deadline: 'P2D',
    })
    const [mail] = await mailsTo(smtp, one)
    const [second] = await mailsTo(smtp, other)
    expect(mail?.subject).toBe('Approval needed: Pay invoice 4711')
    for (const part of ['Pay invoice 4711', 'It is **late**.', 'Amount: 129900', 'it will be rejected', 'Opening it decides nothing'])
      expect(mail?.text).toContain(part)
    expect(isToken(mail?.token ?? '')).toBe(true)
    expect(second?.token).not.toBe(mail?.token)
  })

  test('mails go to all users with the role, except those who may not decide', async () => {
    const [admin, member] = [await addMember(server, owner, 'admin'), await addMember(server, owner, 'member')]
    const asked = await openApproval(owner, { approvers: [{ role: 'admin' }] })
    await mailsTo(smtp, admin.email)
    const { mails } = await currentApproval(owner, asked)
    const recipients = mails.map(({ to }) => to)
    expect(recipients).toContain(admin.email)
    expect(recipients).not.toContain(member.email)
    expect(recipients).not.toContain(owner.email)
  })

  test('a mail is sent once and shown as sent', async () => {
    const email = outsider()
    const { mail: _mail, ...asked } = await linkTo(email)
    const mails = async () => (await currentApproval(owner, asked)).mails
    await expect.poll(mails).toEqual([{ to: email, kind: 'link', state: 'sent', attempts: 1, sentAt: expect.any(String), failure: null }])
    expect(await mailsTo(smtp, email)).toHaveLength(1)
  })
})

describe('a link', () => {
  test('a link shows the question, and opening it decides nothing', async () => {
    const email = outsider()
    const { token, ...asked } = await linkTo(email, { details: { a: 1 }, form: { type: 'object' } })
    for (let times = 0; times < 5; times++) {
      const { status, body, headers } = await callLink(server.url, token)
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(body).toMatchObject({ title: 'Release', state: 'open', email, answer: null, details: { a: 1 }, form: { type: 'object' } })
    }
    const head = await fetch(`${server.url}/api/v1/approvals/${token}`, { method: 'HEAD' })
    expect([200, 404]).toContain(head.status)
    expect(await currentApproval(owner, asked)).toMatchObject({ state: 'open', answers: [] })
  })

  test('a link lets a person without a user decide', async () => {
    const email = outsider()
    const { token, executionId } = await linkTo(email)
    const { status, body } = await callLink(server.url, token, { ...approve, reason: 'Fine.' })
    expect([status, body]).toMatchObject([
      200,
      { state: 'approved', answer: { by: email, decision: 'approve', via: 'link', reason: 'Fine.' } },
    ])
    expect((await endedExecution(owner, executionId)).output).toMatchObject({ approved: true, answers: [{ by: email, via: 'link' }] })
  })

  test('a link works once, and then shows the decision', async () => {
    const { token } = await linkTo(outsider())
    await callLink(server.url, token, { decision: 'reject', reason: 'No.' })
    const { status, body } = await callLink(server.url, token, approve)
    expect([status, body.code]).toEqual([409, 'approval_answered'])
    expect(body).toMatchObject({ state: 'rejected', answer: { decision: 'reject', reason: 'No.' } })
    expect((await callLink(server.url, token)).body).toMatchObject({ state: 'rejected', answer: { decision: 'reject' } })
  })

  test('a link works once under concurrent use', async () => {
    const { token, ...asked } = await linkTo(outsider())
    const answers = await Promise.all(Array.from({ length: 10 }, () => callLink(server.url, token, approve)))
    expect(Object.groupBy(answers, ({ status }) => status)).toMatchObject({ 200: { length: 1 }, 409: { length: 9 } })
    expect((await currentApproval(owner, asked)).answers).toHaveLength(1)
  })

  test('a user who decided by a link cannot decide again when signed in', async () => {
    const ada = await addMember(server, owner, 'member')
    const asked = await openApproval(owner, { approvers: [ada.id, outsider()], required: 2 })
    const [mail] = await mailsTo(smtp, ada.email)
    expect((await callLink(server.url, mail?.token ?? '', approve)).body).toMatchObject({ answer: { user: ada.id } })
    expect((await ada.decide(asked, approve)).body).toMatchObject({ status: 409, code: 'approval_answered' })
    const { rows } = await sql`select actor, details->>'via' as via from audit_events where target = ${asked.approvalId}`.execute(
      server.database.system,
    )
    expect(rows).toEqual([{ actor: `user:${ada.id}`, via: 'link' }])
  })

  test('a person who decided by a link and then joins the account cannot decide again when signed in', async () => {
    const email = outsider()
    const { token, executionId } = await linkTo(email, { approvers: [email, { role: 'admin' }], required: 2 })
    const { approvalId } = await onlyApprovalOf(owner, executionId)
    expect((await callLink(server.url, token, approve)).body).toMatchObject({ state: 'open', answer: { by: email } })
    const joined = await addMember(server, owner, 'admin')
    await sql`update users set email = ${email} where id = ${joined.userId}`.execute(server.database.system)
    const { data } = await joined.client.approvals.list({ query: { state: 'open' } })
    expect(data.map(({ id }) => id)).not.toContain(approvalId)
    expect((await joined.decide({ executionId, approvalId }, approve)).body).toMatchObject({ status: 409, code: 'approval_answered' })
    expect(await currentApproval(owner, { executionId, approvalId })).toMatchObject({ state: 'open', answers: [{ by: email }] })
  })

  test('an approval whose only approver is written in capital letters and has a link is not listed as one that no person can decide', async () => {
    const email = outsider().replace('outsider', 'Outsider')
    const { executionId } = await linkTo(email)
    const { approvalId } = await onlyApprovalOf(owner, executionId)
    const { data } = await owner.client.approvals.list({ query: { for: 'unassigned' } })
    expect(data.map(({ id }) => id)).not.toContain(approvalId)
  })

  test('a link is refused once its user has decided when signed in', async () => {
    const ada = await addMember(server, owner, 'member')
    const asked = await openApproval(owner, { approvers: [ada.email, outsider()], required: 2 })
    const [mail] = await mailsTo(smtp, ada.email)
    expect((await ada.decide(asked, approve)).status).toBe(200)
    expect((await callLink(server.url, mail?.token ?? '', approve)).status).toBe(409)
  })

  test('a link is refused once its user has lost the role or was deleted', async () => {
    const [ada, bob] = [await addMember(server, owner, 'admin'), await addMember(server, owner, 'admin')]
    await openApproval(owner, { approvers: [{ role: 'admin' }] })
    const [[toAda], [toBob]] = [await mailsTo(smtp, ada.email), await mailsTo(smtp, bob.email)]
    await sql`update users set role = 'member' where id = ${ada.userId}`.execute(server.database.system)
    await sql`delete from users where id = ${bob.userId}`.execute(server.database.system)
    expect((await callLink(server.url, toAda?.token ?? '', approve)).body).toMatchObject({ status: 403, code: 'forbidden' })
    expect((await callLink(server.url, toBob?.token ?? '', approve)).body).toMatchObject({ status: 403, code: 'forbidden' })
  })

  test('a link shows nothing of the approval to a person who was removed or is no approver any more', async () => {
    const [ada, bob] = [await addMember(server, owner, 'admin'), await addMember(server, owner, 'member')]
    const [other, next] = [outsider(), outsider()]
    const asked = await openApproval(owner, {
      title: 'Pay Ms Secret',
      approvers: [{ role: 'admin' }, bob.email, other],
      details: { secret: 1 },
      escalation: [{ after: 'PT1H', approvers: [{ role: 'admin' }, bob.email, next], replace: true }],
    })
    const tokens = await Promise.all([ada.email, bob.email, other].map(async (email) => (await mailsTo(smtp, email))[0]?.token ?? ''))
    for (const token of tokens) expect((await callLink(server.url, token)).body).toMatchObject({ details: { secret: 1 } })
    await sql`update users set role = 'member' where id = ${ada.userId}`.execute(server.database.system)
    await sql`delete from users where id = ${bob.userId}`.execute(server.database.system)
    await makeOlder(server, asked, 3600)
    for (const token of tokens) {
      const { status, body } = await callLink(server.url, token)
      expect([status, body.code]).toEqual([404, 'not_found'])
      expect(JSON.stringify(body)).not.toContain('ecret')
    }
  })

  test('a link shows the decision and not the question after its use, also while others are asked', async () => {
    const [one, other] = [outsider(), outsider()]
    await openApproval(owner, { approvers: [one, other], required: 2, details: { secret: 1 }, description: 'Hidden.' })
    const [mail] = await mailsTo(smtp, one)
    for (const body of [approve, undefined]) {
      const shown = (await callLink(server.url, mail?.token ?? '', body)).body
      expect(shown).toMatchObject({ state: 'open', answer: { decision: 'approve' }, description: null, form: null })
      expect(shown).not.toHaveProperty('details')
    }
  })

  test('a link of an ended approval shows the result and not the question', async () => {
    const [one, other] = [outsider(), outsider()]
    const asked = await openApproval(owner, { approvers: [one, other], details: { secret: 1 }, description: 'Hidden.' })
    const [[first], [second]] = [await mailsTo(smtp, one), await mailsTo(smtp, other)]
    await callLink(server.url, first?.token ?? '', approve)
    expect((await callLink(server.url, second?.token ?? '', approve)).body).toMatchObject({
      status: 409,
      code: 'approval_decided',
      state: 'approved',
    })
    const { body } = await callLink(server.url, second?.token ?? '')
    expect(body).toMatchObject({ state: 'approved', answer: null, description: null })
    expect(body).not.toHaveProperty('details')
    expect(asked.approvalId).toMatch(/^apr_/)
  })

  test('an unknown token and a malformed token are refused in the same way', async () => {
    const { token } = await linkTo(outsider())
    const forged = [`mla_${'A'.repeat(43)}`, token.slice(0, -1), `${token}A`, 'mla_', 'x'.repeat(100), hashOfToken(token).toString('hex')]
    for (const text of forged) {
      expect((await callLink(server.url, text)).body).toMatchObject({ status: 404, code: 'not_found' })
      expect((await callLink(server.url, text, approve)).body).toMatchObject({ status: 404, code: 'not_found' })
    }
  })

  test('the token of a sent link is neither in the database nor in the log', async () => {
    const { token, approvalId } = await linkTo(outsider())
    const left = async () => {
      const { rows } = await sql<{ text: string; sealed: number }>`
        select string_agg(m::text, ' ') as text, count(sealed_token)::int as sealed from approval_mails m`.execute(server.database.system)
      return rows[0]
    }
    await expect.poll(async () => (await left())?.sealed).toBe(0)
    await callLink(server.url, token, { decision: 'nothing' })
    const bytes = Buffer.from(token.slice('mla_'.length), 'base64url').toString('hex')
    expect((await left())?.text).not.toContain(token)
    expect((await left())?.text).not.toContain(bytes)
    expect((await left())?.text).not.toContain(Buffer.from(token).toString('hex'))
    expect(server.log.join()).not.toContain(token)
    expect(approvalId).toMatch(/^apr_/)
  })

  test('the page of a link has the fields of the form and of the reason', async () => {
    const { token } = await linkTo(outsider(), { form: { type: 'object', required: ['cost'] }, reason: 'approve' })
    expect((await callLink(server.url, token, approve)).body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/reason',
      '/data',
    ])
    expect((await callLink(server.url, token, { ...approve, reason: 'So.', data: { cost: 1 } })).status).toBe(200)
  })
})

test('tokens are 256 random bits', () => {
  const sizes: number[] = []
  const token = mintToken((size) => {
    sizes.push(size)
    return Buffer.alloc(size, 255)
  })
  expect(sizes).toEqual([32])
  expect(token).toBe(`mla_${'_'.repeat(42)}8`)
  expect(isToken(token)).toBe(true)
})

describe('until there is a decision', () => {
  test('an escalation adds approvers, and recipients of notices get no link', async () => {
    const [one, other, boss] = [outsider(), outsider(), outsider()]
    const escalation = [{ after: 'PT1H', approvers: [other], notify: [boss] }]
    const asked = await openApproval(owner, { approvers: [one], escalation })
    const [first] = await mailsTo(smtp, one)
    expect(smtp.deliveries.flatMap(({ recipients }) => recipients)).not.toContain(other)
    await makeOlder(server, asked, 3600)
    const [second] = await mailsTo(smtp, other)
    const [notice] = await mailsTo(smtp, boss)
    expect(notice).toMatchObject({ subject: 'Not decided yet: Release', token: '' })
    expect((await currentApproval(owner, asked)).approvers).toEqual([one, other])
    expect((await callLink(server.url, second?.token ?? '', approve)).status).toBe(200)
    expect((await callLink(server.url, first?.token ?? '', approve)).body).toMatchObject({ code: 'approval_decided' })
    expect(await mailsTo(smtp, one)).toHaveLength(1)
  })

  test('after an escalation that replaces approvers, the earlier links are refused', async () => {
    const [one, other] = [outsider(), outsider()]
    const asked = await openApproval(owner, { approvers: [one], escalation: [{ after: 'PT1H', approvers: [other], replace: true }] })
    const [first] = await mailsTo(smtp, one)
    await makeOlder(server, asked, 3600)
    expect((await callLink(server.url, first?.token ?? '', approve)).body).toMatchObject({ status: 403, code: 'forbidden' })
    const [second] = await mailsTo(smtp, other)
    expect((await callLink(server.url, second?.token ?? '', approve)).status).toBe(200)
  })

  test.each([
    ['reject', false],
    ['approve', true],
  ])('the deadline decides to %s', async (onDeadline, approved) => {
    const email = outsider()
    const { token, ...asked } = await linkTo(email, { deadline: 'PT1H', onDeadline })
    await makeOlder(server, asked, 3600)
    const { output } = await endedExecution(owner, asked.executionId)
    expect(output).toMatchObject({ approved, outcome: 'expired', answers: [] })
    expect(await currentApproval(owner, asked)).toMatchObject({ state: 'expired', deadlineAt: expect.any(String) })
    expect((await callLink(server.url, token, approve)).body).toMatchObject({ status: 409, code: 'approval_decided', state: 'expired' })
  })

  test('the deadline fails the task with an error that a workflow can catch, and a retry opens a new approval', async () => {
    const late = 'urgent@example.org'
    const asks = `call: approve, with: { title: Urgent, approvers: [${late}], deadline: PT1H, onDeadline: fail }`
    const caught = await startWorkflow(
      owner,
      `do:\n  - guarded:\n      try: [{ ask: { ${asks} } }]\n      catch: { errors: { with: { status: 408 } }, do: [{ late: { set: { late: true } } }] }\n`,
    )
    await makeOlder(server, await onlyApprovalOf(owner, caught), 3600)
    expect((await endedExecution(owner, caught)).output).toEqual({ late: true })
    const failing = await startWorkflow(owner, `do:\n  - ask: { ${asks} }\n`)
    const asked = await onlyApprovalOf(owner, failing)
    await makeOlder(server, asked, 3600)
    expect(await endedExecution(owner, failing)).toMatchObject({
      state: 'faulted',
      error: { status: 408, detail: expect.stringContaining('Urgent') },
    })
    expect(await currentApproval(owner, asked)).toMatchObject({ state: 'expired' })
    const retried = await owner.client.executions.retry({ params: { executionId: failing }, body: {} })
    expect(await approvalsOf(owner, retried.id, 1)).toMatchObject([{ state: 'open' }])
  })

  test('the output at the deadline contains the earlier decisions', async () => {
    const [ada, other] = [await addMember(server, owner, 'member'), outsider()]
    const asked = await openApproval(owner, { approvers: [ada.email, other], required: 2, deadline: 'PT1H' })
    await ada.decide(asked, approve)
    await makeOlder(server, asked, 3600)
    expect((await endedExecution(owner, asked.executionId)).output).toMatchObject({
      approved: false,
      outcome: 'expired',
      answers: [{ by: ada.email }],
    })
  })
})

test('each of several approvals of one execution is decided by its own links', async () => {
  const [one, other] = [outsider(), outsider()]
  const tasks = `do:
  - both:
      fork:
        branches:
          - first: { call: approve, with: { title: First, approvers: [${one}] } }
          - second: { call: approve, with: { title: Second, approvers: [${other}] } }
`
  const executionId = await startWorkflow(owner, tasks)
  const [[first], [second]] = [await mailsTo(smtp, one), await mailsTo(smtp, other)]
  expect([first?.subject, second?.subject]).toEqual(['Approval needed: First', 'Approval needed: Second'])
  await callLink(server.url, second?.token ?? '', { decision: 'reject', reason: 'No.' })
  await callLink(server.url, first?.token ?? '', approve)
  expect((await endedExecution(owner, executionId)).output).toMatchObject([{ approved: true }, { approved: false }])
})
