import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { resolveVariables } from './variable-store.ts'

/** The names of the plain variables that executions of a workflow can read. */
export async function plainVariableNames(db: Kysely<Rows>, accountId: string, workflowId: string): Promise<ReadonlySet<string>> {
  const found = await resolveVariables(db, accountId, { names: undefined, workflowId, environment: 'production', secret: false })
  return new Set(found.map(({ name }) => name))
}
