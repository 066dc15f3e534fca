import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { newId } from '#platform/ids.ts'
import { addMember } from '#testing/approvals.ts'
import { createTestDatabase } from '#testing/database.ts'
import { createTestServer } from '#testing/server.ts'
import { takeDueDigests } from './digest-store.ts'
import { writeDigestInterval, writePreference } from './notification-store.ts'
import { notify } from './notify.ts'
import { claimWebhooks, writeWebhook } from './webhook-store.ts'

type Db = Kysely<Rows>

/** A notification that waits for a mail and for a URL. */
async function insertWaiting(db: Db, { accountId, userId }: { accountId: string; userId: string }, waitsSince = '1 hour'): Promise<void> {
  await writeWebhook(db, { accountId, userId }, { format: 'standard', sealed: Buffer.from('x'), at: new Date() })
  await sql`
    insert into notifications (id, account_id, user_id, kind, title, body, in_app, mail_due_since, webhook_due_since, created_at, last_at)
    values (${newId()}, ${accountId}, ${userId}, 'quota.near', 'A', '', true, now() - ${waitsSince}::interval, now(), now(), now())`.execute(
    db,
  )
}

async function insertUser(db: Db, accountId: string, userId: string): Promise<void> {
  await sql`insert into accounts (id, name) values (${accountId}, 'A') on conflict do nothing`.execute(db)
  await sql`
    insert into users (id, account_id, email, role, created_at) values (${userId}, ${accountId}, ${`${userId}@example.com`}, 'member', now())`.execute(
    db,
  )
}

test('a user who is removed loses notifications and settings, and others keep theirs', async () => {
  await using server = await createTestServer({ MILLRACE_ROLES: 'api' })
  const db = server.database.system
  const account = await server.registerAccount()
  const member = await addMember(server, account)
  const { accountId } = account
  for (const { userId } of [member, account]) {
    await writeWebhook(db, { accountId, userId }, { format: 'standard', sealed: Buffer.from('x'), at: new Date() })
    await writePreference(db, accountId, userId, { kind: 'quota.near', inApp: false, mail: true, webhook: true })
    await writeDigestInterval(db, accountId, userId, 30)
    await notify(db, { accountId, userIds: [userId], kind: 'quota.near', title: 'outside of the list' })
    await notify(db, { accountId, userIds: [userId], kind: 'execution.faulted', title: 'in the list' })
  }
  const countsOf = async (userId: string) => {
    const counts: number[] = []
    for (const table of ['notifications', 'notification_webhooks', 'notification_preferences', 'notification_digests'])
      counts.push((await sql`select from ${sql.table(table)} where user_id = ${userId}`.execute(db)).rows.length)
    return counts
  }
  expect(await countsOf(member.userId)).toEqual([2, 1, 1, 1])
  expect((await account.send('DELETE', `/api/v1/account/users/${member.id}`)).status).toBe(200)
  expect(await countsOf(member.userId)).toEqual([0, 0, 0, 0])
  expect(await countsOf(account.userId)).toEqual([2, 1, 1, 1])
})

test('what is left of users who are gone takes no turn of those who are there', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  const accountId = newId()
  for (let count = 0; count < 3; count++) await insertWaiting(db, { accountId, userId: newId() }, '2 hours')
  const there = { accountId, userId: newId() }
  await insertUser(db, accountId, there.userId)
  await insertWaiting(db, there)
  expect(await claimWebhooks(db, { usersMax: 1, leaseSeconds: 60 })).toEqual([there])
  expect(await claimWebhooks(db, { usersMax: 1, leaseSeconds: 60 })).toEqual([])
  expect(await takeDueDigests(db, 1)).toEqual([there])
})

test('mails that wait longest are sent first, and those that remain due come after all others', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  const [older, newer, newest] = [newId(), newId(), newId()]
  const accountId = newId()
  for (const [userId, since] of [
    [newer, '2 hours'],
    [newest, '1 hour'],
    [older, '3 hours'],
  ] as const) {
    await insertUser(db, accountId, userId)
    await insertWaiting(db, { accountId, userId }, since)
  }
  const taken: string[] = []
  for (let count = 0; count < 5; count++) taken.push(...(await takeDueDigests(db, 1)).map(({ userId }) => userId))
  expect(taken).toEqual([older, newer, newest, older, newer])
})
