import { toTypeId } from '#platform/ids.ts'
import { executionStates } from '@millrace/engine'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf, greets } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { triggerKinds } from '@millrace/engine/storage'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

interface Scene {
  readonly account: TestAccount
  readonly id: string
  list(query?: object): ReturnType<TestAccount['client']['workflows']['executions']>
  /** Puts executions into the table as the engine would have left them, oldest first: `[state, trigger, minute]`. */
  insert(rows: readonly (readonly [state: string, trigger: string, minute: number])[]): Promise<readonly string[]>
}

const midnightMs = Date.UTC(2026, 0, 31)

async function scene(): Promise<Scene> {
  const account = await server.registerAccount()
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets) } })
  const { rows } = await sql<{ workflow: string; version: string }>`
    select id as workflow, latest_version_id as version from workflows where account_id = ${account.accountId}`.execute(
    server.database.system,
  )
  const [found] = rows
  if (found === undefined) throw new Error('there is no workflow')
  return {
    account,
    id,
    list: (query = {}) => account.client.workflows.executions({ params: { id }, query }),
    async insert(entries) {
      const inserted = await Promise.all(
        entries.map(async ([state, trigger, minute]) => {
          const ms = midnightMs + minute * 60_000
          const { rows: made } = await sql<{ id: string }>`
            insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, created_at, started_at)
            select overlay(overlay(gen_random_uuid()::text placing ${timePart(ms)} from 1) placing '7' from 15)::uuid, ${account.accountId},
              ${found.workflow}, ${found.version}, ${state}, ${trigger}, 'test:list', '{}', ${new Date(ms)}, ${new Date(ms)}
            returning id`.execute(server.database.system)
          return toTypeId('exec', made[0]?.id ?? '')
        }),
      )
      return inserted
    },
  }
}

/** The first 48 bits of a UUIDv7. */
function timePart(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

const idsOf = (page: { data: readonly { id: string }[] }) => page.data.map(({ id }) => id)

describe('the executions of a workflow', () => {
  test('executions are listed newest first, each with the number of its version', async () => {
    const { account, id, list } = await scene()
    const started: string[] = []
    for (const name of ['a', 'b', 'c']) {
      const { body } = await account.send('POST', `/api/v1/workflows/${id}/execute`, { input: { name } }, { prefer: 'wait=5' })
      started.push(body.id)
    }
    const page = await list()
    expect(idsOf(page)).toEqual(started.toReversed())
    expect(page.data[0]).toMatchObject({ workflowId: id, workflowVersion: 1, state: 'completed', trigger: 'manual' })
    expect(page.data[0]).not.toHaveProperty('input')
  })

  test('the list of a workflow contains no execution of another workflow', async () => {
    const { account, list, insert } = await scene()
    await insert([['completed', 'manual', 1]])
    const other = await account.client.workflows.create({ body: { definition: documentOf(greets) } })
    expect((await account.client.workflows.executions({ params: { id: other.id } })).data).toEqual([])
    expect((await list()).data).toHaveLength(1)
  })
})

describe('filters', () => {
  test('filters by state and trigger return the matching executions, newest first', async () => {
    const { list, insert } = await scene()
    const all = executionStates.flatMap((state) => triggerKinds.map((trigger) => ({ state, trigger })))
    const ids = await insert(all.map(({ state, trigger }, minute) => [state, trigger, minute]))
    const fitting = (fits: (row: { state: string; trigger: string }) => boolean) =>
      ids.filter((_, at) => fits(all[at] ?? { state: '', trigger: '' })).toReversed()
    for (const state of executionStates) expect(idsOf(await list({ state }))).toEqual(fitting((row) => row.state === state))
    for (const trigger of triggerKinds) expect(idsOf(await list({ trigger }))).toEqual(fitting((row) => row.trigger === trigger))
    const both = await list({ state: 'faulted', trigger: 'webhook' })
    expect(idsOf(both)).toEqual(fitting((row) => row.state === 'faulted' && row.trigger === 'webhook'))
  })

  test('a filter by time includes its beginning and excludes its end', async () => {
    const { list, insert } = await scene()
    const ids = await insert([0, 10, 20, 30].map((minute) => ['completed', 'manual', minute] as const))
    const at = (minute: number) => new Date(midnightMs + minute * 60_000).toISOString()
    expect(idsOf(await list({ from: at(10) }))).toEqual([ids[3], ids[2], ids[1]])
    expect(idsOf(await list({ to: at(20) }))).toEqual([ids[1], ids[0]])
    expect(idsOf(await list({ from: at(10), to: at(20) }))).toEqual([ids[1]])
    expect(idsOf(await list({ from: at(10), to: at(30), state: 'completed' }))).toEqual([ids[2], ids[1]])
    expect(idsOf(await list({ from: '1969-12-31T23:59:59Z', to: '9999-12-31T23:59:59Z' }))).toHaveLength(4)
  })

  test.each([
    { state: 'done' },
    { trigger: 'magic' },
    { from: 'yesterday' },
    { limit: 0 },
    { limit: 101 },
    { cursor: 'x' },
    { colour: 'red' },
  ])('that mean nothing are a 400: %j', async (query) => {
    const { account, id } = await scene()
    const text = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString()
    const { status, body } = await account.send('GET', `/api/v1/workflows/${id}/executions?${text}`)
    expect([status, body.code]).toEqual([400, 'request_invalid'])
    expect(body.errors[0]).toMatchObject({ pointer: `/${Object.keys(query)[0]}`, in: 'query' })
  })
})

describe('pages', () => {
  test.each([{}, { state: 'faulted' }, { trigger: 'manual' }])(
    'contain every execution once while new ones are started, filtered by %j',
    async (filter) => {
      const { list, insert } = await scene()
      const ids = await insert(Array.from({ length: 10 }, (_, minute) => ['faulted', 'manual', minute] as const))
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await list({ ...filter, limit: 3, ...(cursor === undefined ? {} : { cursor }) })
        seen.push(...idsOf(page))
        cursor = page.nextCursor ?? undefined
        await insert([['faulted', 'manual', 100 + seen.length]])
      } while (cursor !== undefined)
      expect(seen).toEqual(ids.toReversed())
    },
  )

  test('a page of a million executions reads no more rows than it contains', async () => {
    const { account, insert } = await scene()
    await insert(Array.from({ length: 300 }, (_, minute) => [minute === 0 ? 'faulted' : 'completed', 'manual', minute] as const))
    await sql`analyze executions`.execute(server.database.system)
    const { rows } = await sql<{ 'QUERY PLAN': unknown }>`
      explain (analyze, format json) select id from executions where account_id = ${account.accountId}
        and workflow_id = (select id from workflows where account_id = ${account.accountId}) and state = 'faulted' and trigger = 'manual'
      order by id desc nulls last limit 26`.execute(server.database.system)
    const plan = JSON.stringify(rows)
    // The index of its partition that executions_by_filter stands for.
    expect(plan).toContain('workflow_id_state_trigger_id_idx')
    expect(plan).not.toContain('Seq Scan on executions')
  })
})

test('no query of an account returns executions of another account', async () => {
  const [one, other] = [await scene(), await scene()]
  await one.insert([['completed', 'manual', 1]])
  expect(await other.account.send('GET', `/api/v1/workflows/${one.id}/executions`)).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  })
  const seen = await server.database.account(other.account.accountId, (tx) => tx.selectFrom('executions').select('id').execute())
  expect(seen).toEqual([])
})
