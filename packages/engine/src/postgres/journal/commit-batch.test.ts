import { expect, test } from 'vitest'
import type { Progress, Write } from '#durable/ports/journal.ts'
import type { EngineDatabase } from '#testing/database.ts'
import {
  acceptOf,
  completed,
  entryOf,
  executionIn,
  headOf,
  jobsIn,
  openParts,
  testAccount,
  testDatabase,
  writeOf,
} from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'
import { FencedError } from '#postgres/sql/pg-errors.ts'

async function countOf({ pool }: EngineDatabase, table: string, executionId: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count from ${table} where execution_id = $1`, [executionId])
  return rows[0]?.count ?? 0
}

const wait = (position: string) => ({ position, topic: 'approve', arguments: {} })

/** What a write does beside its progress: `alone` in one statement, `with others` in a transaction with other rows. */
const contents: readonly (readonly [string, Partial<Write>])[] = [
  ['alone', { entries: [entryOf(0)] }],
  [
    'with others',
    {
      entries: [entryOf(0)],
      waits: { opened: [wait('/do/1/new')], closed: ['/do/0/old'], consumed: [] },
      events: [{ id: 'e', source: 's', type: 'x', specversion: '1.0' }],
      reply: { body: 1 },
    },
  ],
]
const ends: readonly (readonly [string, Progress])[] = [
  ['ends', completed({ done: true })],
  ['returns to the queue', { state: 'pending' }],
]

test.each(contents.flatMap(([how, more]) => ends.map(([end, progress]) => [end, how, { ...more, progress }] as const)))(
  'an execution that %s, %s, after its process has released it is refused as fenced and not written at all, and the others of its batch are written',
  async (_end, _how, content) => {
    const db = await testDatabase()
    const { journal, store } = await openParts(db, { lanes: 1 })
    const heads = [headOf(), headOf(), headOf()] as const
    const [first, released, claimed] = heads
    await Promise.all(heads.map((head) => journal.write(acceptOf(head, true))))
    const opened = { opened: [wait('/do/0/old')], closed: [], consumed: [] }
    await Promise.all(heads.map((head) => journal.write(writeOf(head, { waits: opened }))))
    // A process that closes does so with executions that have not left it in time.
    await store.release([released.id])
    const claim = newUuid()
    await db.pool.query(`update executions set claimed_by = $2 where id = $1`, [claimed.id, claim])
    const child = headOf({ parentId: released.id })
    const children = [{ head: child, startedAtMs: undefined }]
    const writes = heads.map((head) => writeOf(head, head === released ? { ...content, children } : content))
    expect(await Promise.allSettled(writes.map((write) => journal.write(write)))).toMatchObject([
      { status: 'fulfilled', value: { refused: false } },
      { status: 'rejected', reason: expect.any(FencedError) },
      { status: 'rejected', reason: expect.any(FencedError) },
    ])
    const { progress, waits, reply } = content
    expect(await executionIn(db, first.id)).toMatchObject({ state: progress.state, claimed_by: null })
    expect(await countOf(db, 'journal', first.id)).toBe(1)
    expect(await store.find(testAccount, first.id)).toMatchObject({ reply })
    expect(await executionIn(db, released.id)).toMatchObject({ state: 'pending', claimed_by: null })
    expect(await executionIn(db, claimed.id)).toMatchObject({ state: 'running', claimed_by: claim })
    expect(await executionIn(db, child.id)).toBeUndefined()
    for (const { id } of [released, claimed]) {
      expect([await countOf(db, 'journal', id), await countOf(db, 'waits', id)]).toEqual([0, 1])
      expect((await store.find(testAccount, id))?.reply).toBeUndefined()
    }
    const { rows } = await db.pool.query('select position from waits where execution_id = $1', [first.id])
    expect(rows).toEqual([{ position: waits === undefined ? '/do/0/old' : '/do/1/new' }])
    expect((await jobsIn(db)).map(({ executionId }) => executionId)).not.toContain(claimed.id)
  },
)

test('a batch of which the process claims nothing writes nothing, and the next one is written', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db, { lanes: 1 })
  const [lost, own] = [headOf(), headOf()]
  await Promise.all([lost, own].map((head) => journal.write(acceptOf(head, true))))
  await store.release([lost.id])
  await expect(journal.write(writeOf(lost, { progress: completed(1) }))).rejects.toThrow(FencedError)
  await journal.write(writeOf(own, { progress: completed(1) }))
  expect(await executionIn(db, own.id)).toMatchObject({ state: 'completed' })
  expect(await executionIn(db, lost.id)).toMatchObject({ state: 'pending' })
})
