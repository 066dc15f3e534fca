import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { nameSource } from '#platform/db/name-source.ts'
import { fromTypeId } from '#platform/ids.ts'

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

export const workflowNames = nameSource('wf', sql`select id, account_id, name, name as words from workflows`)

/** Ids of workflows whose name contains a text, in any case, at most 100. */
export async function findWorkflowsByName(executor: Kysely<Rows>, accountId: string, part: string): Promise<readonly string[]> {
  return (await workflowNames.find(executor, accountId, part)).flatMap((id) => fromTypeId('wf', id) ?? [])
}

/** What a version is called. */
export interface VersionNames {
  readonly number: number
  /** Of its workflow now. */
  readonly name: string
  /** What the definition says of itself. */
  readonly document: { readonly namespace: string; readonly name: string; readonly version: string }
}

/** The names of versions by id, whatever their accounts. */
export async function findVersionNames(executor: Kysely<Rows>, versionIds: readonly string[]): Promise<ReadonlyMap<string, VersionNames>> {
  const { rows } = await sql<{
    readonly id: string
    readonly number: number
    readonly name: string
    readonly document: VersionNames['document']
  }>`
    select v.id, v.number, w.name, jsonb_build_object('namespace', v.definition #>> '{document,namespace}', 'name', v.definition #>> '{document,name}',
      'version', v.definition #>> '{document,version}') as document
    from workflow_versions v join workflows w on w.id = v.workflow_id where v.id = any(${versionIds}::uuid[])`.execute(executor)
  return new Map(rows.map(({ id, ...names }) => [id, names]))
}
