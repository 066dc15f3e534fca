import { expect, test } from 'vitest'
import { newUuid } from '#testing/uuid.ts'
import { openParts, testDatabase } from '#testing/postgres-parts.ts'
import { flushQuery } from '#postgres/journal/flush-statement.ts'
import { idBounds } from './id-bounds.ts'
import { prepareWrite } from '#postgres/journal/prepare-write.ts'

test('the bounds of ids are their minimum and maximum in the order of PostgreSQL', async () => {
  const db = await testDatabase()
  const ids = Array.from({ length: 50 }, newUuid)
  const { rows } = await db.pool.query<{ ids: string[] }>('select array(select unnest($1::uuid[]) order by 1)::text[] as ids', [ids])
  expect(idBounds(ids)).toEqual([rows[0]?.ids[0], rows[0]?.ids.at(-1)])
  expect(idBounds(ids.slice(0, 1))).toEqual([ids[0], ids[0]])
})

test('the bounds of no ids are an empty range', () => {
  const [least, greatest] = idBounds([])
  expect(least > greatest).toBe(true)
})

test('a flush with a generic plan scans only the partitions of its executions', async () => {
  const db = await testDatabase()
  const { identity } = await openParts(db)
  for (const parent of ['executions', 'journal'])
    await db.pool.query(
      `create table ${parent}_far partition of ${parent} for values from ('ffff0000-0000-7000-8000-000000000000') to ('ffff1000-0000-7000-8000-000000000000')`,
    )
  const id = newUuid()
  const progress = { state: 'completed', output: 1, error: undefined, decisions: '', endedAtMs: 1, parentId: undefined } as const
  const write = {
    executionId: id,
    accountId: newUuid(),
    accept: undefined,
    entries: [],
    children: [],
    cancels: [],
    waits: undefined,
    events: [],
    reply: undefined,
  }
  const { text, values } = flushQuery(identity.id(), [prepareWrite({ ...write, progress })])
  const client = await db.pool.connect()
  try {
    await client.query('set plan_cache_mode = force_generic_plan')
    const types = [...text.matchAll(/\$(\d+)::(\w+(?:\[\])?)/g)].reduce(
      (all, [, number = '', type = '']) => all.set(Number(number), type),
      new Map<number, string>(),
    )
    const names = Array.from({ length: values?.length ?? 0 }, (_, index) => types.get(index + 1) ?? 'uuid')
    await client.query(`prepare one (${names.join(', ')}) as ${text}`)
    const literals = (values ?? []).map((value) => (Array.isArray(value) ? `array[${value.map(literal).join(', ')}]` : literal(value)))
    const casts = literals.map((value, index) => `${value}::${names[index]}`)
    const { rows } = await client.query(`explain execute one (${casts.join(', ')})`)
    const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n')
    expect(plan).toMatch(/Subplans Removed: [1-9]/)
    expect(plan).not.toMatch(/Scan .*executions_far/)
  } finally {
    client.release(true)
  }
})

function literal(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}
