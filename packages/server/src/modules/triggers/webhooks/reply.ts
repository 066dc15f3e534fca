import { Fault } from '@millrace/contract'
import { type ExecutionSnapshot, isTerminal, pause } from '@millrace/engine'
import { shownSnapshot } from '#modules/executions/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { withLinkedSignal } from '#platform/linked-signal.ts'
import type { ReceiveDeps, Webhook } from './receive-deps.ts'

type ReplyDeps = Pick<ReceiveDeps, 'engine' | 'disclose' | 'now' | 'closing'>

const pollMs = 200

/** The response to a request that has started an execution, as the webhook wants it. */
export async function replyOf(
  { engine, disclose, now, closing }: ReplyDeps,
  { accountId, workflowId, webhook }: Webhook,
  { id, replayed }: { readonly id: string; readonly replayed: boolean },
  disconnected: AbortSignal,
): Promise<string> {
  const accepted = { executionId: toTypeId('exec', id), duplicate: replayed }
  if (webhook.reply === 'accepted') return JSON.stringify(accepted)
  const until = now() + webhook.timeoutSeconds * 1000
  const snapshot = await withLinkedSignal(closing, disconnected, async (signal) => {
    let found = await engine.outcome(accountId, id, webhook.timeoutSeconds * 1000, signal)
    while (webhook.reply === 'end' && found !== undefined && !isTerminal(found.state) && now() < until && !signal.aborted) {
      await pause(pollMs, signal)
      found = await engine.outcome(accountId, id, 0, signal)
    }
    return found
  })
  if (snapshot === undefined) return JSON.stringify(accepted)
  return resultOf(await shownSnapshot(disclose, { accountId, workflowId }, snapshot), webhook.reply, accepted)
}

function resultOf(
  { state, reply, output, error }: ExecutionSnapshot,
  mode: 'end' | 'respond',
  accepted: { readonly executionId: string },
): string {
  const { executionId } = accepted
  if (mode === 'respond' && reply !== undefined) return JSON.stringify(reply.body)
  if (state === 'completed') return JSON.stringify(output ?? null)
  if (state === 'faulted')
    throw new Fault('execution_faulted', {
      detail: `The execution ${executionId} ended with an error: ${error?.title ?? 'unknown'}.`,
      extensions: { executionId },
    })
  if (state === 'cancelled')
    throw new Fault('execution_cancelled', { detail: `The execution ${executionId} was cancelled.`, extensions: { executionId } })
  return JSON.stringify({ ...accepted, state })
}
