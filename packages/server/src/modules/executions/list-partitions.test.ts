import { createRetention } from '@millrace/engine/storage'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { versionQuery } from '#modules/workflows/index.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { addExecution, addWorkflow, day } from '#testing/executions.ts'
import { type ListOptions, pageOfExecutions } from './list-executions.ts'

const account = '01900000-0000-7000-8000-0000000000aa'
const days = 300
const beginsAtMs = Date.now()
const at = (count: number) => beginsAtMs + count * day

let db: TestDatabase
let workflow: string
/** An execution a day in partitions of a week each; one in fifty days comes by a webhook. */
beforeAll(async () => {
  db = await createTestDatabase()
  const { system } = db.database
  let nowMs = beginsAtMs
  const retention = createRetention({ db: system, now: () => nowMs, retentionMs: 28 * day, readPeriods: async () => new Map() })
  for (let count = 0; count <= days; count += 7) {
    nowMs = at(count)
    await retention.prepare()
  }
  workflow = await addWorkflow(system, { account })
  for (let count = 0; count < days; count++) await addExecution(system, { workflow, atMs: at(count) })
  await sql`update executions e set version_id = w.latest_version_id,
      trigger = case when round(extract(epoch from e.created_at - to_timestamp(${beginsAtMs / 1000})) / 86400)::int4 % 50 = 0 then 'webhook' else 'manual' end
    from workflows w where w.id = e.workflow_id`.execute(system)
  await sql`analyze executions`.execute(system)
})
afterAll(() => db.drop())

const first: ListOptions = {
  limit: 5,
  cursor: undefined,
  versionQuery,
  state: undefined,
  trigger: undefined,
  from: undefined,
  to: undefined,
  nowMs: at(days),
}

/** Partitions that this transaction has looked at. */
async function partitionsSeen(tx: Kysely<Rows>): Promise<number> {
  const { rows } = await sql<{ seen: number }>`
    select count(distinct l.relation)::int4 as seen from pg_locks l join pg_inherits i on i.inhrelid = l.relation
    where l.pid = pg_backend_pid() and i.inhparent = 'executions'::regclass`.execute(tx)
  return rows[0]?.seen ?? 0
}

const list = (options: Partial<ListOptions>) =>
  db.database.account(account, async (tx) => {
    const { data, nextCursor } = await pageOfExecutions(tx, account, workflow, { ...first, ...options })
    return {
      days: data.map(({ createdAt }) => Math.round((createdAt.getTime() - beginsAtMs) / day)),
      nextCursor,
      seen: await partitionsSeen(tx),
    }
  })

test.each<[string, Partial<ListOptions>, number[]]>([
  ['of the newest', {}, [299, 298, 297, 296, 295]],
  ['of a state that nearly all have', { state: 'completed' }, [299, 298, 297, 296, 295]],
  ['of a trigger that nearly all have', { trigger: 'manual' }, [299, 298, 297, 296, 295]],
  ['before a time', { to: new Date(at(100)) }, [99, 98, 97, 96, 95]],
  ['of a time', { trigger: 'webhook', from: new Date(at(96)), to: new Date(at(104)) }, [100]],
])('a page %s looks into the partitions of a few days, and leaves the others out', async (_what, options, shown) => {
  const page = await list(options)
  expect(page.days).toEqual(shown)
  expect(page.seen).toBeLessThanOrEqual(4)
})

test('a page of rare executions reads older partitions until it is full, or up to the oldest partition', async () => {
  const page = await list({ trigger: 'webhook', limit: 3 })
  expect(page.days).toEqual([250, 200, 150])
  expect((await list({ trigger: 'webhook', limit: 10 })).days).toEqual([250, 200, 150, 100, 50, 0])
  expect((await list({ trigger: 'event' })).days).toEqual([])
})

test.each([7, 100])('pages of %i have no gap across partitions', async (limit) => {
  const seen: number[] = []
  let cursor: string | undefined
  for (let pages = 0; pages <= days / limit + 1; pages++) {
    const page = await list({ limit, cursor })
    seen.push(...page.days)
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  expect(seen).toEqual(Array.from({ length: days }, (_, index) => days - 1 - index))
})

test('executions that processes with fast clocks accepted are on the first page', async () => {
  expect((await list({ nowMs: at(200) })).days).toEqual([299, 298, 297, 296, 295])
})
