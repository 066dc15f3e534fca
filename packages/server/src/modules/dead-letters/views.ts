import type { IdPrefix } from '@millrace/contract'
import { rawJson } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { DeadLetter, WholeDeadLetter } from '@millrace/engine/storage'

export function letterView(letter: DeadLetter) {
  return {
    id: toTypeId('dlt', letter.id),
    kind: letter.kind,
    reason: letter.reason,
    attempts: letter.attempts,
    executionId: idView('exec', letter.executionId),
    workflowId: idView('wf', letter.workflowId),
    subscriptionId: idView('evsub', letter.subscriptionId),
    deliveryId: idView('dlv', letter.deliveryId),
    createdAt: letter.createdAt.toISOString(),
    replayedAt: letter.replayedAt?.toISOString() ?? null,
    replayedBy: letter.replayedBy ?? null,
    replayedAs: idView('exec', letter.replayedAs),
  }
}

export function wholeLetterView(letter: WholeDeadLetter) {
  return { ...letterView(letter), payload: rawJson(letter.payload) }
}

function idView(prefix: IdPrefix, id: string | undefined): string | null {
  return id === undefined ? null : toTypeId(prefix, id)
}
