import type { Diagnostic } from '@millrace/dsl'
import { latestExecutionQuery } from '@millrace/engine/storage'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type {
  DocumentNames,
  StoredDefinition,
  LastExecution,
  LatestVersion,
  Manager,
  Syntax,
  TriggerKind,
  Version,
  Workflow,
  WorkflowContent,
  WorkflowHead,
} from './model.ts'

type Executor = Kysely<Rows>

/** Columns of a list's row; `e` is the last execution, joined by `lastExecutionSql`. */
export interface HeadRow {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly tags: string[]
  readonly enabled: boolean
  readonly minutes_per_run: number | null
  readonly revision: number
  readonly triggers: TriggerKind[]
  readonly checksum: string
  readonly latest_version_id: string | null
  readonly latest_number: number | null
  readonly latest_checksum: string | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly execution_id: string | null
  readonly execution_state: LastExecution['state'] | null
  readonly execution_created_at: Date | null
  readonly execution_ended_at: Date | null
}

interface DefinitionRow {
  readonly definition: string
  readonly source: string
  readonly syntax: Syntax
  readonly checksum: string
  readonly warnings: string
}

interface WorkflowRow extends HeadRow, DefinitionRow {
  readonly namespace: string
  readonly document_name: string
  readonly managed_by: Manager | null
  readonly draft_source: string | null
  readonly draft_syntax: Syntax | null
  readonly asked_checksum: string | null
  readonly asked_note: string | null
  readonly asked_at: Date | null
  readonly asked_by: string | null
  readonly updated_by: string
}

interface VersionRow extends DefinitionRow {
  readonly id: string
  readonly workflow_id: string
  readonly number: number
  readonly document_version: string
  readonly checks_input: boolean
}

export const headColumns = sql`w.id, w.name, w.description, w.tags, w.enabled, w.minutes_per_run, w.revision, w.triggers, w.checksum,
  w.latest_version_id, w.latest_number, w.latest_checksum, w.created_at, w.updated_at,
  e.id as execution_id, e.state as execution_state, e.created_at as execution_created_at, e.ended_at as execution_ended_at`

/** The latest execution `e` of a workflow `w`. */
export const lastExecutionJoin = sql`left join lateral (${latestExecutionQuery(sql`w.id`)}) e on true`

/** The number of the version of an execution `e`, for the engine's reader. */
export const versionQuery = 'select number from workflow_versions where id = e.version_id limit 1'

/** Raised by the unique index over the names of documents. */
export const documentNameIndex = 'workflows_by_document'

export async function findWorkflow(executor: Executor, accountId: string, id: string): Promise<Workflow | undefined> {
  const { rows } = await sql<WorkflowRow>`
    select ${headColumns}, w.updated_by, w.namespace, w.document_name, w.managed_by, w.definition::text as definition, w.source, w.syntax,
      w.warnings::text as warnings, d.source as draft_source, d.syntax as draft_syntax,
      r.checksum as asked_checksum, r.note as asked_note, r.requested_at as asked_at, r.requested_by as asked_by
    from workflows w ${lastExecutionJoin} left join workflow_drafts d on d.workflow_id = w.id
      left join workflow_publish_requests r on r.workflow_id = w.id
    where w.account_id = ${accountId} and w.id = ${id} and w.deleted_at is null`.execute(executor)
  return rows[0] === undefined ? undefined : workflowOf(rows[0])
}

/** The names by which `run: workflow` finds workflows that people made and that can start; the others are left out. */
export async function findDocumentNames(
  executor: Executor,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly namespace: string; readonly name: string }>> {
  const { rows } = await sql<{ readonly id: string; readonly namespace: string; readonly name: string }>`
    select id, namespace, document_name as name from workflows
    where account_id = ${accountId} and id = any(${ids}::uuid[]) and deleted_at is null and managed_by is null and enabled
      and latest_number is not null`.execute(executor)
  return new Map(rows.map(({ id, namespace, name }) => [id, { namespace, name }]))
}

/** Those of some workflows that people made and that are not deleted. None of them is deleted before the transaction ends. */
export async function lockWorkflows(executor: Executor, accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from workflows
    where account_id = ${accountId} and id = any(${ids}::uuid[]) and deleted_at is null and managed_by is null order by id for share`.execute(
    executor,
  )
  return new Set(rows.map(({ id }) => id))
}

/** The workflow with this document name. */
export async function findByDocumentName(
  executor: Executor,
  accountId: string,
  { namespace, documentName }: Pick<WorkflowContent, 'namespace' | 'documentName'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from workflows
    where account_id = ${accountId} and namespace = ${namespace} and document_name = ${documentName} and deleted_at is null`.execute(
    executor,
  )
  return rows[0]?.id
}

/** The document names of a namespace that begin with a text. */
export async function findTakenNames(
  executor: Executor,
  accountId: string,
  { namespace, prefix }: DocumentNames,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly name: string }>`
    select document_name as name from workflows
    where account_id = ${accountId} and namespace = ${namespace} and starts_with(document_name, ${prefix}) and deleted_at is null`.execute(
    executor,
  )
  return new Set(rows.map(({ name }) => name))
}

/** Whether the workflow exists or was deleted: the history of a deleted workflow can still be read. */
export async function isKnown(executor: Executor, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`select from workflows where account_id = ${accountId} and id = ${id}`.execute(executor)
  return rows.length === 1
}

/** Locks the row until the end of the transaction, so that changes of one workflow are serial. */
export async function lockWorkflow(executor: Executor, accountId: string, id: string): Promise<void> {
  await sql`select from workflows where account_id = ${accountId} and id = ${id} for update`.execute(executor)
}

export interface Authorship {
  readonly at: Date
  readonly by: string
}

export async function insertWorkflow(
  executor: Executor,
  accountId: string,
  { id, managedBy, ...content }: WorkflowContent & { readonly id: string; readonly managedBy?: Manager | undefined },
  { at, by }: Authorship,
): Promise<void> {
  const { draft, latest } = content
  await sql`
    insert into workflows (id, account_id, name, description, tags, namespace, document_name, enabled, revision, definition, source, syntax,
      checksum, warnings, triggers, latest_version_id, latest_number, latest_checksum, managed_by, created_at, created_by, updated_at, updated_by)
    values (${id}, ${accountId}, ${content.name}, ${content.description ?? null}, ${content.tags}, ${content.namespace},
      ${content.documentName}, ${content.enabled}, 1, ${draft.json}, ${draft.source}, ${draft.syntax}, ${draft.checksum},
      ${JSON.stringify(draft.warnings)}, ${content.triggers}, ${latest?.id ?? null}, ${latest?.number ?? null}, ${latest?.checksum ?? null},
      ${managedBy ?? null}, ${at}, ${by}, ${at}, ${by})`.execute(executor)
}

export async function updateWorkflow(
  executor: Executor,
  accountId: string,
  { id, ...content }: WorkflowContent & { readonly id: string },
  { at, by }: Authorship,
): Promise<void> {
  const { draft, latest } = content
  await sql`
    update workflows set name = ${content.name}, description = ${content.description ?? null}, tags = ${content.tags},
      namespace = ${content.namespace}, document_name = ${content.documentName}, enabled = ${content.enabled},
      minutes_per_run = ${content.minutesPerRun ?? null}, revision = revision + 1,
      definition = ${draft.json}, source = ${draft.source}, syntax = ${draft.syntax}, checksum = ${draft.checksum},
      warnings = ${JSON.stringify(draft.warnings)}, triggers = ${content.triggers}, latest_version_id = ${latest?.id ?? null},
      latest_number = ${latest?.number ?? null}, latest_checksum = ${latest?.checksum ?? null}, updated_at = ${at}, updated_by = ${by}
    where account_id = ${accountId} and id = ${id}`.execute(executor)
}

export async function deleteWorkflow(executor: Executor, accountId: string, id: string, { at, by }: Authorship): Promise<void> {
  await sql`
    update workflows set deleted_at = ${at}, updated_at = ${at}, updated_by = ${by}, revision = revision + 1
    where account_id = ${accountId} and id = ${id}`.execute(executor)
}

export async function deleteAllWorkflows(executor: Executor, accountId: string, { at, by }: Authorship): Promise<void> {
  await sql`
    update workflows set deleted_at = ${at}, updated_at = ${at}, updated_by = ${by}, revision = revision + 1
    where account_id = ${accountId} and deleted_at is null`.execute(executor)
}

/** Restores the workflows that `deleteAllWorkflows` deleted. @param deletedBy its author, who deletes no workflow alone. */
export async function restoreAllWorkflows(executor: Executor, accountId: string, deletedBy: string, { at, by }: Authorship): Promise<void> {
  await sql`
    update workflows set deleted_at = null, updated_at = ${at}, updated_by = ${by}, revision = revision + 1
    where account_id = ${accountId} and deleted_at is not null and updated_by = ${deletedBy}`.execute(executor)
}

export async function findVersion(executor: Executor, accountId: string, workflowId: string, number: number): Promise<Version | undefined> {
  const { rows } = await sql<VersionRow>`
    select id, workflow_id, number, document_version, checks_input, definition::text as definition, source, syntax, checksum,
      warnings::text as warnings
    from workflow_versions where account_id = ${accountId} and workflow_id = ${workflowId} and number = ${number}`.execute(executor)
  return rows[0] === undefined ? undefined : versionOf(rows[0])
}

export function headOf(row: HeadRow): WorkflowHead {
  return {
    id: row.id,
    name: row.name,
    description: row.description ?? undefined,
    tags: row.tags,
    enabled: row.enabled,
    minutesPerRun: row.minutes_per_run ?? undefined,
    revision: row.revision,
    triggers: row.triggers,
    draftChecksum: row.checksum,
    latest: latestOf(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastExecution: lastExecutionOf(row),
  }
}

function latestOf({ latest_version_id: id, latest_number: number, latest_checksum: checksum }: HeadRow): LatestVersion | undefined {
  return id === null || number === null || checksum === null ? undefined : { id, number, checksum }
}

function lastExecutionOf(row: HeadRow): LastExecution | undefined {
  const { execution_id: id, execution_state: state, execution_created_at: createdAt, execution_ended_at: endedAt } = row
  return id === null || state === null || createdAt === null ? undefined : { id, state, createdAt, endedAt: endedAt ?? undefined }
}

function workflowOf(row: WorkflowRow): Workflow {
  const { draft_source: source, draft_syntax: syntax } = row
  return {
    ...headOf(row),
    namespace: row.namespace,
    documentName: row.document_name,
    draft: definitionOf(row),
    invalidDraft: source === null || syntax === null ? undefined : { source, syntax },
    managedBy: row.managed_by ?? undefined,
    publishRequest: requestOf(row),
    updatedBy: row.updated_by,
  }
}

function requestOf({ asked_checksum: checksum, asked_note: note, asked_at: requestedAt, asked_by: requestedBy }: WorkflowRow) {
  if (checksum === null || requestedAt === null || requestedBy === null) return undefined
  return { checksum, note: note ?? undefined, requestedAt, requestedBy }
}

function versionOf(row: VersionRow): Version {
  return {
    id: row.id,
    workflowId: row.workflow_id,
    number: row.number,
    documentVersion: row.document_version,
    checksInput: row.checks_input,
    definition: definitionOf(row),
  }
}

function definitionOf({ definition, source, syntax, checksum, warnings }: DefinitionRow): StoredDefinition {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The column contains only diagnostics, written above.
  return { json: definition, source, syntax, checksum, warnings: JSON.parse(warnings) as readonly Diagnostic[] }
}
