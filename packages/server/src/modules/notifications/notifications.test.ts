import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { createJobs } from '#platform/jobs/jobs.ts'
import { startSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { addMember, mailingTo, openApproval } from '#testing/approvals.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { sendDueDigests } from './digest.ts'
import { atOnceMax, readDigest, recordDigest, takeDueDigests } from './digest-store.ts'
import { notify } from './notify.ts'

const path = '/api/v1/notifications'

let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let server: TestServer
beforeAll(async () => {
  smtp = await startSmtpServer()
  server = await createTestServer(mailingTo(smtp))
})
afterAll(async () => {
  await server.close()
  await smtp[Symbol.asyncDispose]()
})

const note = (account: TestAccount, more: object = {}) =>
  notify(server.database.system, { accountId: account.accountId, roles: ['owner'], kind: 'system.notice', title: 'A', ...more })

test('repetitions of a cause raise the count of the unread notification, and a cause that recurs after it was read makes a new one', async () => {
  const account = await server.registerAccount()
  await note(account, { groupKey: 'one', title: 'first' })
  await note(account, { groupKey: 'one', title: 'second' })
  await note(account, { groupKey: 'other' })
  const { body } = await account.send('GET', path)
  expect(body).toMatchObject({
    unreadCount: 2,
    data: [
      { title: 'A', count: 1 },
      { title: 'second', count: 2, read: false },
    ],
  })
  const { id } = body.data[1]
  expect((await account.send('PATCH', `${path}/${id}/read`)).body).toMatchObject({ id, read: true })
  await note(account, { groupKey: 'one', title: 'third' })
  expect((await account.send('GET', `${path}?unread=true`)).body.data).toMatchObject([{ title: 'third', count: 1 }, { title: 'A' }])
  expect(await account.send('PATCH', `${path}/${id}/read`, { read: false })).toMatchObject({ status: 409, body: { code: 'conflict' } })
})

test('a notification is not there if its transaction is rolled back', async () => {
  const account = await server.registerAccount()
  const failing = server.database.account(account.accountId, async (tx) => {
    await notify(tx, { accountId: account.accountId, roles: ['owner'], kind: 'system.notice', title: 'lost' })
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect((await account.send('GET', path)).body).toEqual({ data: [], nextCursor: null, unreadCount: 0 })
})

test('a user sees and marks only notifications of their own', async () => {
  const account = await server.registerAccount()
  const member = await addMember(server, account)
  const outsider = await server.registerAccount()
  await note(account)
  const { id } = (await account.send('GET', path)).body.data[0]
  expect((await member.client.notifications.list()).data).toEqual([])
  expect((await outsider.send('PATCH', `${path}/${id}/read`)).status).toBe(404)
  await expect(member.client.notifications.read({ params: { id }, body: {} })).rejects.toMatchObject({ status: 404 })
  expect((await member.client.notifications.readAll({ body: {} })).updated).toBe(0)
  expect((await account.send('GET', path)).body.unreadCount).toBe(1)
})

test('pages follow one another without gaps, and all notifications of a kind become read at once', async () => {
  const account = await server.registerAccount()
  for (let i = 0; i < 5; i++) await note(account, { title: `${i}` })
  await note(account, { kind: 'trigger.paused', title: 'paused' })
  const first = (await account.send('GET', `${path}?limit=4`)).body
  const second = (await account.send('GET', `${path}?limit=4&cursor=${first.nextCursor}`)).body
  expect([...first.data, ...second.data].map(({ title }) => title)).toEqual(['paused', '4', '3', '2', '1', '0'])
  expect(second.nextCursor).toBeNull()
  expect((await account.send('PATCH', `${path}/read-all`, { kind: 'system.notice' })).body).toEqual({ updated: 5, unreadCount: 1 })
  expect((await account.send('GET', `${path}?cursor=bm8`)).body).toMatchObject({ code: 'request_invalid' })
})

test('preferences decide where a kind appears, and security events cannot be hidden', async () => {
  const account = await server.registerAccount()
  const changed = await account.send('PUT', `${path}/preferences`, { kinds: [{ kind: 'system.notice', inApp: false }] })
  expect(changed.body).toMatchObject({ digestMinutes: 60, mailConfigured: true })
  expect(changed.body.kinds).toContainEqual({ kind: 'system.notice', inApp: false, mail: false, webhook: false })
  await note(account)
  expect((await account.send('GET', path)).body.data).toEqual([])
  expect(await account.send('PUT', `${path}/preferences`, { kinds: [{ kind: 'security.event', inApp: false }] })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/kinds/0/inApp' }] },
  })
})

const mailsOf = (account: TestAccount) =>
  smtp.deliveries
    .filter(({ recipients, mail }) => recipients.includes(account.email) && mail.subject !== 'Confirm your e-mail address')
    .map(({ mail }) => mail)

/** What maintenance does each minute. */
async function sendDue(): Promise<void> {
  const db = server.database.system
  const boss = new PgBoss({ connectionString: server.databaseUrl, schema: 'pgboss', supervise: false, schedule: false, max: 2 })
  await boss.start()
  await sendDueDigests({ db, jobs: createJobs({ boss, db, newId }) })
  await boss.stop({ graceful: false })
}

const isDue = async ({ userId }: TestAccount) =>
  (await takeDueDigests(server.database.system, 100)).some((recipient) => recipient.userId === userId)

const read = async (account: TestAccount, title: string) => {
  const { data } = (await account.send('GET', `${path}?unread=true`)).body
  const { id } = data.find((one: { title: string }) => one.title === title)
  await account.send('PATCH', `${path}/${id}/read`)
}

test('unread notifications are mailed once, in one mail', async () => {
  const account = await server.registerAccount()
  await account.send('PUT', `${path}/preferences`, { kinds: [{ kind: 'system.notice', mail: true }] })
  await note(account, { title: 'Orders: out of stock', groupKey: 'stock', link: '/runs/1' })
  await note(account, { title: 'Orders: out of stock', groupKey: 'stock', link: '/runs/2' })
  await note(account, { title: 'Read already' })
  await read(account, 'Read already')
  await sendDue()
  await expect.poll(() => mailsOf(account).length).toBe(1)
  expect(mailsOf(account)[0]?.subject).toBe('Orders: out of stock')
  expect(mailsOf(account)[0]?.text).toContain('(2 times)')
  expect(mailsOf(account)[0]?.text).toContain('http://millrace.example/runs/2')
  await expect.poll(() => isDue(account)).toBe(false)
})

test('a cause whose title has line breaks is mailed, also to a user whose name has one', async () => {
  const account = await server.registerAccount()
  await account.send('PUT', `${path}/preferences`, { kinds: [{ kind: 'system.notice', mail: true }] })
  await sql`update users set name = ${'Ada\nLovelace'} where id = ${account.userId}`.execute(server.database.system)
  await note(account, { title: 'Orders: 502\r\nBad Gateway\n' })
  await sendDue()
  await expect.poll(() => mailsOf(account).map(({ subject }) => subject)).toEqual(['Orders: 502 Bad Gateway'])
  expect((await account.send('GET', path)).body.data).toMatchObject([{ title: 'Orders: 502 Bad Gateway' }])
})

test('after a mail, the first occurrence of another cause is mailed at once, and repetitions wait for the digest', async () => {
  const account = await server.registerAccount()
  const db = server.database.system
  await account.send('PUT', `${path}/preferences`, { kinds: [{ kind: 'system.notice', mail: true }] })
  await note(account, { title: 'one', groupKey: 'one' })
  await sendDue()
  await expect.poll(() => mailsOf(account).length).toBe(1)
  await read(account, 'one')
  await note(account, { title: 'one', groupKey: 'one' })
  expect(await isDue(account)).toBe(false)
  await note(account, { title: 'two', groupKey: 'two' })
  await sendDue()
  await expect.poll(() => mailsOf(account).map(({ subject }) => subject)).toEqual(['one', 'two (and 1 more)'])
  await expect.poll(() => isDue(account)).toBe(false)
  for (let repeated = 0; repeated < 3; repeated++) await note(account, { title: 'two', groupKey: 'two' })
  await sql`update notification_digests set last_sent_at = now() - interval '61 minutes' where user_id = ${account.userId}`.execute(db)
  expect(await isDue(account)).toBe(false)
})

test('many causes at a time make few mails, and a user may have digests alone', async () => {
  const account = await server.registerAccount()
  const { accountId, userId } = account
  const db = server.database.system
  await account.send('PUT', `${path}/preferences`, { kinds: [{ kind: 'system.notice', mail: true }] })
  let mails = 0
  for (let cause = 0; cause < 20; cause++) {
    await note(account, { groupKey: `cause ${cause}` })
    const digest = await readDigest(db, { accountId, userId }, 30)
    if (digest !== undefined) await recordDigest(db, { accountId, userId }, digest)
    mails += digest === undefined ? 0 : 1
  }
  expect(mails).toBe(1 + atOnceMax)
  await sql`update notification_digests set sent_at_once = 0 where user_id = ${userId}`.execute(db)
  expect(await isDue(account)).toBe(true)
  expect((await account.send('PUT', `${path}/preferences`, { firstAtOnce: false })).body).toMatchObject({ firstAtOnce: false })
  expect(await isDue(account)).toBe(false)
})

test('an approver is notified of an approval', async () => {
  const account = await server.registerAccount()
  const { approvalId } = await openApproval(account, { approvers: [{ role: 'owner' }], excludeStarter: false })
  await expect
    .poll(async () => (await account.send('GET', path)).body.data)
    .toMatchObject([{ kind: 'approval.waiting', link: `/approvals/${approvalId}` }])
})

test('the notification of an approval is read for who has decided, and for all once no one is asked any more', async () => {
  const account = await server.registerAccount()
  const [ada, eve, carl] = [await addMember(server, account), await addMember(server, account), await addMember(server, account)]
  const people = [ada, eve, carl]
  const isUnread = async () =>
    Promise.all(people.map(async ({ client }) => (await client.notifications.list({ query: { unread: 'true' } })).data.length > 0))
  const asked = await openApproval(account, { approvers: people.map(({ id }) => id), required: 2 })
  await expect.poll(isUnread).toEqual([true, true, true])
  await ada.decide(asked, { decision: 'approve' })
  expect(await isUnread()).toEqual([false, true, true])
  await eve.decide(asked, { decision: 'approve' })
  await expect.poll(isUnread).toEqual([false, false, false])
  const { rows } = await sql`select from notifications where account_id = ${account.accountId} and mail_due_since is not null`.execute(
    server.database.system,
  )
  expect(rows).toEqual([])

  const cancelled = await openApproval(account, { approvers: [ada.id] })
  await expect.poll(isUnread).toEqual([true, false, false])
  await account.send('POST', `/api/v1/workflows/executions/${cancelled.executionId}/cancel`)
  await expect.poll(isUnread).toEqual([false, false, false])
})
