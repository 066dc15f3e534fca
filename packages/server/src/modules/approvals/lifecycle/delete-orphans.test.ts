import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { createRetention } from '@millrace/engine/storage'
import { fromTypeId } from '#platform/ids.ts'
import { startSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { createTestDatabase } from '#testing/database.ts'
import { addExecution, day, idAt } from '#testing/executions.ts'
import { createTestServer } from '#testing/server.ts'
import { createOrphanDeletion } from './delete-orphans.ts'
import { openApproval, endedExecution, callLink, mailingTo, mailsTo } from '#testing/approvals.ts'

test('an approval is deleted with its links after its execution was deleted, and an open one stays', async () => {
  await using smtp = await startSmtpServer()
  await using server = await createTestServer(mailingTo(smtp))
  const owner = await server.registerAccount()
  const done = await openApproval(owner, { approvers: ['done@example.org'] })
  const open = await openApproval(owner, { approvers: ['open@example.org'] })
  const [[old], [young]] = [await mailsTo(smtp, 'done@example.org'), await mailsTo(smtp, 'open@example.org')]
  await callLink(server.url, old?.token ?? '', { decision: 'approve' })
  await endedExecution(owner, done.executionId)
  const db = server.database.system
  const sweep = createOrphanDeletion({ db })
  await sweep.deleteBatches()
  expect((await callLink(server.url, old?.token ?? '')).body).toMatchObject({ state: 'approved' })
  await createRetention({ db, now: () => Date.now() + 60 * day, retentionMs: 30 * day, readPeriods: async () => new Map() }).pass()
  await sweep.deleteBatches()
  expect(await callLink(server.url, old?.token ?? '')).toMatchObject({
    status: 404,
    body: { code: 'not_found', detail: expect.stringContaining('has expired') },
  })
  expect((await callLink(server.url, old?.token ?? '', { decision: 'approve' })).status).toBe(404)
  const left = await sql`
    select (select array_agg(id) from approvals) as approvals, (select count(*)::int4 from approval_answers) as answers,
      (select count(*)::int4 from approval_mails where approval_id <> ${fromTypeId('apr', open.approvalId)}) as mails`.execute(db)
  expect(left.rows).toEqual([{ approvals: [fromTypeId('apr', open.approvalId)], answers: 0, mails: 0 }])
  expect((await callLink(server.url, young?.token ?? '', { decision: 'approve' })).body).toMatchObject({ state: 'approved' })
})

test('all approvals are checked over several calls, and then again from the first', async () => {
  await using scene = await createTestDatabase()
  const db = scene.database.system
  const kept = await addExecution(db, { atMs: Date.now() })
  const gone = idAt(Date.now())
  await addApprovals(db, kept, 6_000)
  await addApprovals(db, gone, 6_000)
  const sweep = createOrphanDeletion({ db })
  const left = async () =>
    (await sql<{ id: string }>`select distinct execution_id as id from approvals`.execute(db)).rows.map(({ id }) => id)
  await sweep.deleteBatches()
  await sweep.deleteBatches()
  expect(await left()).toEqual([kept])
  await sql`delete from executions`.execute(db)
  await sweep.deleteBatches()
  expect(await left()).toEqual([])
})

async function addApprovals(db: Kysely<Rows>, executionId: string, count: number): Promise<void> {
  await sql`insert into approvals (id, account_id, execution_id, position, arguments, opened_at, state, ended_at)
    select gen_random_uuid(), gen_random_uuid(), ${executionId}, '/do/' || n, '{}', now(), 'approved', now() from generate_series(1, ${count}::int) n`.execute(
    db,
  )
}
