import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

/** Where a workflow was imported from. */
export interface Origin {
  readonly workflowId: string
  readonly kind: 'template' | 'marketplace'
  /** Id of the template; of a marketplace entry its uuid. */
  readonly source: string
  readonly version: string
  readonly checksum: string
  readonly importedAt: Date
}

interface OriginRow {
  readonly workflow_id: string
  readonly kind: Origin['kind']
  readonly source: string
  readonly version: string
  readonly checksum: string
  readonly imported_at: Date
}

export async function insertOrigin(tx: Executor, accountId: string, origin: Origin, by: string): Promise<void> {
  const { workflowId, kind, source, version, checksum, importedAt } = origin
  await sql`
    insert into workflow_origins (workflow_id, account_id, kind, source, version, checksum, imported_at, imported_by)
    values (${workflowId}, ${accountId}, ${kind}, ${source}, ${version}, ${checksum}, ${importedAt}, ${by})`.execute(tx)
}

/** The origins of workflows that are not deleted, the newest workflow first. */
export async function listOrigins(
  tx: Executor,
  accountId: string,
  { kind, before, limit }: { readonly kind: Origin['kind']; readonly before: string | undefined; readonly limit: number },
): Promise<readonly Origin[]> {
  const { rows } = await sql<OriginRow>`
    select o.workflow_id, o.kind, o.source, o.version, o.checksum, o.imported_at
    from workflow_origins o join workflows w on w.id = o.workflow_id and w.deleted_at is null
    where o.account_id = ${accountId} and o.kind = ${kind} ${before === undefined ? sql`` : sql`and o.workflow_id < ${before}`}
    order by o.workflow_id desc limit ${limit}`.execute(tx)
  return rows.map((row) => ({
    workflowId: row.workflow_id,
    kind: row.kind,
    source: row.source,
    version: row.version,
    checksum: row.checksum,
    importedAt: row.imported_at,
  }))
}
