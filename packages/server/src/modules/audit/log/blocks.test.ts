import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf, fails, greets, waits } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/audit'
let server: TestServer
let account: TestAccount
let date: string
/** Ids of executions; the last one waits. */
let executions: readonly string[]

/** Three executions that end, one that faults, and one that has started; each with its event in a block, where most are with others. */
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
  const create = async (body: string) => (await account.client.workflows.create({ body: { definition: documentOf(body) } })).id
  const [greeting, failing, waiting] = [await create(greets), await create(fails), await create(waits)]
  const run = async (id: string) =>
    (await account.send('POST', `/api/v1/workflows/${id}/execute`, { input: { name: 'Ada' } }, { prefer: 'wait=10' })).body.id
  const ended = await Promise.all([greeting, greeting, greeting, failing].map(run))
  const started = (await account.send('POST', `/api/v1/workflows/${waiting}/execute`, { input: { name: 'Ada' } })).body.id
  executions = [...ended, started]
  date = new Date().toISOString().slice(0, 10)
  // Appends what waits, and signs the log.
  await account.send('GET', `${path}/export/${date}`)
})
afterAll(() => server.close())

const query = async (text: string) => (await account.send('GET', `${path}/query?${text}`)).body

test('an event of an execution is found by its target, and has what the export of the log has', async () => {
  const { body } = await account.send('GET', `${path}/export/${date}`)
  const entries = body.lines.flatMap((line: string) => JSON.parse(line).leaf?.entry ?? [])
  for (const target of executions) {
    const { data } = await query(`target=${target}`)
    expect(data).toHaveLength(1)
    const entry = entries.find((one: { target: string }) => one.target === target)
    expect(data[0]).toMatchObject({ at: entry.at, event: entry.event, details: entry.details, actor: 'system:engine', log: { date } })
    expect(entry.details.inputDigest).toBe(`sha256:${createHash('sha256').update('{"name":"Ada"}').digest('hex')}`)
  }
  expect((await query(`target=${executions.at(-1)}`)).data[0]).toMatchObject({ event: 'execution.started' })
})

test('events in blocks and others are pages of one list, newest first, without a gap', async () => {
  const all = (await query('limit=100')).data
  const times = all.map(({ at }: { at: string }) => at)
  expect(times).toEqual(times.toSorted().toReversed())
  const seen: unknown[] = []
  for (let cursor = ''; ; ) {
    const page = await query(`limit=2${cursor}`)
    seen.push(...page.data)
    if (page.nextCursor === null) break
    cursor = `&cursor=${page.nextCursor}`
  }
  expect(seen).toEqual(all)
})

test.each([
  ['event=execution.ended', 4],
  ['event=execution.*&q=faulted', 1],
  ['event=execution.*&q=%25', 0],
  ['event=execution', 0],
  ['event=execution.*&actor=user:x', 0],
  ['event=execution.*&to=2020-01-01T00:00:00Z', 0],
  ['event=execution.*&from=2020-01-01T00:00:00Z', 5],
])('the filter %s finds %i events', async (filter, count) => {
  expect((await query(`${filter}&limit=100`)).data).toHaveLength(count)
})

const flipped = (bytes: string) => `set_byte(${bytes}, 7, (get_byte(${bytes}, 7) + 1) % 256)`

test.each([
  ['the event', `bases[1] = jsonb_set(bases[1], '{event}', '"execution.started"')`, 'row_changed'],
  ['the state', `bases[1] = jsonb_set(bases[1], '{details,state}', '"cancelled"')`, 'row_changed'],
  ['the workflow', `bases[1] = jsonb_set(bases[1], '{details,workflow}', '"wf_x"')`, 'row_changed'],
  ['the base', `base_numbers[1] = 9`, 'row_changed'],
  ['the id', `event_ids[1] = gen_random_uuid()`, 'row_changed'],
  ['the target', `targets[1] = 'exec_x'`, 'row_changed'],
  ['the time', `times[1] = times[1] + interval '1 millisecond'`, 'row_changed'],
  ['the start', `started_times[1] = started_times[1] - interval '1 millisecond'`, 'row_changed'],
  ['the digest of the input', `input_digests[1] = ${flipped('input_digests[1]')}`, 'row_changed'],
  ['the salt', `salts[1] = ${flipped('salts[1]')}`, 'row_changed'],
  ['the missing id', `event_ids[1] = null`, 'row_missing'],
  ['the leaf', `hashes[1] = ${flipped('hashes[1]')}`, 'leaf_changed'],
  ['the missing leaf', `hashes[1] = null`, 'leaf_changed'],
  ['the account', `account_id = gen_random_uuid()`, 'leaf_missing'],
])('verification names the event of an execution of which %s was changed by a superuser', async (_name, change, kind) => {
  const index = await tampered((block) => `update audit_blocks set ${change} where ${block}`)
  expect((await verified()).findings).toContainEqual(expect.objectContaining({ kind, index }))
  await restored()
})

test.each([
  ['deleted', (block: string) => `delete from audit_blocks where ${block}`, 'leaf_missing'],
  ['moved over other leaves', (block: string) => `update audit_blocks set first_index = 1 where ${block}`, 'leaf_inserted'],
])('verification names the leaves of a block that was %s', async (_name, statement, kind) => {
  await tampered(statement)
  expect((await verified()).findings).toContainEqual(expect.objectContaining({ kind }))
  await restored()
})

test('verification finds a block on a day that the log does not have', async () => {
  await tampered(
    (block) => `insert into audit_blocks (${columns}) select ${columns.replace('day', 'day - 400')} from audit_blocks where ${block}`,
  )
  expect((await verified()).findings).toContainEqual(expect.objectContaining({ kind: 'row_inserted' }))
  await restored()
  expect(await verified()).toMatchObject({ findings: [] })
})

const columns = `account_id, day, first_index, size, created, first_at, last_at, bases, base_numbers, event_ids, targets, times, started_times,
  input_digests, output_digests, salts, hashes`

async function verified() {
  return (await account.send('GET', `${path}/verify/${date}`)).body.day
}

/** Changes the first block as an attacker with all rights. @returns the index of its first event. */
async function tampered(statement: (block: string) => string): Promise<number> {
  const { rows } = await sql<{ first_index: number }>`
    select min(first_index) as first_index from audit_blocks where account_id = ${account.accountId}`.execute(server.database.system)
  const index = rows[0]?.first_index ?? 0
  await asSuperuser([
    `create table kept_blocks as select * from audit_blocks where account_id = '${account.accountId}'`,
    statement(`account_id = '${account.accountId}' and first_index = ${index}`),
  ])
  return index
}

async function restored() {
  await asSuperuser([
    'delete from audit_blocks where event_ids && array(select unnest(event_ids) from kept_blocks) or targets && array(select unnest(targets) from kept_blocks)',
    'insert into audit_blocks select * from kept_blocks',
    'drop table kept_blocks',
  ])
}

async function asSuperuser(statements: readonly string[]) {
  await server.database.system.transaction().execute(async (tx) => {
    await sql`alter table audit_blocks disable trigger user`.execute(tx)
    for (const statement of statements) await sql.raw(statement).execute(tx)
    await sql`alter table audit_blocks enable trigger user`.execute(tx)
  })
}
