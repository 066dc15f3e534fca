import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { SecretScope } from '#platform/secrets/secret-store.ts'
import { resolveVariables } from './variable-store.ts'

/** The names of the plain variables that executions of a workflow can read; without a workflow, those of the account. */
export async function plainVariableNames(
  db: Kysely<Rows>,
  accountId: string,
  { workflowId, environment = 'production' }: SecretScope,
): Promise<ReadonlySet<string>> {
  const found = await resolveVariables(db, accountId, { names: undefined, workflowId, environment, secret: false })
  return new Set(found.map(({ name }) => name))
}
