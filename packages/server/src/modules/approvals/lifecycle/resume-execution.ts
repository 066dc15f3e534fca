import type { Engine } from '@millrace/engine'
import { clearResumption, type Executor, findResumption } from '#modules/approvals/approval-store.ts'
import { approvalTopic } from '#modules/approvals/model.ts'
import { withdrawRequests } from './withdraw-requests.ts'

/** The process that recorded the verdict resumes the execution at once; after this time the approval processor does it instead. */
export const resumeDelayMs = 10_000

export interface ResumeDeps {
  readonly db: Executor
  readonly engine: Pick<Engine, 'sendMessage'>
  readonly now: () => number
}

/**
 * Resumes the execution with the result of its approval. The result is committed before, and the engine accepts only the first message to a wait, so this can be
 * repeated after a crash at any point: no result is lost or delivered twice.
 */
export async function resumeExecution({ db, engine, now }: ResumeDeps, approvalId: string): Promise<void> {
  const resumption = await findResumption(db, approvalId)
  if (resumption === undefined) return
  const { accountId, executionId, position, output } = resumption
  await engine.sendMessage({ accountId, executionId, position, topic: approvalTopic, value: output })
  await clearResumption(db, approvalId)
  await withdrawRequests(db, [approvalId], new Date(now()))
}
