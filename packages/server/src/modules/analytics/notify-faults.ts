import type { Kysely } from 'kysely'
import { notify } from '#modules/notifications/index.ts'
import { findWorkflowNames } from '#modules/workflows/index.ts'
import type { Rows } from '#platform/db/rows.ts'
import { toTypeId } from '#platform/ids.ts'
import type { FaultGroup } from './evaluate-ends.ts'

/** Notifies owners and admins of faulted executions: one notification for each workflow, task, error and status, however many executions fault. */
export async function notifyFaults(tx: Kysely<Rows>, faults: readonly FaultGroup[]): Promise<void> {
  for (const [accountId, group] of Map.groupBy(faults, (fault) => fault.accountId)) {
    const names = await findWorkflowNames(tx, accountId, [...new Set(group.map(({ workflowId }) => workflowId))])
    for (const { workflowId, task, errorType, status, title, detail, count, latestId } of group)
      await notify(tx, {
        accountId,
        roles: ['owner', 'admin'],
        kind: 'execution.faulted',
        title: `${names.get(workflowId) ?? 'Deleted workflow'}: ${title}`,
        body: [detail, task === '' ? '' : `At ${task}.`].filter((line) => line !== '').join('\n'),
        link: `/runs/${toTypeId('exec', latestId)}`,
        groupKey: `${workflowId} ${task} ${errorType} ${status}`,
        count,
      })
  }
}
