import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf, fails, greets, waits } from '#testing/definitions.ts'
import { newId } from '#platform/ids.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { evaluateEnds } from './evaluate-ends.ts'
import { createEvaluator } from './evaluator.ts'

const path = '/api/v1/analytics/workflows'

let server: TestServer
beforeAll(async () => {
  // Without the role scheduler nothing is evaluated unless a test does it.
  server = await createTestServer({ MILLRACE_ROLES: 'api,worker' })
})
afterAll(() => server.close())

const evaluate = () =>
  createEvaluator({
    db: server.database.system,
    warn: (message) => {
      throw new Error(message)
    },
  }).evaluate()

const create = async (account: TestAccount, tasks: string) =>
  (await account.client.workflows.create({ body: { definition: documentOf(tasks) } })).id

const openEnds = async (account: TestAccount) =>
  (await sql`select from execution_ends where account_id = ${account.accountId}`.execute(server.database.system)).rows.length

test('executions count once at every moment: when they have ended, and after they were added to the figures', async () => {
  const account = await server.registerAccount()
  const [greeting, failing, waiting] = [await create(account, greets), await create(account, fails), await create(account, waits)]
  const start = (id: string, prefer = 'wait=30') => account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer })
  await Promise.all([...Array.from({ length: 5 }, () => start(greeting)), ...Array.from({ length: 3 }, () => start(failing))])
  const { id: executionId } = (await start(waiting, 'wait=0')).body
  await account.send('POST', `/api/v1/workflows/executions/${executionId}/cancel`, {}, { prefer: 'wait=30' })
  const { id: faultedId } = (await start(failing)).body
  await account.send('POST', `/api/v1/workflows/executions/${faultedId}/retry`, {}, { prefer: 'wait=30' })
  const figures = async () => (await account.send('GET', `${path}?minutesPerRun=2.5`)).body
  const expected = { executions: 11, completed: 5, faulted: 5, cancelled: 1, retries: 1, successRate: 0.5, savedMinutes: 12.5 }
  expect(await openEnds(account)).toBeGreaterThan(0)
  const live = await figures()
  expect(live.totals).toMatchObject(expected)
  await evaluate()
  expect(await openEnds(account)).toBe(0)
  const added = await figures()
  expect({ ...added, to: live.to }).toEqual({ ...live, to: live.to })
  await evaluate()
  expect((await figures()).totals).toMatchObject(expected)
  const one = (await account.send('GET', `${path}/${failing}`)).body
  expect(one).toMatchObject({ name: expect.any(String), totals: { executions: 5, faulted: 5, successRate: 0, savedMinutes: null } })
  expect(one.failures).toEqual([{ task: '/do/0/refuse', errorType: 'https://example.com/errors/stock', executions: 5 }])
  expect((await account.send('GET', `${path}?sort=faulted&limit=1`)).body.workflows).toMatchObject([{ workflowId: failing, faulted: 5 }])
  expect((await figures()).failures).toEqual([{ ...one.failures[0], workflowId: failing, workflowName: one.name }])
  const other = await server.registerAccount()
  expect((await other.send('GET', path)).body).toMatchObject({ totals: { executions: 0, successRate: null }, workflows: [] })
  expect((await other.send('GET', `${path}/${failing}`)).status).toBe(404)
})

test('a workflow states the minutes that one execution saves, which count from then on for all its executions', async () => {
  const account = await server.registerAccount()
  const [greeting, other, failing] = [await create(account, greets), await create(account, greets), await create(account, fails)]
  for (const id of [greeting, greeting, other, failing])
    await account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: 'wait=30' })
  const saved = async (query = '') => {
    const { totals, previous, workflows } = (await account.send('GET', `${path}${query}`)).body
    const ofWorkflows = Object.fromEntries(workflows.map((one: Record<string, unknown>) => [one['workflowId'], one['savedMinutes']]))
    return [totals.savedMinutes, previous.totals.savedMinutes, ofWorkflows[greeting], ofWorkflows[other]]
  }
  expect(await saved()).toEqual([null, null, null, null])
  const put = (id: string, minutesPerRun: unknown) => account.send('PUT', `/api/v1/workflows/${id}`, { minutesPerRun })
  expect((await put(greeting, 7.5)).body).toMatchObject({ minutesPerRun: 7.5, revision: 2 })
  await put(failing, 100)
  expect(await saved()).toEqual([15, 0, 15, null])
  await evaluate()
  expect(await saved()).toEqual([15, 0, 15, null])
  expect((await account.send('GET', `${path}/${greeting}`)).body.totals.savedMinutes).toBe(15)
  expect((await account.send('GET', `${path}/${other}`)).body.totals.savedMinutes).toBeNull()
  expect(await saved('?minutesPerRun=1')).toEqual([3, 0, 2, 1])
  expect((await put(greeting, -1)).body.errors).toMatchObject([{ pointer: '/minutesPerRun' }])
  expect((await put(greeting, null)).body.minutesPerRun).toBeNull()
  expect(await saved()).toEqual([0, 0, null, null])
})

test('attempts of tasks count by task: iterations, retries, children and waits, but neither pauses nor outcomes that a retry took over', async () => {
  const account = await server.registerAccount()
  await using service = await startHttpStandIn(({ body }) => ({ status: JSON.stringify(body) === '{"refuse":true}' ? 503 : 200 }))
  const child = documentOf(greets)
  await account.client.workflows.create({ body: { definition: child } })
  const get = (body: string) => `{ call: http, with: { method: post, endpoint: '${service.url}', body: ${body} } }`
  const id = await create(
    account,
    `do:
  - each: { for: { each: n, in: '\${ [1, 2, 3] }' }, do: [{ ask: ${get('{ refuse: false }')} }] }
  - persist:
      try: [{ call: ${get('{ refuse: true }')} }]
      catch: { retry: { delay: { milliseconds: 1 }, limit: { attempt: { count: 1 } } } , do: [{ ignore: { set: { ignored: true } } }] }
  - greet: { run: { workflow: { namespace: tests, name: ${/name: (?<name>[^,]+)/.exec(child)?.groups?.['name']}, version: latest } } }
  - confirm: { call: approve, with: { title: Continue, approvers: [${account.email}], excludeStarter: false } }
  - pause: { wait: { milliseconds: 1 } }
  - last: { if: '$workflow.input.fail', raise: { error: { type: 'https://example.com/no', status: 400 } } }
`,
  )
  const start = async (fail: boolean) => {
    const { body } = await account.send('POST', `/api/v1/workflows/${id}/execute`, { input: { fail } })
    const state = async () => (await account.send('GET', `/api/v1/workflows/executions/${body.id}`)).body.state
    const approvals = `/api/v1/workflows/executions/${body.id}/approvals`
    const asked = async () => (await account.send('GET', approvals)).body.data ?? []
    await expect.poll(asked).toHaveLength(1)
    await account.send('POST', `${approvals}/${(await asked())[0].id}`, { decision: 'approve' })
    await expect.poll(state).toBe(fail ? 'faulted' : 'completed')
    return body.id
  }
  await start(false)
  const failed = await start(true)
  await account.send('POST', `/api/v1/workflows/executions/${failed}/retry`, { input: { fail: false } }, { prefer: 'wait=30' })
  const slowest = async (of = `/${id}`) => (await account.send('GET', `${path}${of}`)).body.slowestTasks
  const byTask = new Map((await slowest()).map(({ task, ...figures }: { readonly task: string }) => [task, figures]))
  expect(Object.fromEntries(byTask)).toMatchObject({
    '/do/0/each/do/0/ask': { attempts: 6, failed: 0 },
    '/do/1/persist/try/0/call': { attempts: 4, failed: 4 },
    '/do/2/greet': { attempts: 2, failed: 0 },
    '/do/3/confirm': { attempts: 2, failed: 0 },
  })
  expect(byTask.size).toBe(4)
  const { rows } = await sql<{ readonly ms: number }>`
    select sum(round(extract(epoch from m.ended_at - w.ended_at) * 1000))::int4 as ms
    from journal m join journal w on w.execution_id = m.execution_id and w.kind = 'wait' join executions e on e.id = m.execution_id
    where m.account_id = ${account.accountId} and m.kind = 'message' and e.retry_of is null`.execute(server.database.system)
  expect(byTask.get('/do/3/confirm')).toMatchObject({ totalMs: rows[0]?.ms })
  const live = [await slowest(), await slowest('')]
  await evaluate()
  expect([await slowest(), await slowest('')]).toEqual(live)
  expect(live[1]).toEqual(live[0].map((one: object) => ({ ...one, workflowId: id, workflowName: expect.any(String) })))
  expect((await (await server.registerAccount()).send('GET', path)).body.slowestTasks).toEqual([])
})

test('the tasks with the longest attempts on average come first, and equal a count over the journals', async () => {
  const account = await server.registerAccount()
  const workflowId = newId()
  await insertEnded(account, workflowId, 60)
  await insertAttempts(account)
  await evaluate()
  await insertEnded(account, workflowId, 30)
  await insertAttempts(account)
  const { slowestTasks } = (await account.send('GET', `${path}?from=2026-03-01T00:00:00Z&to=2026-05-01T00:00:00Z`)).body
  const { rows } = await sql<object>`
    select position as task, count(*)::int4 as attempts, (count(*) filter (where not ok))::int4 as failed, sum(ms)::int4 as "totalMs",
      max(ms)::int4 as "longestMs", round(sum(ms) / count(*))::int4 as "meanMs"
    from (select position, ok, round(extract(epoch from ended_at - started_at) * 1000) as ms from journal
      where account_id = ${account.accountId}) j
    group by 1 order by sum(ms) / count(*) desc, 1`.execute(server.database.system)
  expect(slowestTasks).toHaveLength(20)
  expect(slowestTasks.map(({ workflowId: _id, workflowName: _name, ...figures }: Record<string, unknown>) => figures)).toEqual(
    rows.slice(0, 20),
  )
})

test('faulted executions make one notification for each workflow, error and status', async () => {
  const account = await server.registerAccount()
  const id = await create(account, fails)
  for (let i = 0; i < 4; i++) await account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: 'wait=30' })
  await evaluate()
  await account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: 'wait=30' })
  await evaluate()
  const { data } = (await account.send('GET', '/api/v1/notifications')).body
  expect(data).toMatchObject([
    { kind: 'execution.faulted', count: 5, title: expect.stringMatching(/: Out of stock$/), body: 'None left\nAt /do/0/refuse.' },
  ])
  const statuses = [503, 429, 503]
  await using service = await startHttpStandIn(() => ({ status: statuses.shift() ?? 200 }))
  const calls = await create(account, `do: [{ ask: { call: http, with: { method: get, endpoint: '${service.url}' } } }]\n`)
  for (let i = 0; i < 3; i++) await account.send('POST', `/api/v1/workflows/${calls}/execute`, {}, { prefer: 'wait=30' })
  await evaluate()
  const later = (await account.send('GET', '/api/v1/notifications')).body.data
  expect(later.map(({ count }: { count: number }) => count).toSorted()).toEqual([1, 2, 5])
})

test('an evaluation that is rolled back adds nothing and loses nothing', async () => {
  const account = await server.registerAccount()
  await insertEnded(account, newId(), 10)
  const { system } = server.database
  await expect(
    system.transaction().execute(async (tx) => {
      await evaluateEnds(tx)
      throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  expect(await openEnds(account)).toBe(1)
  await evaluate()
  expect(await countsOf(account, 'UTC')).toBe(10)
})

test.each(['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Apia'])(
  'the counts of each local day equal a count over the rows in %s',
  async (zone) => {
    const account = await server.registerAccount()
    const workflowId = newId()
    await insertEnded(account, workflowId, 400)
    await evaluate()
    await insertEnded(account, workflowId, 200)
    const query = new URLSearchParams({ from: '2026-03-20T07:20:00Z', to: '2026-04-09T15:40:00Z', zone, interval: 'day' }).toString()
    const { body } = await account.send('GET', `${path}?${query}`)
    const counted = body.buckets.flatMap(({ local, completed, faulted, cancelled }: Record<string, unknown>) => [
      [String(local).slice(0, 10), completed, faulted, cancelled],
    ])
    const { rows } = await sql<{ day: string; completed: number; faulted: number; cancelled: number }>`
      select to_char(ended_at at time zone ${zone}, 'YYYY-MM-DD') as day, count(*) filter (where state = 'completed')::int4 as completed,
        count(*) filter (where state = 'faulted')::int4 as faulted, count(*) filter (where state = 'cancelled')::int4 as cancelled
      from executions where account_id = ${account.accountId} and ended_at >= ${body.from} and ended_at < ${body.to}
      group by 1 order by 1`.execute(server.database.system)
    expect(body).toMatchObject({ from: '2026-03-20T07:15:00.000Z', to: '2026-04-09T15:45:00.000Z', interval: 'day', zone })
    expect(counted.filter(([, ...counts]: number[]) => counts.some((count) => count > 0))).toEqual(
      rows.map(({ day, completed, faulted, cancelled }) => [day, completed, faulted, cancelled]),
    )
    const { rows: times } = await sql<{ p50: number; p99: number; retries: number }>`
      select percentile_disc(0.5) within group (order by ms)::int4 as p50, percentile_disc(0.99) within group (order by ms)::int4 as p99,
        count(retry_of)::int4 as retries
      from (select extract(epoch from ended_at - started_at) * 1000 as ms, retry_of from executions
        where account_id = ${account.accountId} and ended_at >= ${body.from} and ended_at < ${body.to}) e`.execute(server.database.system)
    const { p50 = 0, p99 = 0, retries } = times[0] ?? {}
    expect(body.totals.retries).toBe(retries)
    expect(Math.abs(body.totals.durationMs.p50 / p50 - 1)).toBeLessThan(0.021)
    expect(Math.abs(body.totals.durationMs.p99 / p99 - 1)).toBeLessThan(0.021)
    const hours = (await account.send('GET', `${path}?${query}`.replace('interval=day', 'interval=hour'))).body.buckets
    expect(hours.reduce((total: number, { executions }: { executions: number }) => total + executions, 0)).toBe(body.totals.executions)
    const long = (await account.send('GET', `${path}?from=2025-04-03T07:20:00Z&to=2026-09-20T15:40:00Z&zone=${zone}`)).body
    expect([long.totals.executions, long.workflows[0].executions]).toEqual([600, 600])
    expect(long.workflows[0].durationMs).toEqual(long.totals.durationMs)
    expect((await account.send('GET', `${path}?from=2025-04-03T07:20:00Z&to=2026-03-14T15:40:00Z`)).body.totals.executions).toBe(0)
  },
)

test('days begin in the time zone of the account, unless the request names one', async () => {
  const account = await server.registerAccount()
  const zoneOf = async (query = '') => (await account.send('GET', `${path}${query}`)).body.zone
  expect(await zoneOf()).toBe('UTC')
  expect((await account.send('PATCH', '/api/v1/account', { timeZone: 'Asia/Kathmandu' })).status).toBe(200)
  expect([await zoneOf(), await zoneOf('?zone=Europe/Berlin')]).toEqual(['Asia/Kathmandu', 'Europe/Berlin'])
})

test('an impossible period is refused with its part', async () => {
  const account = await server.registerAccount()
  const pointerOf = async (query: string) => (await account.send('GET', `${path}?${query}`)).body.errors?.[0]?.pointer
  expect(await pointerOf('zone=Mars/Olympus')).toBe('/zone')
  expect(await pointerOf('from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z')).toBe('/to')
  expect(await pointerOf('from=2000-01-01T00:00:00Z')).toBe('/from')
  expect(await pointerOf('from=2026-01-01T00:00:00Z&to=2026-06-01T00:00:00Z&interval=hour')).toBe('/interval')
})

/** Ended executions with random ends in March and April 2026, with one row of ends, as the engine writes them. */
async function insertEnded({ accountId }: TestAccount, workflowId: string, count: number): Promise<void> {
  await sql`
    with made as (
      insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, created_at, started_at, ended_at, retry_of)
      select millrace_uuid_v7(), ${accountId}, ${workflowId}, gen_random_uuid(), (array['completed', 'faulted', 'cancelled'])[1 + floor(random() * 3)::int],
        'manual', 'user:1', '{}', ended - make_interval(secs => 4000), ended - make_interval(secs => round((random() ^ 4 * 3600)::numeric, 3)::float8), ended,
        case when random() < 0.1 then gen_random_uuid() end
      from (select date_trunc('milliseconds', timestamptz '2026-03-15T00:00:00Z' + random() * interval '30 days') as ended from generate_series(1, ${count})) r
      returning id
    )
    insert into execution_ends (account_id, execution_ids) select ${accountId}, array_agg(id) from made`.execute(server.database.system)
}

/** Gives each execution that is not evaluated yet attempts of some of 25 tasks. */
async function insertAttempts({ accountId }: TestAccount): Promise<void> {
  await sql`
    insert into journal (execution_id, seq, account_id, position, phase, kind, ok, value, decisions, started_at, ended_at)
    select id, seq, ${accountId}, '/do/' || seq || '/call', 'ended', 'http', random() < 0.8, '{}', '', started_at,
      started_at + make_interval(secs => round((seq * random())::numeric, 3)::float8)
    from executions e cross join generate_series(0, 24) as seq
    where id in (select unnest(execution_ids) from execution_ends where account_id = ${accountId}) and random() < 0.7`.execute(
    server.database.system,
  )
}

async function countsOf(account: TestAccount, zone: string): Promise<number> {
  const { body } = await account.send('GET', `${path}?from=2026-03-01T00:00:00Z&to=2026-05-01T00:00:00Z&zone=${zone}`)
  return body.totals.executions
}

test('an evaluation reads the executions that have ended, and no others of their partition', async () => {
  const account = await server.registerAccount()
  await evaluate()
  const rollback = new Error('rolled back')
  const read = async () =>
    server.database.system.transaction().execute(async (tx) => {
      const ids = Array.from({ length: 500 }, newId)
      await sql`
        insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, created_at, started_at, ended_at)
        select id, ${account.accountId}, id, id, 'completed', 'manual', 'user:test', '{}', now(), now(), now() from unnest(${ids}::uuid[]) as id`.execute(
        tx,
      )
      await sql`insert into execution_ends (account_id, execution_ids) values (${account.accountId}, ${ids.slice(0, 3)}::uuid[])`.execute(
        tx,
      )
      const readBefore = await tuplesRead(tx)
      await evaluateEnds(tx)
      readByEvaluation = (await tuplesRead(tx)) - readBefore
      throw rollback
    })
  let readByEvaluation = Number.NaN
  await expect(read()).rejects.toBe(rollback)
  expect(readByEvaluation).toBe(3)
})

/** Rows of executions that the transaction has read so far. */
async function tuplesRead(tx: Parameters<typeof evaluateEnds>[0]): Promise<number> {
  const { rows } = await sql<{ readonly read: number }>`
    select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int as read from pg_stat_xact_user_tables
    where relname like 'executions\\_%'`.execute(tx)
  return rows[0]?.read ?? 0
}
