import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { ConnectorTool } from './connector-tool.ts'

type Executor = Kysely<Rows>

interface ToolRow {
  readonly function: string
  readonly summary: string
  readonly connection: string | null
  readonly permission: ConnectorTool['permission']
  readonly digest: string
  readonly workflow_id: string
  readonly updated_at: Date
  readonly updated_by: string
}

/** The offered functions of an account, by name. */
export async function listConnectorTools(tx: Executor, accountId: string): Promise<readonly ConnectorTool[]> {
  const { rows } = await sql<ToolRow>`
    select function, summary, connection, permission, digest, workflow_id, updated_at, updated_by from mcp_connector_tools
    where account_id = ${accountId} order by function`.execute(tx)
  return rows.map((row) => ({
    function: row.function,
    summary: row.summary,
    connection: row.connection ?? undefined,
    permission: row.permission,
    digest: row.digest,
    workflowId: row.workflow_id,
    updatedAt: row.updated_at,
    updatedBy: row.updated_by,
  }))
}

/** One change of the offered functions of an account at a time. */
export async function lockConnectorTools(tx: Executor, accountId: string): Promise<readonly ConnectorTool[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended('mcp-tools/' || ${accountId}, 0))`.execute(tx)
  return listConnectorTools(tx, accountId)
}

export async function saveConnectorTool(tx: Executor, accountId: string, tool: ConnectorTool): Promise<void> {
  await sql`
    insert into mcp_connector_tools (account_id, function, summary, connection, permission, digest, workflow_id, updated_at, updated_by)
    values (${accountId}, ${tool.function}, ${tool.summary}, ${tool.connection ?? null}, ${tool.permission}, ${tool.digest}, ${tool.workflowId},
      ${tool.updatedAt}, ${tool.updatedBy})
    on conflict (account_id, function) do update set summary = excluded.summary, connection = excluded.connection, permission = excluded.permission,
      digest = excluded.digest, workflow_id = excluded.workflow_id, updated_at = excluded.updated_at,
      updated_by = excluded.updated_by`.execute(tx)
}

export async function deleteConnectorTool(tx: Executor, accountId: string, name: string): Promise<void> {
  await sql`delete from mcp_connector_tools where account_id = ${accountId} and function = ${name}`.execute(tx)
}

export async function purgeConnectorTools(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from mcp_connector_tools where account_id = ${accountId}`.execute(executor)
}
