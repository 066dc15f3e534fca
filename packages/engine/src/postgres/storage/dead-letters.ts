import { type RawBuilder, sql } from 'kysely'
import { isOpenSql, isReplayedSql } from './dead-letter-state.ts'
import type { SqlExecutor } from './sql-database.ts'

export type DeadLetterKind = 'execution' | 'event_delivery'

/** Work that is not retried any more; ids are UUIDs. */
export interface DeadLetter {
  readonly id: string
  readonly kind: DeadLetterKind
  readonly reason: string
  readonly attempts: number
  readonly executionId: string | undefined
  readonly workflowId: string | undefined
  readonly subscriptionId: string | undefined
  readonly deliveryId: string | undefined
  readonly createdAt: Date
  readonly replayedAt: Date | undefined
  /** As `kind:id`. */
  readonly replayedBy: string | undefined
  /** The execution that continues it. */
  readonly replayedAs: string | undefined
}

/** A dead letter with its work as JSON text. */
export interface WholeDeadLetter extends DeadLetter {
  readonly payload: string
}

/** A property that is undefined admits every dead letter. */
export interface DeadLetterFilter {
  readonly kind: DeadLetterKind | undefined
  readonly workflowId: string | undefined
  readonly from: Date | undefined
  readonly to: Date | undefined
  readonly replayed: boolean | undefined
}

interface LetterRow {
  readonly id: string
  readonly kind: DeadLetterKind
  readonly reason: string
  readonly attempts: number
  readonly execution_id: string | null
  readonly workflow_id: string | null
  readonly subscription_id: string | null
  readonly delivery_id: string | null
  readonly created_at: Date
  readonly replayed_at: Date | null
  readonly replayed_by: string | null
  readonly replayed_as: string | null
}

const columns = sql`id, kind, reason, attempts, execution_id, workflow_id, subscription_id, delivery_id, created_at, replayed_at, replayed_by,
  replayed_as`

/** Dead letters that the filter admits, newest first. */
export async function listDeadLetters(
  executor: SqlExecutor,
  accountId: string,
  filter: DeadLetterFilter,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly DeadLetter[]> {
  const beyond = before === undefined ? sql`true` : sql`id < ${before}`
  const { rows } = await sql<LetterRow>`
    select ${columns} from dead_letters where ${conditionsOf(accountId, filter)} and ${beyond} order by id desc limit ${limit}`.execute(
    executor,
  )
  return rows.map(letterOf)
}

/** Ids of the dead letters that the filter admits, oldest first, without those of `except`. */
export async function findOldestDeadLetters(
  executor: SqlExecutor,
  accountId: string,
  filter: DeadLetterFilter,
  options: { readonly after: string | undefined; readonly except: readonly string[]; readonly limit: number },
): Promise<readonly string[]> {
  const { after, except, limit } = options
  const beyond = after === undefined ? sql`true` : sql`id > ${after}`
  const { rows } = await sql<{ readonly id: string }>`
    select id from dead_letters
    where ${conditionsOf(accountId, filter)} and ${beyond} and id <> all(${except}::uuid[]) order by id limit ${limit}`.execute(executor)
  return rows.map(({ id }) => id)
}

export async function findDeadLetter(executor: SqlExecutor, accountId: string, id: string): Promise<WholeDeadLetter | undefined> {
  const { rows } = await sql<LetterRow & { readonly payload: string }>`
    select ${columns}, payload from dead_letters where account_id = ${accountId} and id = ${id}`.execute(executor)
  return rows[0] === undefined ? undefined : { ...letterOf(rows[0]), payload: rows[0].payload }
}

/** Records that a dead letter was replayed. @returns false when it was replayed before. */
export async function markDeadLetterReplayed(
  executor: SqlExecutor,
  accountId: string,
  id: string,
  { at, by, as }: { readonly at: Date; readonly by: string; readonly as: string | undefined },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update dead_letters set replayed_at = ${at}, replayed_by = ${by}, replayed_as = ${as ?? null}
    where account_id = ${accountId} and id = ${id} and ${isOpenSql}`.execute(executor)
  return numAffectedRows === 1n
}

/** Deletes dead letters that were created before a time, at most `limit`. */
export async function deleteOldDeadLetters(executor: SqlExecutor, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from dead_letters where id in (
      select id from dead_letters where created_at < ${before} order by created_at limit ${limit} for update skip locked
    )`.execute(executor)
  return Number(numAffectedRows)
}

export async function deleteDeadLettersOf(executor: SqlExecutor, accountId: string): Promise<void> {
  await sql`delete from dead_letters where account_id = ${accountId}`.execute(executor)
}

/**
 * The insertion of dead letters for deliveries, as the end of a statement.
 * @param source a query for `account_id, subscription_id, delivery_id, attempts, payload`.
 */
export function insertDeliveryDeadLetters(source: RawBuilder<unknown>, reason: string, at: Date): RawBuilder<unknown> {
  return sql`
    insert into dead_letters (id, account_id, kind, subscription_id, delivery_id, reason, attempts, payload, created_at)
    select millrace_uuid_v7(), s.account_id, 'event_delivery', s.subscription_id, s.delivery_id, ${reason}, s.attempts, s.payload, ${at}
    from (${source}) s`
}

function conditionsOf(accountId: string, { kind, workflowId, from, to, replayed }: DeadLetterFilter): RawBuilder<unknown> {
  const conditions = [sql`account_id = ${accountId}`]
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`)
  if (workflowId !== undefined) conditions.push(sql`workflow_id = ${workflowId}`)
  if (from !== undefined) conditions.push(sql`created_at >= ${from}`)
  if (to !== undefined) conditions.push(sql`created_at < ${to}`)
  if (replayed !== undefined) conditions.push(replayed ? isReplayedSql : isOpenSql)
  return sql.join(conditions, sql` and `)
}

function letterOf(row: LetterRow): DeadLetter {
  return {
    id: row.id,
    kind: row.kind,
    reason: row.reason,
    attempts: row.attempts,
    executionId: row.execution_id ?? undefined,
    workflowId: row.workflow_id ?? undefined,
    subscriptionId: row.subscription_id ?? undefined,
    deliveryId: row.delivery_id ?? undefined,
    createdAt: row.created_at,
    replayedAt: row.replayed_at ?? undefined,
    replayedBy: row.replayed_by ?? undefined,
    replayedAs: row.replayed_as ?? undefined,
  }
}
