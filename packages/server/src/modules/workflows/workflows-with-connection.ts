import type { Definition } from '@millrace/dsl'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { type Uses, usesOf } from './requirements.ts'

/** How many workflows may lie between a workflow and the one that calls the function. */
const depthMax = 8

interface Found {
  readonly id: string
  /** `namespace/name` of its document. */
  readonly document: string
}

/** Ids of the workflows whose latest version calls a function with a connection of that name, or runs a workflow that does. */
export async function workflowsWithConnection(tx: Kysely<Rows>, accountId: string, name: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  let latest = await workflowsUsing(tx, accountId, [name], ({ connections }) => connections.has(name))
  for (let depth = 0; latest.length > 0 && depth <= depthMax; depth += 1) {
    for (const { id } of latest) found.add(id)
    const documents = new Set(latest.map(({ document }) => document))
    const names = [...documents].map((document) => document.slice(document.indexOf('/') + 1))
    const users = await workflowsUsing(tx, accountId, names, ({ workflows }) =>
      [...workflows.keys()].some((workflow) => documents.has(workflow.slice(0, workflow.lastIndexOf(':')))),
    )
    latest = users.filter(({ id }) => !found.has(id))
  }
  return found
}

/** Workflows whose latest version contains one of the texts and uses what is asked for. */
async function workflowsUsing(
  tx: Kysely<Rows>,
  accountId: string,
  texts: readonly string[],
  uses: (uses: Uses) => boolean,
): Promise<readonly Found[]> {
  const { rows } = await sql<{ readonly id: string; readonly document: string; readonly definition: string }>`
    select w.id, w.namespace || '/' || w.document_name as document, v.definition::text as definition
    from workflows w join workflow_versions v on v.id = w.latest_version_id
    where w.account_id = ${accountId} and w.deleted_at is null
      and exists (select from unnest(${texts.map((text) => JSON.stringify(text))}::text[]) as text where position(text in v.definition::text) > 0)`.execute(
    tx,
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The column contains definitions that were valid when they were published.
  return rows.filter(({ definition }) => uses(usesOf(JSON.parse(definition) as Definition)))
}
