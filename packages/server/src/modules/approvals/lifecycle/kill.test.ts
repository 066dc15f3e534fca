import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { fromTypeId } from '#platform/ids.ts'
import { createTestServer } from '#testing/server.ts'
import { makeOlder, decideAs, openApproval, endedExecution, addMember, currentApproval } from '#testing/approvals.ts'

const main = fileURLToPath(new URL('../../../main.ts', import.meta.url))
const secretKey = 'ab'.repeat(32)

/** Another process of the installation, which serves and nothing else. */
async function startProcess(databaseUrl: string) {
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    MILLRACE_SECRET_KEY: secretKey,
    MILLRACE_ROLES: 'api',
    MILLRACE_DATABASE_CONNECTIONS: '8',
  }
  const child = spawn(process.execPath, [main], { env, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (text: Buffer) => (out += text.toString()))
  const url = await vi.waitFor(
    () => {
      const found = /"url":"(?<url>[^"]+)"/.exec(out)?.groups?.['url']
      if (found === undefined) throw new Error(`it does not serve: ${out}`)
      return found
    },
    { timeout: 15_000 },
  )
  return {
    url,
    async kill() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** The address of a database, with the name under which its sessions are seen. */
function named(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('application_name', name)
  return url.toString()
}

test('a process that is killed between the decision and its delivery loses nothing, and nothing comes twice', async () => {
  await using installation = await createTestServer({ MILLRACE_SECRET_KEY: secretKey })
  const account = await installation.registerAccount()
  const ada = await addMember(installation, account, 'admin')
  const asked = await openApproval(account, { approvers: [ada.email] })
  const other = await startProcess(named(installation.databaseUrl, 'doomed'))
  // Whoever delivers has to wait here, so it dies in the very middle.
  const sent = await installation.database.system.transaction().execute(async (tx) => {
    await sql`select from waits where execution_id = ${fromTypeId('exec', asked.executionId)} for update`.execute(tx)
    const answering = decideAs(other.url, ada.token, asked, { decision: 'approve' }).catch((error: unknown) => error)
    await expect.poll(async () => (await currentApproval(account, asked)).state, { timeout: 10_000 }).toBe('approved')
    await other.kill()
    // What the process had sent is done after its death, unless it waits for the lock above: it is over only with its sessions.
    await expect
      .poll(
        async () => {
          await sql`select pg_stat_clear_snapshot()`.execute(tx)
          const { rows } = await sql`
            select case when wait_event_type = 'Lock' then pg_terminate_backend(pid) end from pg_stat_activity
            where datname = current_database() and application_name = 'doomed'`.execute(tx)
          return rows.length
        },
        { timeout: 10_000 },
      )
      .toBe(0)
    return answering
  })
  expect(sent).toBeInstanceOf(Error)
  expect(await account.client.workflows.execution({ params: asked })).not.toMatchObject({ state: 'completed' })
  expect((await ada.decide(asked, { decision: 'approve' })).body).toMatchObject({ code: 'approval_answered', state: 'approved' })
  await makeOlder(installation, asked, 10)
  expect((await endedExecution(account, asked.executionId)).output).toMatchObject({ approved: true, answers: [{ by: ada.email }] })
  const { rows } =
    await sql`select from journal where execution_id = ${fromTypeId('exec', asked.executionId)} and kind = 'message'`.execute(
      installation.database.system,
    )
  expect(rows).toHaveLength(1)
})
