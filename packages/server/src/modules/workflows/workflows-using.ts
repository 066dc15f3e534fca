import type { Definition } from '@millrace/dsl'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Manager } from './model.ts'
import { type Uses, usesOf } from './requirements.ts'

export interface UsingWorkflow {
  readonly id: string
  readonly name: string
  /** `namespace/name` of its document. */
  readonly document: string
  readonly managedBy: Manager | undefined
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
