import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

export interface AccountExport {
  readonly id: string
  readonly state: 'preparing' | 'ready' | 'failed'
  readonly failure: string | undefined
  readonly done: number
  readonly total: number
  readonly fileId: string | undefined
  readonly createdAt: Date
}

interface ExportRow {
  readonly id: string
  readonly state: AccountExport['state']
  readonly failure: string | null
  readonly done: number
  readonly total: number
  readonly file_id: string | null
  readonly created_at: Date
}

const columns = sql`id, state, failure, done, total, file_id, created_at`

/** The latest export. Requests for exports of one account wait for each other. */
export async function lockLatest(tx: Executor, accountId: string): Promise<AccountExport | undefined> {
  await sql`select pg_advisory_xact_lock(hashtext('millrace account exports'), hashtext(${accountId}))`.execute(tx)
  const { rows } = await sql<ExportRow>`
    select ${columns} from account_exports where account_id = ${accountId} order by id desc limit 1`.execute(tx)
  return rows[0] === undefined ? undefined : exportOf(rows[0])
}

export async function findExport(db: Executor, accountId: string, id: string): Promise<AccountExport | undefined> {
  const { rows } = await sql<ExportRow>`select ${columns} from account_exports where account_id = ${accountId} and id = ${id}`.execute(db)
  return rows[0] === undefined ? undefined : exportOf(rows[0])
}

export async function insertExport(tx: Executor, accountId: string, id: string, total: number, at: Date): Promise<AccountExport> {
  await sql`
    insert into account_exports (id, account_id, total, created_at) values (${id}, ${accountId}, ${total}, ${at})`.execute(tx)
  return { id, state: 'preparing', failure: undefined, done: 0, total, fileId: undefined, createdAt: at }
}

export async function saveProgress(db: Executor, accountId: string, id: string, done: number): Promise<void> {
  await sql`update account_exports set done = ${done} where account_id = ${accountId} and id = ${id} and state = 'preparing'`.execute(db)
}

/** @returns whether it was still being prepared. */
export async function finishExport(
  tx: Executor,
  accountId: string,
  id: string,
  { fileId, at }: { readonly fileId: string; readonly at: Date },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update account_exports set state = 'ready', done = total, file_id = ${fileId}, ended_at = ${at}
    where account_id = ${accountId} and id = ${id} and state = 'preparing'`.execute(tx)
  return numAffectedRows === 1n
}

export async function failExport(db: Executor, accountId: string, id: string, failure: string, at: Date): Promise<void> {
  await sql`
    update account_exports set state = 'failed', failure = ${failure}, ended_at = ${at}
    where account_id = ${accountId} and id = ${id} and state = 'preparing'`.execute(db)
}

export async function countExports(db: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int4 as count from account_exports where account_id = ${accountId}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function deleteExportsOf(tx: Executor, accountId: string): Promise<void> {
  await sql`delete from account_exports where account_id = ${accountId}`.execute(tx)
}

function exportOf({ id, state, failure, done, total, file_id, created_at: createdAt }: ExportRow): AccountExport {
  return { id, state, failure: failure ?? undefined, done, total, fileId: file_id ?? undefined, createdAt }
}
