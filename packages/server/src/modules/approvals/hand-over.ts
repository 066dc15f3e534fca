import type { Engine, Json } from '@millrace/engine'
import { sql } from 'kysely'
import { dropMails } from './mail-store.ts'
import { approvalTopic } from './model.ts'
import type { Executor } from './store.ts'

/** Whoever decides hands over at once; after this long the keeper takes it that they could not. */
export const handOverMs = 10_000

export interface HandOverDeps {
  readonly db: Executor
  readonly engine: Pick<Engine, 'deliver'>
}

/**
 * Hands what was decided to the execution. The decision is committed before, and the engine takes the first answer to a wait and no other, so
 * this can be repeated after a crash at any point: nothing is lost and nothing comes twice.
 */
export async function handOver({ db, engine }: HandOverDeps, approvalId: string): Promise<void> {
  const { rows } = await sql<{ account_id: string; execution_id: string; position: string; output: string }>`
    select account_id, execution_id, position, output from approvals
    where id = ${approvalId} and due_at is not null and output is not null`.execute(db)
  const [row] = rows
  if (row === undefined) return
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A column of the type json holds nothing else.
  const value = JSON.parse(row.output) as Json
  await engine.deliver({ accountId: row.account_id, executionId: row.execution_id, position: row.position, topic: approvalTopic, value })
  await sql`update approvals set due_at = null where id = ${approvalId} and output is not null`.execute(db)
  await dropMails(db, [approvalId])
}
