import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { documentOf, fails, greets, waits } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/audit'
let server: TestServer
let account: TestAccount
let date: string
/** Ids of executions; the last one waits. */
let executions: readonly string[]
/** What the export of the log has of executions. One that takes long, as on a busy machine, has its start besides its end. */
let entries: readonly ExportedEntry[]

interface ExportedEntry {
  readonly at: string
  readonly event: string
  readonly target: string
  readonly details: Readonly<Record<string, unknown>>
}

/** Three executions that end, one that faults, and one that has started; each with its events in a block, where most are with others. */
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
  await vi.waitFor(async () => {
    const states = await Promise.all(ended.map(async (id) => (await account.send('GET', `/api/v1/workflows/executions/${id}`)).body.state))
    if (states.some((state) => state !== 'completed' && state !== 'faulted')) throw new Error(`not all have ended: ${states.join(', ')}`)
  })
  date = new Date().toISOString().slice(0, 10)
  // Appends what waits, and signs the log.
  const { body } = await account.send('GET', `${path}/export/${date}`)
  entries = body.lines
    .flatMap((line: string) => JSON.parse(line).leaf?.entry ?? [])
    .filter(({ event }: ExportedEntry) => event.startsWith('execution.'))
  // The event of the export itself is appended later, and is described with its place in the log from then on.
  await vi.waitFor(async () => {
    const { data } = await query('limit=100')
    if (data.some(({ log }: { log: unknown }) => log === null)) throw new Error('an event is not in the log yet')
  })
})
afterAll(() => server.close())

const query = async (text: string) => (await account.send('GET', `${path}/query?${text}`)).body

test('the events of an execution are found by its target, and have what the export of the log has', async () => {
  for (const target of executions) {
    const ofTarget = entries.filter((entry) => entry.target === target)
    expect(ofTarget.length).toBeGreaterThan(0)
    const { data } = await query(`target=${target}`)
    expect(data).toHaveLength(ofTarget.length)
    for (const { at, event, details } of ofTarget) {
      expect(data).toContainEqual(
        expect.objectContaining({ at, event, details, actor: 'system:engine', log: expect.objectContaining({ date }) }),
      )
      expect(details['startedBy']).toMatch(/^user:usr_/)
      expect(details['inputDigest']).toBe(`sha256:${createHash('sha256').update('{"name":"Ada"}').digest('hex')}`)
    }
  }
  expect((await query(`target=${executions.at(-1)}`)).data).toMatchObject([{ event: 'execution.started' }])
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

test.each<[filter: string, matches: (entry: ExportedEntry) => boolean]>([
  ['event=execution.ended', ({ event }) => event === 'execution.ended'],
  ['event=execution.started', ({ event }) => event === 'execution.started'],
  ['event=execution.*&q=faulted', ({ details }) => details['state'] === 'faulted'],
  ['event=execution.*&q=%25', () => false],
  ['event=execution', () => false],
  ['event=execution.*&actor=user:x', () => false],
  ['event=execution.*&to=2020-01-01T00:00:00Z', () => false],
  ['event=execution.*&from=2020-01-01T00:00:00Z', () => true],
])('the filter %s finds the events of executions that match', async (filter, matches) => {
  const { data } = await query(`${filter}&limit=100`)
  const namesOf = (events: readonly ExportedEntry[]) => events.map(({ event, target }) => `${event} ${target}`).toSorted()
  expect(namesOf(data)).toEqual(namesOf(entries.filter(matches)))
})

const flipped = (bytes: string) => `set_byte(${bytes}, 7, (get_byte(${bytes}, 7) + 1) % 256)`

test.each([
  ['the event', `bases[1] = jsonb_set(bases[1], '{event}', '"execution.other"')`, 'row_changed'],
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
