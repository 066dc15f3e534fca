import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { documentOf, fails } from '#testing/definitions.ts'
import { createTestServer } from '#testing/server.ts'
import { startServerProcess } from '#testing/server-process.ts'

const faulted = 'io.serverlessworkflow.workflow.faulted.v1'
const onFaults = `schedule: { on: { one: { with: { type: ${faulted} } } } }\ndo:\n  - note: { set: { noted: true } }\n`

test('each fault starts one execution, when the process is killed between the starts and their record', async () => {
  await using db = await createTestDatabase()
  const { system } = db.database
  await using first = await startServerProcess({ DATABASE_URL: db.url })
  const credentials = { email: 'ends@example.com', password: 'a rather unusual phrase 4711' }
  const { accessToken: token } = await createClient({ baseUrl: first.url, groups }).auth.register({ body: credentials })
  const client = createClient({ baseUrl: first.url, groups, token })
  await client.workflows.create({ body: { definition: documentOf(onFaults) } })
  const failing = await client.workflows.create({ body: { definition: documentOf(fails) } })
  // The process waits here after the starts.
  await sql`create function slow_record() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return old; end $$`.execute(
    system,
  )
  await sql`create trigger slow_record before delete on trigger_firings for each row when (pg_trigger_depth() = 0) execute function slow_record()`.execute(
    system,
  )
  const faults = await Promise.all(Array.from({ length: 10 }, () => client.workflows.execute({ params: { id: failing.id } })))
  const caused = async () => {
    const { rows } = await sql<{ caused_by: string; state: string }>`
      select caused_by, state from executions where caused_by is not null`.execute(system)
    return rows
  }
  await expect.poll(async () => (await caused()).length, { interval: 5 }).toBeGreaterThan(0)
  await first.kill()
  const left = async () => (await sql`select from execution_ends union all select from trigger_firings`.execute(system)).rows.length
  expect(await left()).toBeGreaterThan(0)
  await using _second = await startServerProcess({ DATABASE_URL: db.url })
  await expect.poll(left).toBe(0)
  const started = await caused()
  expect(started).toHaveLength(faults.length)
  expect(new Set(started.map(({ caused_by: id }) => id)).size).toBe(faults.length)
})

test('of a storm of faults sixty start executions at once, a thousand wait, and owners read that the others start nothing', async () => {
  await using server = await createTestServer()
  const { system } = server.database
  const account = await server.registerAccount()
  const { id: handler } = await account.client.workflows.create({ body: { definition: documentOf(onFaults) } })
  const { id: failing } = await account.client.workflows.create({ body: { definition: documentOf(fails) } })
  await account.send('POST', `/api/v1/workflows/${failing}/execute`, {}, { prefer: 'wait=30' })
  const countOf = async () => (await sql`select from executions where caused_by is not null`.execute(system)).rows.length
  await expect.poll(countOf).toBe(1)
  // Executions that ended as this one did, 1,100 more.
  await sql`
    with storm as (
      insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, error, created_at, started_at, ended_at)
      select millrace_uuid_v7(), account_id, workflow_id, version_id, state, trigger, actor, input, error, created_at, started_at, ended_at
      from executions cross join generate_series(1, 1100) where state = 'faulted' returning id, account_id
    ) insert into execution_ends (account_id, execution_ids) select account_id, array_agg(id) from storm group by 1`.execute(system)
  const { data } = (await account.send('GET', `/api/v1/triggers/workflow/${handler}`)).body
  const path = `/api/v1/triggers/${data[0].id}`
  await expect.poll(async () => (await account.send('GET', path)).body.lastError).toMatch(/^More than 60 executions a minute ended/)
  const waiting = async () => (await sql`select from trigger_firings where ready_at > now()`.execute(system)).rows.length
  await expect.poll(waiting).toBe(1_000)
  expect(await countOf()).toBe(60)
  expect((await account.send('GET', path)).body).toMatchObject({ enabled: true, failures: 0 })
  const notifications = (await account.send('GET', '/api/v1/notifications?kind=trigger.paused')).body.data
  expect(notifications).toMatchObject([{ body: expect.stringContaining('1,000 ends wait already'), count: expect.any(Number) }])
})
