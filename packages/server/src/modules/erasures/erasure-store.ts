import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

export interface Kept {
  readonly table: string
  readonly records: number
  readonly reason: string
}

export interface Erasure {
  readonly id: string
  readonly state: 'running' | 'waiting' | 'done'
  readonly given: number
  readonly reason: string | undefined
  /** Records by table. */
  readonly erased: Readonly<Record<string, number>>
  readonly kept: readonly Kept[]
  readonly requestedAt: Date
  readonly requestedBy: string
  readonly endedAt: Date | undefined
}

interface Row {
  readonly id: string
  readonly state: Erasure['state']
  readonly given: number
  readonly reason: string | null
  readonly erased: Readonly<Record<string, number>>
  readonly kept: readonly Kept[]
  readonly requested_at: Date
  readonly requested_by: string
  readonly ended_at: Date | null
}

const columns = sql`id, state, given, reason, erased, kept, requested_at, requested_by, ended_at`

export interface NewErasure {
  readonly id: string
  readonly sealed: Buffer
  readonly given: number
  readonly reason: string | undefined
  readonly includesForms: boolean
  readonly at: Date
  readonly by: string
}

export async function insertErasure(tx: Executor, accountId: string, erasure: NewErasure): Promise<Erasure> {
  const { id, sealed, given, reason, includesForms, at, by } = erasure
  const { rows } = await sql<Row>`
    insert into privacy_erasures (id, account_id, state, sealed, given, reason, includes_forms, requested_at, requested_by, updated_at)
    values (${id}, ${accountId}, 'running', ${sealed}, ${given}, ${reason ?? null}, ${includesForms}, ${at}, ${by}, ${at})
    returning ${columns}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('an erasure that was just written does not exist')
  return erasureOf(row)
}

export async function findErasure(tx: Executor, accountId: string, id: string): Promise<Erasure | undefined> {
  const { rows } = await sql<Row>`select ${columns} from privacy_erasures where account_id = ${accountId} and id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : erasureOf(rows[0])
}

export async function listErasures(
  tx: Executor,
  accountId: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly Erasure[]> {
  const { rows } = await sql<Row>`
    select ${columns} from privacy_erasures where account_id = ${accountId} ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(erasureOf)
}

/** What an erasure that is not done looks for; undefined when it is done. */
export async function findOpen(db: Executor, accountId: string, id: string) {
  const { rows } = await sql<{ readonly sealed: Buffer; readonly includes_forms: boolean }>`
    select sealed, includes_forms from privacy_erasures where account_id = ${accountId} and id = ${id} and state <> 'done'`.execute(db)
  return rows[0] === undefined ? undefined : { sealed: rows[0].sealed, includesForms: rows[0].includes_forms }
}

/** Erasures of all accounts that wait, or whose process made no progress since a time. */
export async function stalledErasures(db: Executor, since: Date, limit: number) {
  const { rows } = await sql<{ readonly id: string; readonly account_id: string }>`
    select id, account_id from privacy_erasures where state <> 'done' and updated_at < ${since} order by updated_at limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id, account_id: accountId }) => ({ id, accountId }))
}

/** Adds records to what was erased, in the transaction that erases them. */
export async function addErased(
  tx: Executor,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  { table, records, at }: { readonly table: string; readonly records: number; readonly at: Date },
): Promise<void> {
  await sql`
    update privacy_erasures set updated_at = ${at},
      erased = erased || jsonb_build_object(${table}::text, coalesce((erased ->> ${table})::int4, 0) + ${records}::int4)
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

/** Records the end of a pass. What was looked for is removed when the erasure is done. */
export async function endPass(
  tx: Executor,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  { kept, isDone, at }: { readonly kept: readonly Kept[]; readonly isDone: boolean; readonly at: Date },
): Promise<void> {
  await sql`
    update privacy_erasures set kept = ${JSON.stringify(kept)}::jsonb, updated_at = ${at}, state = ${isDone ? 'done' : 'waiting'},
      ended_at = ${isDone ? at : null}, sealed = case when ${isDone} then null else sealed end
    where account_id = ${accountId} and id = ${id} and state <> 'done'`.execute(tx)
}

export async function deleteErasuresOf(tx: Executor, accountId: string): Promise<void> {
  await sql`delete from privacy_erasures where account_id = ${accountId}`.execute(tx)
}

function erasureOf({ reason, requested_at, requested_by, ended_at, ...row }: Row): Erasure {
  return { ...row, reason: reason ?? undefined, requestedAt: requested_at, requestedBy: requested_by, endedAt: ended_at ?? undefined }
}
