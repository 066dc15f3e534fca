import type { ModelTexts } from '@millrace/contract'
import { digestOfJson } from '#modules/audit/index.ts'
import type { CompletionRequest } from '#modules/models/model.ts'
import type { Tx } from '#platform/db/database.ts'
import { readModelSettings } from '#modules/models/account/model-settings-store.ts'
import type { CallOutcome } from './call-outcome.ts'
import { insertCall } from './call-store.ts'

export interface CallRecorderDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly newId: () => string
  /** Of accounts that have not chosen. */
  readonly texts: ModelTexts
  /** How long executions of an account are kept; undefined: for ever. */
  readonly retentionMs: (tx: Tx, accountId: string) => Promise<number | undefined>
}

export type CallRecorder = ReturnType<typeof createCallRecorder>

const lifeMs = 30 * 24 * 60 * 60 * 1000

/** Records calls of models: digests of prompt and answer, and the texts where they are to be kept. */
export function createCallRecorder({ now, newId, texts: ofInstallation, retentionMs }: CallRecorderDeps) {
  return async (
    tx: Tx,
    { accountId, workflowId, executionId, position, role }: CompletionRequest,
    { model, modelId, prompt, promptDigest, answer, finish, failed, usage: { inputTokens, outputTokens, costMicros } }: CallOutcome,
    durationMs: number,
  ): Promise<void> => {
    const { texts: ofAccount } = await readModelSettings(tx, accountId)
    const at = now()
    const retention = (await retentionMs(tx, accountId)) ?? lifeMs
    const isKept = (ofAccount ?? ofInstallation) === 'kept'
    await insertCall(tx, accountId, {
      id: newId(),
      workflowId: executionId === undefined ? undefined : workflowId,
      executionId,
      position,
      role,
      model,
      modelId,
      promptDigest,
      answerDigest: answer === undefined ? undefined : digestOfJson(answer),
      inputTokens,
      outputTokens,
      costMicros,
      durationMs,
      finish,
      failed,
      at: new Date(at),
      // Texts of executions are not kept for longer than executions.
      expiresAt: new Date(at + Math.min(lifeMs, retention)),
      texts: isKept && prompt !== undefined ? { prompt, answer } : undefined,
    })
  }
}
