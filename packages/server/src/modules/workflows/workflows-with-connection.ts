import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { workflowsUsing } from './workflows-using.ts'

/** How many workflows may lie between a workflow and the one that calls the function. */
const depthMax = 8

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
