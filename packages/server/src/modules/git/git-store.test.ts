import { sql } from 'kysely'
import { beforeAll, afterAll, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { createTestDatabase } from '#testing/database.ts'
import { findRepository, insertRepository, isBusy, recordSync, renew, reserve, takeDue } from './git-store.ts'

let made: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  made = await createTestDatabase()
})
afterAll(() => made.drop())

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute))
const next = at(500)
const done = { at: at(0), commit: undefined, problem: undefined, conflicts: undefined, endsFailures: true }

async function link(accountId: string, folder: string, dueAt: Date): Promise<string> {
  const db = made.database.system
  const id = newId()
  const given = {
    url: 'https://git.example.com/x.git',
    branch: 'main',
    folder,
    connection: undefined,
    pull: 'publish',
    automatic: true,
    authors: true,
  } as const
  await insertRepository(db, accountId, { id, ...given }, { at: dueAt, by: 'test' })
  return id
}

test('the repository that is due longest is taken, of accounts without one in progress', async () => {
  const db = made.database.system
  const [slow, other] = [newId(), newId()]
  const [first, second, third] = [await link(slow, 'a', at(0)), await link(slow, 'b', at(1)), await link(other, 'a', at(2))]
  const take = async (minute: number) => (await takeDue(db, { now: at(minute), next }))?.id
  expect(await take(10)).toBe(first)
  const by = newId()
  expect(await reserve(db, slow, first ?? '', { by, leaseMs: 60_000 })).toBe(true)
  expect(await take(10)).toBe(third)
  expect(await take(10)).toBeUndefined()
  await recordSync(db, slow, first ?? '', by, done)
  expect(await take(10)).toBe(second)
})

test('a repository that fails is due less and less often, and as usual after a whole success', async () => {
  const db = made.database.system
  const accountId = newId()
  const id = await link(accountId, 'a', at(0))
  const minutesAfter = async (result: { readonly problem?: string; readonly endsFailures?: boolean }) => {
    const by = newId()
    await reserve(db, accountId, id, { by, leaseMs: 60_000 })
    await recordSync(db, accountId, id, by, { ...done, ...result })
    const { rows } = await sql<{ readonly next_at: Date }>`select next_at from git_repositories where id = ${id}`.execute(db)
    return ((rows[0]?.next_at.getTime() ?? 0) - at(0).getTime()) / 60_000
  }
  const problem = 'The host does not respond.'
  const waits = []
  for (let count = 0; count < 6; count++) waits.push(await minutesAfter({ problem }))
  expect(waits).toEqual([5, 10, 20, 40, 60, 60])
  expect(await minutesAfter({ endsFailures: false })).toBe(5)
  expect(await minutesAfter({ problem })).toBe(60)
  expect(await minutesAfter({})).toBe(5)
  expect(await minutesAfter({ problem })).toBe(5)
  expect((await findRepository(db, accountId, id))?.problem).toBe(problem)
})

test('a reservation that is not renewed ends, and its owner cannot free the one that follows', async () => {
  const db = made.database.system
  const accountId = newId()
  const id = await link(accountId, 'a', at(0))
  const [dead, living] = [newId(), newId()]
  expect(await reserve(db, accountId, id, { by: dead, leaseMs: 60_000 })).toBe(true)
  expect(await reserve(db, accountId, id, { by: living, leaseMs: 60_000 })).toBe(false)
  // Its last renewal was for a moment.
  expect(await renew(db, accountId, id, { by: dead, leaseMs: 0 })).toBe(true)
  expect(await isBusy(db, accountId, id)).toBe(false)
  expect(await reserve(db, accountId, id, { by: living, leaseMs: 60_000 })).toBe(true)
  expect(await renew(db, accountId, id, { by: dead, leaseMs: 60_000 })).toBe(false)
  await recordSync(db, accountId, id, dead, { ...done, problem: 'Too late.' })
  expect([await isBusy(db, accountId, id), (await findRepository(db, accountId, id))?.problem]).toEqual([true, undefined])
})
