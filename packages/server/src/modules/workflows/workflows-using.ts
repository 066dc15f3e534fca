import { setImmediate } from 'node:timers/promises'
import type { Definition } from '@millrace/dsl'
import type { JsonObject } from '@millrace/engine'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { approvalsOf } from './account-warnings.ts'
import type { Manager } from './model.ts'
import { type Uses, usesOf } from './requirements.ts'

export interface UsingWorkflow {
  readonly id: string
  readonly name: string
  /** `namespace/name` of its document. */
  readonly document: string
  readonly managedBy: Manager | undefined
}

/** What the deletion of a workflow concerns. */
export interface Dependents {
  /** The workflows that run it. */
  readonly callers: readonly Omit<UsingWorkflow, 'document'>[]
  /** The workflows that start after its executions. */
  readonly followers: readonly Omit<UsingWorkflow, 'document'>[]
  /** How many of its executions wait for their turn, at most 1,000. */
  readonly awaitingTurns: number
}

/** What definitions use, by name. */
export interface UsedThings {
  readonly variable?: string | undefined
  readonly secret?: string | undefined
  readonly connection?: string | undefined
  readonly table?: string | undefined
  /** A person as approvals name one: by id, by address, or by both. */
  readonly approver?: readonly string[] | undefined
}

/** The people whom an approval with these arguments names. */
export type ApproversNamed = (args: JsonObject) => ReadonlySet<string>

export interface WorkflowUse extends Omit<UsingWorkflow, 'document'> {
  readonly draft: boolean
  readonly published: boolean
}

interface UsingRow {
  readonly id: string
  readonly name: string
  readonly document: string
  readonly managed_by: Manager | null
  readonly definition: string
}

/** Workflows whose latest version contains one of the texts and uses what is asked for. */
export async function workflowsUsing(
  tx: Kysely<Rows>,
  accountId: string,
  texts: readonly string[],
  uses: (uses: Uses) => boolean,
): Promise<readonly UsingWorkflow[]> {
  const { rows } = await sql<UsingRow>`
    select w.id, w.name, w.managed_by, w.namespace || '/' || w.document_name as document, v.definition::text as definition
    from workflows w join workflow_versions v on v.id = w.latest_version_id
    where w.account_id = ${accountId} and w.deleted_at is null
      and exists (select from unnest(${texts.map((text) => JSON.stringify(text))}::text[]) as text where position(text in v.definition::text) > 0)`.execute(
    tx,
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The column contains definitions that were valid when they were published.
  const using = rows.filter(({ definition }) => uses(usesOf(JSON.parse(definition) as Definition)))
  return using.map(({ id, name, document, managed_by: managedBy }) => ({ id, name, document, managedBy: managedBy ?? undefined }))
}

/** Workflows whose latest version runs the workflow with a document name, as a task or as a tool of an agent; without that workflow itself. */
export async function workflowsRunning(
  tx: Kysely<Rows>,
  accountId: string,
  { id, namespace, documentName }: { readonly id: string; readonly namespace: string; readonly documentName: string },
): Promise<readonly UsingWorkflow[]> {
  const called = `${namespace}/${documentName}:`
  const found = await workflowsUsing(tx, accountId, [documentName], ({ workflows }) =>
    [...workflows.keys()].some((name) => name.startsWith(called)),
  )
  return found.filter((one) => one.id !== id)
}

/** Some workflows that are not deleted, by name. */
export async function workflowsOfIds(
  tx: Kysely<Rows>,
  accountId: string,
  ids: readonly string[],
): Promise<readonly Omit<UsingWorkflow, 'document'>[]> {
  const { rows } = await sql<Pick<UsingRow, 'id' | 'name' | 'managed_by'>>`
    select id, name, managed_by from workflows
    where account_id = ${accountId} and id = any(${ids}::uuid[]) and deleted_at is null order by name, id`.execute(tx)
  return rows.map(({ id, name, managed_by: managedBy }) => ({ id, name, managedBy: managedBy ?? undefined }))
}

interface NamingRow {
  readonly id: string
  readonly name: string
  readonly managed_by: Manager | null
  readonly draft: string | null
  readonly published: string | null
}

/** Workflows whose valid draft or latest version uses any of the things. Reads only definitions that contain a name. */
export async function findUses(
  tx: Kysely<Rows>,
  accountId: string,
  used: UsedThings,
  approversNamed: ApproversNamed,
): Promise<readonly WorkflowUse[]> {
  const { approver = [], ...others } = used
  const names = Object.values(others).filter((name) => name !== undefined)
  const approvers = approver.map((one) => one.toLowerCase())
  const contains = (column: RawBuilder<unknown>) =>
    sql`(exists (select from unnest(${names}::text[]) as name where position(name in ${column}::text) > 0)
      or exists (select from unnest(${approvers}::text[]) as one where position(one in lower(${column}::text)) > 0))`
  const { rows } = await sql<NamingRow>`
    select * from (
      select w.id, w.name, w.managed_by,
        case when ${contains(sql`w.definition`)} then w.definition::text end as draft,
        case when ${contains(sql`v.definition`)} then v.definition::text end as published
      from workflows w left join workflow_versions v on v.id = w.latest_version_id
      where w.account_id = ${accountId} and w.deleted_at is null
    ) as naming where draft is not null or published is not null order by name, id`.execute(tx)
  const found: WorkflowUse[] = []
  for (const { id, name, managed_by: managedBy, ...texts } of rows) {
    const draft = isUsedIn(texts.draft, used, approversNamed)
    const published = texts.published === texts.draft ? draft : isUsedIn(texts.published, used, approversNamed)
    if (draft || published) found.push({ id, name, managedBy: managedBy ?? undefined, draft, published })
    // An account can have many large definitions, and others do not wait for all of them.
    await setImmediate()
  }
  return found
}

function isUsedIn(text: string | null, { variable, secret, connection, table, approver = [] }: UsedThings, named: ApproversNamed): boolean {
  if (text === null) return false
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Both columns contain definitions that were valid when they were saved.
  const definition = JSON.parse(text) as Definition
  if (approver.length > 0 && asksOneOf(definition, new Set(approver.map((one) => one.toLowerCase())), named)) return true
  const uses = usesOf(definition)
  const has = (names: ReadonlyMap<string, string>, name: string | undefined) => name !== undefined && names.has(name)
  return has(uses.variables, variable) || has(uses.secrets, secret) || has(uses.connections, connection) || has(uses.tables, table)
}

function asksOneOf(definition: Definition, people: ReadonlySet<string>, named: ApproversNamed): boolean {
  return approvalsOf(definition).some(({ args }) => !named(args).isDisjointFrom(people))
}
