import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { createTestServer } from '#testing/server.ts'
import { openApproval, mailingTo, mailsTo, currentApproval } from '#testing/approvals.ts'

test('mails of approvals count against the quota of the account, and mails above it are sent later', async () => {
  await using smtp = await startSmtpServer()
  await using server = await createTestServer({ ...mailingTo(smtp), MILLRACE_MAILS_PER_ACCOUNT: '1/3600', MILLRACE_FLAGS: ',' })
  const owner = await server.registerAccount()
  const asked = await openApproval(owner, { approvers: ['one@example.org', 'two@example.org'] })
  const mails = async () => (await currentApproval(owner, asked)).mails
  await expect.poll(async () => (await mails()).filter(({ failure }) => failure !== null).length).toBe(1)
  const waiting = (await mails()).find(({ failure }) => failure !== null)
  expect(waiting?.failure).toMatch(/MILLRACE_MAILS_PER_ACCOUNT.*Try again in \d+ s/)
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from next_attempt_at - now())::float8 as seconds from approval_mails where failure is not null`.execute(
    server.database.system,
  )
  expect(rows[0]?.seconds).toBeGreaterThan(3_000)
  await expect.poll(() => smtp.deliveries.length).toBe(1)
  await sql`update rate_limit_counters set ends_at = now() where policy = 'mail'`.execute(server.database.system)
  await sql`update approval_mails set next_attempt_at = now() where failure is not null`.execute(server.database.system)
  await mailsTo(smtp, waiting?.to ?? '')
  expect(smtp.deliveries).toHaveLength(2)
})
