import type { JsonObject } from '@millrace/engine'
import { type Kysely, sql } from 'kysely'
import type { ConnectorFunction } from '#modules/connectors/functions/function-names.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { AccountConnector, AccountConnectorKind, LocatedSource } from './model.ts'

type Executor = Kysely<Rows>

interface ConnectorRow {
  readonly id: string
  readonly name: string
  readonly kind: AccountConnectorKind
  readonly title: string
  readonly version: string
  readonly url: string | null
  readonly functions: string
  readonly revision: number
  readonly updated_at: Date
}

export const connectorNameConstraint = 'account_connectors_name_unique'

const columns = sql`id, name, kind, title, version, url, functions::text as functions, revision, updated_at`

/** Counts the connectors of an account, one request at a time. */
export async function countAccountConnectors(tx: Executor, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('millrace connectors'), hashtext(${accountId}))`.execute(tx)
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int4 as count from account_connectors where account_id = ${accountId}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** All connectors of an account, newest first; there are at most a hundred. */
export async function listAccountConnectors(executor: Executor, accountId: string): Promise<readonly AccountConnector[]> {
  const { rows } = await sql<ConnectorRow>`
    select ${columns} from account_connectors where account_id = ${accountId} order by id desc`.execute(executor)
  return rows.map(connectorOf)
}

export async function findAccountConnector(
  executor: Executor,
  accountId: string,
  key: { readonly id: string } | { readonly name: string },
): Promise<AccountConnector | undefined> {
  const which = 'id' in key ? sql`id = ${key.id}` : sql`name = ${key.name}`
  const { rows } = await sql<ConnectorRow>`select ${columns} from account_connectors where account_id = ${accountId} and ${which}`.execute(
    executor,
  )
  return rows[0] === undefined ? undefined : connectorOf(rows[0])
}

export async function findAccountDocument(executor: Executor, accountId: string, id: string): Promise<JsonObject | undefined> {
  const { rows } = await sql<{ readonly document: string }>`
    select document::text as document from account_connectors where account_id = ${accountId} and id = ${id}`.execute(executor)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The column contains only objects, written below.
  return rows[0] === undefined ? undefined : (JSON.parse(rows[0].document) as JsonObject)
}

export async function insertAccountConnector(
  tx: Executor,
  accountId: string,
  { id, name, kind }: Pick<AccountConnector, 'id' | 'name' | 'kind'>,
  { url, title, version, document, functions }: LocatedSource,
  { at, by }: { readonly at: Date; readonly by: string },
): Promise<void> {
  await sql`
    insert into account_connectors (id, account_id, name, kind, title, version, url, document, functions, created_at, created_by, updated_at)
    values (${id}, ${accountId}, ${name}, ${kind}, ${title}, ${version}, ${url ?? null}, ${JSON.stringify(document)}, ${JSON.stringify(functions)},
      ${at}, ${by}, ${at})`.execute(tx)
}

export async function replaceSource(
  tx: Executor,
  accountId: string,
  id: string,
  { url, title, version, document, functions }: LocatedSource,
  at: Date,
): Promise<void> {
  await sql`
    update account_connectors set title = ${title}, version = ${version}, url = ${url ?? null},
      document = ${JSON.stringify(document)}, functions = ${JSON.stringify(functions)}, revision = revision + 1, updated_at = ${at}
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export async function deleteAccountConnector(tx: Executor, accountId: string, id: string): Promise<void> {
  await sql`delete from account_connectors where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export async function deleteAccountConnectorsOf(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from account_connectors where account_id = ${accountId}`.execute(executor)
}

function connectorOf({ id, name, kind, title, version, url, functions, revision, updated_at }: ConnectorRow): AccountConnector {
  return {
    id,
    name,
    kind,
    title,
    version,
    url: url ?? undefined,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The column contains only functions, written above.
    functions: JSON.parse(functions) as readonly ConnectorFunction[],
    revision,
    updatedAt: updated_at,
  }
}
