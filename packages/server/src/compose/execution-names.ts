import { workflowIdQuery } from '@millrace/engine/storage'
import { sql } from 'kysely'
import { workflowNames } from '#modules/workflows/index.ts'
import type { NameSource } from '#platform/db/name-source.ts'
import { fromTypeId, toTypeId } from '#platform/ids.ts'

/** Executions have no name of their own: they are read by the name of their workflow. */
export const executionNames: NameSource = {
  prefix: 'exec',
  async of(tx, accountId, ids) {
    const executions = ids.flatMap((id) => fromTypeId('exec', id) ?? [])
    const { rows } = await sql<{ readonly id: string; readonly workflow: string | null }>`
      select x.id, (${workflowIdQuery(sql`x.id`)}) as workflow from unnest(${executions}::uuid[]) as x (id)`.execute(tx)
    const workflows = new Map(rows.flatMap(({ id, workflow }) => (workflow === null ? [] : [[id, toTypeId('wf', workflow)] as const])))
    // Names are those of the account alone.
    const names = await workflowNames.of(tx, accountId, [...new Set(workflows.values())])
    return new Map(
      [...workflows].flatMap(([id, workflow]) => {
        const name = names.get(workflow)
        return name === undefined ? [] : [[toTypeId('exec', id), name] as const]
      }),
    )
  },
  find: () => Promise.resolve([]),
}
