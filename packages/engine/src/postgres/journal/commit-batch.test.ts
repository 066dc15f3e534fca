import { expect, test } from 'vitest'
import { acceptOf, completed, executionIn, headOf, jobsIn, openParts, testDatabase, writeOf } from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'
import { FencedError } from '#postgres/sql/pg-errors.ts'

test.each([
  ['ends', completed({ done: true }), 'completed'],
  ['returns to the queue', { state: 'pending' } as const, 'pending'],
])(
  'an execution that %s although another process has claimed it is refused as fenced, and the others of its batch are written',
  async (_case, progress, state) => {
    const db = await testDatabase()
    const { journal } = await openParts(db, { lanes: 1 })
    const heads = [headOf(), headOf()] as const
    const [own, other] = heads
    await Promise.all(heads.map((head) => journal.write(acceptOf(head, true))))
    const claim = newUuid()
    await db.pool.query(`update executions set claimed_by = $2 where id = $1`, [other.id, claim])
    expect(await Promise.allSettled(heads.map((head) => journal.write(writeOf(head, { progress }))))).toMatchObject([
      { status: 'fulfilled', value: { refused: false } },
      { status: 'rejected', reason: expect.any(FencedError) },
    ])
    expect(await executionIn(db, own.id)).toMatchObject({ state, claimed_by: null })
    expect(await executionIn(db, other.id)).toMatchObject({ state: 'running', claimed_by: claim })
    expect((await jobsIn(db)).map(({ executionId }) => executionId)).not.toContain(other.id)
  },
)
