import type { Definition } from '@millrace/dsl'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { usesOf } from './requirements.ts'

/** The subset of the workflows whose latest version calls a function with a connection of that name. */
export async function workflowsWithConnection(
  tx: Kysely<Rows>,
  accountId: string,
  { workflowIds, name }: { readonly workflowIds: readonly string[]; readonly name: string },
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string; readonly definition: string }>`
    select w.id, v.definition::text as definition
    from workflows w join workflow_versions v on v.id = w.latest_version_id
    where w.account_id = ${accountId} and w.id = any(${[...workflowIds]}::uuid[]) and position(${JSON.stringify(name)} in v.definition::text) > 0`.execute(
    tx,
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The column contains definitions that were valid when they were published.
  return rows.flatMap(({ id, definition }) => (usesOf(JSON.parse(definition) as Definition).connections.has(name) ? [id] : []))
}
