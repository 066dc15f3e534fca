import { type AccountFile, type AccountFiles, fileNamesIn, shownMax } from '#modules/files/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { planOf } from './approval-plan.ts'
import type { Approval } from './model.ts'

/**
 * The files that the details of approvals name and that belong to their executions, by id of the approval. Only with content that was there when the approval
 * opened: those who may write a file could else replace what others decide about.
 */
export async function namedFiles(
  tx: Tx,
  files: Pick<AccountFiles, 'ofExecution'>,
  approvals: readonly Approval[],
): Promise<ReadonlyMap<string, readonly AccountFile[]>> {
  const asked = approvals.map((approval) => ({ approval, names: fileNamesIn(planOf(approval).details ?? null) }))
  const found = new Map<string, readonly AccountFile[]>()
  for (const [executionId, together] of Map.groupBy(asked, ({ approval }) => approval.executionId)) {
    const [one] = together
    const names = [...new Set(together.flatMap((each) => each.names))]
    if (one === undefined || names.length === 0) continue
    const belonging = await files.ofExecution(tx, one.approval.accountId, executionId, names)
    const byName = new Map(belonging.map((file) => [file.name, file]))
    for (const { approval, names: own } of together) {
      const named = own.flatMap((name) => byName.get(name) ?? []).filter(({ writtenAt }) => writtenAt <= approval.openedAt)
      found.set(approval.id, named.slice(0, shownMax))
    }
  }
  return found
}
