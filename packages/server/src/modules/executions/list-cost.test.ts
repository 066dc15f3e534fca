import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { versionQuery } from '#modules/workflows/index.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { type ListOptions, pageOfExecutions } from './list-executions.ts'

const account = '01900000-0000-7000-8000-0000000000aa'
const workflowOf = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
const workflows = 4
const executions = 40_000
const beginsAtMs = Date.UTC(2026, 0, 1)
const minute = (count: number) => new Date(beginsAtMs + count * 60_000)

let db: TestDatabase
/** One execution a minute, of four workflows in turn; versions that nothing has counted yet, as in a young installation. */
beforeAll(async () => {
  db = await createTestDatabase()
  const { system } = db.database
  for (let number = 0; number < workflows; number++)
    await sql`insert into workflows (id, account_id, name, tags, namespace, document_name, enabled, revision, definition, source, syntax,
        checksum, warnings, triggers, created_at, created_by, updated_at, updated_by)
      values (${workflowOf(number)}, ${account}, 'W', '{}', 'tests', ${`w-${number}`}, true, 1, '{}', '', 'yaml', '', '[]', '{manual}',
        now(), 'test:cost', now(), 'test:cost')`.execute(system)
  await sql`insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, created_at)
    select (lpad(to_hex(${beginsAtMs}::bigint + n * 60000), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid, ${account},
      ('01900000-0000-7000-8000-' || lpad((n % ${workflows})::text, 12, '0'))::uuid, ${workflowOf(1000)},
      case when n % 4000 = 0 then 'faulted' else 'completed' end, case when n % 400 = 0 then 'webhook' else 'manual' end, 'test:cost', '{}',
      to_timestamp((${beginsAtMs}::bigint + n * 60000) / 1000.0)
    from generate_series(0::bigint, ${executions - 1}) n`.execute(system)
  // The same value under the same name in another account, and a common one in this.
  await sql`insert into execution_labels (execution_id, account_id, number, name, value)
    select id, account_id, 0, 'order', (row_number() over (order by id) / 30)::text from executions
    union all select id, account_id, 1, 'shop', 'Berlin' from executions
    union all select id, ${workflowOf(7)}, 2, 'order', '7' from executions`.execute(system)
  await sql`vacuum analyze executions, execution_labels`.execute(system)
  await sql`insert into workflow_versions (id, account_id, workflow_id, number, document_version, definition, source, syntax, checksum,
      warnings, checks_input, created_at, created_by)
    select ('01900000-0000-7000-8000-' || lpad((1000 + n)::text, 12, '0'))::uuid, ${account}, ${workflowOf(0)}, n + 1, '1.0.0', json_build_object('x', repeat('x', 1500)), '',
      'yaml', '', '[]', false, now(), 'test:cost' from generate_series(0, 19) n`.execute(system)
})
afterAll(() => db.drop())

const page: ListOptions = {
  limit: 25,
  cursor: undefined,
  versionQuery,
  state: undefined,
  trigger: undefined,
  from: undefined,
  to: undefined,
  nowMs: minute(executions).getTime(),
}

/** Rows of the executions that this transaction has fetched so far. */
async function fetched(tx: Kysely<Rows>): Promise<number> {
  const { rows } = await sql<{ fetched: number }>`
    select sum(seq_tup_read + idx_tup_fetch)::int as fetched from pg_stat_xact_user_tables where relname like 'executions\\_%' or relname = 'execution_labels'`.execute(
    tx,
  )
  return rows[0]?.fetched ?? 0
}

test.each<[string, Partial<ListOptions>, number]>([
  ['no filter', {}, 25],
  ['a common state', { state: 'completed' }, 25],
  ['a rare state', { state: 'faulted' }, 10],
  ['a state that none has', { state: 'suspended' }, 0],
  ['a rare trigger', { trigger: 'webhook' }, 25],
  ['three days', { from: minute(20_000), to: minute(24_320) }, 25],
  ['three weeks', { from: minute(5_000), to: minute(35_240) }, 25],
  ['a rare trigger in three weeks', { limit: 100, trigger: 'webhook', from: minute(5_000), to: minute(35_240) }, 76],
  ['a rare state and its trigger', { limit: 100, state: 'faulted', trigger: 'webhook' }, 10],
  ['a time before all', { to: minute(-10) }, 0],
  ['a rare label', { labels: [{ name: 'order', value: '7' }] }, 7],
  ['a common label', { labels: [{ name: 'shop', value: 'Berlin' }] }, 25],
  [
    'a common and a rare label',
    {
      labels: [
        { name: 'shop', value: 'Berlin' },
        { name: 'order', value: '7' },
      ],
    },
    7,
  ],
  ['a label that none has', { labels: [{ name: 'shop', value: 'Paris' }] }, 0],
])('a page by %s fetches few more rows than it shows', async (_name, options, shown) => {
  await db.database.account(account, async (tx) => {
    const before = await fetched(tx)
    const { data } = await pageOfExecutions(tx, account, workflowOf(0), { ...page, ...options })
    expect(data).toHaveLength(shown)
    // Each row is found and then read; a union of states and triggers looks a little into each. By a label those of the other three workflows are read
    // too, and the labels of what is shown. Of several labels the rarest is found by counting up to 1,000 rows of each.
    const { labels = [] } = options
    const each = labels.length === 0 ? 5 : 12
    const counted = labels.length > 1 ? 1_000 * labels.length : 0
    expect((await fetched(tx)) - before).toBeLessThanOrEqual(each * ((options.limit ?? page.limit) + 1) + counted)
  })
})
