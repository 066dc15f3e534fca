import type { JsonValue } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { nameSource } from '#platform/db/name-source.ts'

/** The names of workflows by id; those of deleted ones as well, while they are kept. */
export async function findWorkflowNames(
  executor: Kysely<Rows>,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ readonly id: string; readonly name: string }>`
    select id, name from workflows where account_id = ${accountId} and id = any(${ids}::uuid[])`.execute(executor)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The minutes that one completed execution saves, of the workflows that state them: of one, or of all; those of deleted ones as well. */
export async function findMinutesPerRun(
  executor: Kysely<Rows>,
  accountId: string,
  workflowId: string | undefined,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ readonly id: string; readonly minutes: number }>`
    select id, minutes_per_run as minutes from workflows where account_id = ${accountId} and minutes_per_run is not null
      and ${workflowId === undefined ? sql`true` : sql`id = ${workflowId}`}`.execute(executor)
  return new Map(rows.map(({ id, minutes }) => [id, minutes]))
}

/** The input schema of the latest version of a workflow by the names of its document; undefined without one that can run. */
export async function findInputSchema(
  executor: Kysely<Rows>,
  accountId: string,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<{ readonly schema: JsonValue | undefined } | undefined> {
  const { rows } = await sql<{ readonly schema: string | null }>`
    select v.definition #>> '{input,schema,document}' as schema
    from workflows w
    join workflow_versions v on v.workflow_id = w.id and v.number = w.latest_number
    where w.account_id = ${accountId} and w.namespace = ${namespace} and w.document_name = ${name} and w.deleted_at is null and w.enabled`.execute(
    executor,
  )
  const [found] = rows
  if (found === undefined) return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A part of a definition that was stored as JSON.
  return { schema: found.schema === null ? undefined : (JSON.parse(found.schema) as JsonValue) }
}

/** Who changed the draft of workflows last, or published their latest version: as `kind:id`, by id of the workflow. */
export async function findChangers(
  executor: Kysely<Rows>,
  accountId: string,
  ids: readonly string[],
  what: 'draft' | 'version',
): Promise<ReadonlyMap<string, string>> {
  const by = what === 'draft' ? sql`w.updated_by` : sql`v.created_by`
  const { rows } = await sql<{ readonly id: string; readonly by: string }>`
    select w.id, ${by} as by from workflows w left join workflow_versions v on v.id = w.latest_version_id
    where w.account_id = ${accountId} and w.id = any(${ids}::uuid[]) and ${by} is not null`.execute(executor)
  return new Map(rows.map(({ id, by: actor }) => [id, actor]))
}

const namesMax = 100

/** Ids of workflows whose name contains a text, in any case, at most 100. */
export async function findWorkflowsByName(executor: Kysely<Rows>, accountId: string, part: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from workflows where account_id = ${accountId} and strpos(lower(name), lower(${part})) > 0 order by id desc limit ${namesMax}`.execute(
    executor,
  )
  return rows.map(({ id }) => id)
}

export const workflowNames = nameSource('wf', sql`select id, account_id, name, name as words from workflows`)
