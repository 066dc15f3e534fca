import { errorCatalogue, Fault } from '@millrace/contract'
import type { Json, JsonObject } from '@millrace/engine'
import type { ReadSubmission } from '#modules/triggers/forms/submission.ts'
import { toTypeId } from '#platform/ids.ts'
import { assertAddress, challengeOf, contentOf, listens, type ReceivedRequest, reasonOf, summaryOf, verify } from './read-request.ts'
import { filterGave } from './ignore.ts'
import type { ReceiveDeps, RecordDelivery, Webhook } from './receive-deps.ts'
import { takeTestRequest } from './test-store.ts'

type AcceptedTest =
  | { readonly id: string; readonly replayed: boolean }
  | { readonly test: true; readonly deliveryId: string; readonly ignored?: true }
  | { readonly challenge: string }

/**
 * Receives the requests to the test URLs of webhooks. While a webhook listens, each one is shown with its content, and starts a test of the draft if the
 * test wants it. It neither counts as a start of the trigger nor is it compared with earlier requests.
 */
export function createTestReceiver(deps: ReceiveDeps, record: RecordDelivery) {
  return async (webhook: Webhook, request: ReceivedRequest, read?: ReadSubmission): Promise<AcceptedTest> => {
    const id = deps.newId()
    const summary = { ...summaryOf(request), id, test: true, contentDigest: undefined }
    let deliveryId: string | undefined
    let shown: JsonObject | undefined
    let refused: 'refused' | 'failed' = 'refused'
    try {
      assertAddress(webhook.webhook, request.ip)
      ;({ deliveryId } = verify(deps, webhook, request))
      let content = contentOf(webhook.webhook, request, deliveryId, deps.now())
      const challenge = challengeOf(webhook.webhook, content)
      if (challenge !== undefined) return { challenge }
      const listening = await takeTestRequest(deps.database.system, webhook, new Date(deps.now()))
      if (listening === undefined) throw new Fault('trigger_not_listening')
      const submission = await read?.(content['body'] ?? null)
      if (submission !== undefined) {
        content = { ...content, ...submission.content }
        ;({ deliveryId } = submission)
      }
      refused = 'failed'
      shown = await admitted(deps, webhook, content, listening.by)
      const passes = await deps.fire.passes(webhook, content)
      const taken = {
        ...summary,
        status: 200,
        reason: webhook.filter === undefined ? undefined : filterGave(passes),
        deliveryId,
        content: shown,
      } as const
      if (!passes || !listening.starts) {
        await record(webhook, { ...taken, outcome: passes ? 'received' : 'ignored', executionId: undefined })
        return { test: true, ...(passes ? {} : { ignored: true as const }), deliveryId: toTypeId('whd', id) }
      }
      const input = await deps.fire.input(webhook, { cause: undefined, data: content })
      const { id: executionId } = await deps.startTest({ accountId: webhook.accountId, actor: listening.by }, webhook.workflowId, input)
      await record(webhook, { ...taken, outcome: 'started', executionId })
      return { id: executionId, replayed: false }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const reason = reasonOf(error)
      const { status } = errorCatalogue[error.code]
      if (listens(webhook, deps.now()))
        await record(webhook, { ...summary, outcome: refused, status, reason, deliveryId, content: shown, executionId: undefined })
      // The sender is no author: it does not get to know the errors of the draft.
      throw error.code === 'workflow_invalid'
        ? new Fault('workflow_invalid', { detail: 'The draft of the workflow has errors.', cause: error })
        : error
    }
  }
}

/** The request as the privacy policy of the workflow lets it be shown. */
async function admitted(deps: Pick<ReceiveDeps, 'admitInput'>, webhook: Webhook, content: JsonObject, actor: string): Promise<JsonObject> {
  const { accountId, workflowId, id } = webhook
  const input = await deps.admitInput({ accountId, workflowId, input: content, actor, target: `trigger:${toTypeId('trg', id)}` })
  return isObject(input) ? input : { body: input }
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
