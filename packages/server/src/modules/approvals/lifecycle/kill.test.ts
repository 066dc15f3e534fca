import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { fromTypeId } from '#platform/ids.ts'
import { createTestServer } from '#testing/server.ts'
import { named, startServerProcess } from '#testing/server-process.ts'
import { makeOlder, decideAs, openApproval, endedExecution, addMember, currentApproval } from '#testing/approvals.ts'

const secretKey = 'ab'.repeat(32)

test('a process that is killed between the verdict and its delivery loses nothing, and the execution receives it once', async () => {
  await using installation = await createTestServer({ MILLRACE_SECRET_KEY: secretKey })
  const account = await installation.registerAccount()
  const ada = await addMember(installation, account, 'admin')
  const asked = await openApproval(account, { approvers: [ada.email] })
  const stateOfExecution = async () => (await account.client.workflows.execution({ params: asked })).state
  // The execution is `running` until its process parks it, a moment after its wait has opened.
  await expect.poll(stateOfExecution).toBe('waiting')
  await using doomed = await startServerProcess({
    DATABASE_URL: named(installation.databaseUrl, 'doomed'),
    MILLRACE_SECRET_KEY: secretKey,
    MILLRACE_ROLES: 'api',
    MILLRACE_DATABASE_CONNECTIONS: '8',
  })
  // The lock stops the process in the middle of the delivery, where it is killed.
  const response = await installation.database.system.transaction().execute(async (tx) => {
    await sql`select from waits where execution_id = ${fromTypeId('exec', asked.executionId)} for update`.execute(tx)
    const deciding = decideAs(doomed.url, ada.token, asked, { decision: 'approve' }).catch((error: unknown) => error)
    await expect.poll(async () => (await currentApproval(account, asked)).state).toBe('approved')
    await doomed.kill()
    await endSessions(tx, 'doomed')
    return deciding
  })
  expect(response).toBeInstanceOf(Error)
  expect(await stateOfExecution()).toBe('waiting')
  expect((await ada.decide(asked, { decision: 'approve' })).body).toMatchObject({ code: 'approval_answered', state: 'approved' })
  await makeOlder(installation, asked, 10)
  expect((await endedExecution(account, asked.executionId)).output).toMatchObject({ approved: true, answers: [{ by: ada.email }] })
  const { rows } =
    await sql`select from journal where execution_id = ${fromTypeId('exec', asked.executionId)} and kind = 'message'`.execute(
      installation.database.system,
    )
  expect(rows).toHaveLength(1)
})

/** Statements that a killed process has sent are still executed, unless they wait for a lock: they end only with their sessions. */
async function endSessions(tx: Kysely<Rows>, applicationName: string): Promise<void> {
  const endLocked = async () => {
    await sql`select pg_stat_clear_snapshot()`.execute(tx)
    const { rows } = await sql`
      select case when wait_event_type = 'Lock' then pg_terminate_backend(pid) end from pg_stat_activity
      where datname = current_database() and application_name = ${applicationName}`.execute(tx)
    return rows.length
  }
  await expect.poll(endLocked).toBe(0)
}
