import { type Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { newId } from '#platform/ids.ts'
import { createTestDatabase } from '#testing/database.ts'
import { type ApprovalState, approvalStates, approvalTransitions, mayFollow } from './approval-state.ts'
import { clearResumption, closeApprovalsOfEndedWaits, postpone, writeApprovers, writeEnd, writeStagesTaken } from './approval-store.ts'

const at = new Date()

interface StoredApproval {
  readonly id: string
  readonly accountId: string
}

/** A statement that changes a row of `approvals`. */
type Statement = (db: Kysely<Rows>, approval: StoredApproval) => Promise<unknown>

const endings = (['approved', 'rejected', 'expired', 'closed'] as const).map((state): readonly [string, Statement] => [
  `writeEnd ${state}`,
  (db, { accountId, id }) => writeEnd(db, accountId, id, { state, at, output: undefined, dueAt: undefined }),
])

const statements: Readonly<Record<string, Statement>> = {
  ...Object.fromEntries(endings),
  closeApprovalsOfEndedWaits: async (db) => {
    await sql`insert into approval_ends (execution_id, position) select execution_id, position from approvals`.execute(db)
    await closeApprovalsOfEndedWaits(db, at, 1_000)
  },
  writeApprovers: (db, { accountId, id }) => writeApprovers(db, accountId, id, { approverKeys: ['role:admin'], excludedUserIds: [] }),
  writeStagesTaken: (db, { accountId, id }) => writeStagesTaken(db, accountId, id, { stagesTaken: 1, dueAt: at }),
  postpone: (db, { id }) => postpone(db, id, at),
  clearResumption: (db, { id }) => clearResumption(db, id),
}

async function insertApproval(db: Kysely<Rows>, state: ApprovalState): Promise<StoredApproval> {
  const [id, accountId] = [newId(), newId()]
  await sql`insert into approvals (id, account_id, execution_id, position, arguments, opened_at, state, ended_at, due_at)
    values (${id}, ${accountId}, ${newId()}, '/do/0/ask', '{}', ${at}, ${state}, ${state === 'open' ? null : at}, ${at})`.execute(db)
  return { id, accountId }
}

async function stateOf(db: Kysely<Rows>, id: string): Promise<ApprovalState | undefined> {
  const { rows } = await sql<{ readonly state: ApprovalState }>`select state from approvals where id = ${id}`.execute(db)
  return rows[0]?.state
}

describe('the states of an approval', () => {
  test('every statement makes only the transitions of the table, and together they make all of them', async () => {
    await using made = await createTestDatabase()
    const db = made.database.system
    const observed = new Set<string>()
    for (const [name, run] of Object.entries(statements))
      for (const before of approvalStates) {
        const approval = await insertApproval(db, before)
        await run(db, approval)
        const after = await stateOf(db, approval.id)
        await sql`delete from approvals`.execute(db)
        if (after === before) continue
        expect(after !== undefined && mayFollow(before, after), `${name}: ${before} -> ${after}`).toBe(true)
        observed.add(`${before} -> ${after}`)
      }
    const allowed = approvalStates.flatMap((from) => approvalTransitions[from].map((to) => `${from} -> ${to}`))
    expect([...observed].toSorted()).toEqual(allowed.toSorted())
  })

  test('an approval begins open, with the wait of its execution', async () => {
    await using made = await createTestDatabase()
    const db = made.database.system
    await sql`insert into waits (execution_id, position, account_id, topic, arguments, opened_at)
      values (${newId()}, '/do/0/ask', ${newId()}, 'approve', '{}', now())`.execute(db)
    const { rows } = await sql`select state from approvals`.execute(db)
    expect(rows).toEqual([{ state: 'open' }])
  })
})
