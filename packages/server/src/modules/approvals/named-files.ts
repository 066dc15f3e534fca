import { type AccountFile, type AccountFiles, fileNamesIn } from '#modules/files/index.ts'
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
  const found = new Map<string, readonly AccountFile[]>()
  for (const approval of approvals) {
    const names = fileNamesIn(planOf(approval).details ?? null)
    if (names.length === 0) continue
    const named = await files.ofExecution(tx, approval.accountId, approval.executionId, names)
    found.set(
      approval.id,
      named.filter(({ writtenAt }) => writtenAt <= approval.openedAt),
    )
  }
  return found
}
