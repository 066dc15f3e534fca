import type { Executor } from '#modules/approvals/approval-store.ts'
import { dropMails } from '#modules/approvals/mail/mail-store.ts'
import { waitingKind, waitingGroupOf } from '#modules/approvals/model.ts'
import { settleNotifications } from '#modules/notifications/index.ts'

/** Asks no one any more about approvals that have ended: drops their mails, and marks their notifications as read. */
export async function withdrawRequests(tx: Executor, approvalIds: readonly string[], at: Date): Promise<void> {
  await dropMails(tx, approvalIds)
  await settleNotifications(tx, { kind: waitingKind, groupKeys: approvalIds.map(waitingGroupOf), at })
}
