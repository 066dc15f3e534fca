import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { createTestDatabase } from '#testing/database.ts'
import { claimMails, dropMails, recordFailure, recordSent } from './mail-store.ts'

const now = new Date(Date.UTC(2026, 2, 1, 12))
const leaseUntil = new Date(now.getTime() + 60_000)

/** An account with an approval and so many mails, which have been due for so long. */
async function insertMails(db: Kysely<Rows>, count: number, ageMs: number): Promise<string> {
  const { rows } = await sql<{ account_id: string }>`
    with a as (
      insert into approvals (id, account_id, execution_id, position, arguments, opened_at)
      values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '/do/0/a', '{}', ${now}) returning id, account_id
    ), m as (
      insert into approval_mails (id, account_id, approval_id, step, kind, email, next_attempt_at)
      select gen_random_uuid(), a.account_id, a.id, 1, 'notice', n || '@x.test', ${new Date(now.getTime() - ageMs)}::timestamptz + make_interval(secs => n / 1000.0)
      from a, generate_series(1, ${count}) n
    )
    select account_id from a`.execute(db)
  return rows[0]?.account_id ?? ''
}

test('many mails of one account do not delay the mails of another', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  const [many, few, later] = [await insertMails(db, 1_000, 3_600_000), await insertMails(db, 2, 1_000), await insertMails(db, 1, -1_000)]
  const accounts = (await claimMails(db, { now, leaseUntil, limit: 10 })).map(({ accountId }) => accountId)
  expect([many, few, later].map((id) => accounts.filter((one) => one === id).length)).toEqual([8, 2, 0])
  const next = await claimMails(db, { now, leaseUntil, limit: 10 })
  expect(new Set(next.map(({ accountId }) => accountId))).toEqual(new Set([many]))
  expect(next.map(({ email }) => email).toSorted()).toEqual(Array.from({ length: 10 }, (_, index) => `${index + 9}@x.test`).toSorted())
})

test('one process at a time claims a mail, and it can be claimed again after its lease', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  await insertMails(db, 5, 1_000)
  const takes = await Promise.all(Array.from({ length: 4 }, () => claimMails(db, { now, leaseUntil, limit: 10 })))
  expect(
    takes
      .flat()
      .map(({ email }) => email)
      .toSorted(),
  ).toEqual([1, 2, 3, 4, 5].map((n) => `${n}@x.test`))
  expect((await claimMails(db, { now: leaseUntil, leaseUntil: new Date(leaseUntil.getTime() + 1), limit: 10 })).length).toBe(5)
})

test('a failure brings back neither a mail that was dropped while it was sent nor one that another process has sent', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  await insertMails(db, 2, 1_000)
  const claim = (at: Date) => claimMails(db, { now: at, leaseUntil: new Date(at.getTime() + 60_000), limit: 10 })
  const failure = { failure: 'The mail server is away.', nextAttemptAt: leaseUntil }
  const [slow, dropped] = (await claim(now)).toSorted((a, b) => (a.email < b.email ? -1 : 1))
  if (slow === undefined || dropped === undefined) throw new Error('two mails were due')
  const again = (await claim(leaseUntil)).find(({ id }) => id === slow.id)
  await recordSent(db, again?.id ?? '', leaseUntil)
  await recordFailure(db, slow, failure)
  await dropMails(db, [dropped.approvalId])
  await recordFailure(db, { ...dropped, attempts: 2 }, failure)
  const { rows } = await sql`select next_attempt_at, failure from approval_mails`.execute(db)
  expect(rows).toEqual([
    { next_attempt_at: null, failure: null },
    { next_attempt_at: null, failure: null },
  ])
})
