import type { JsonObject } from '@millrace/engine'
import { toTypeId } from '#platform/ids.ts'
import type { ReceiveDeps, RecordDelivery, Webhook } from './receive-deps.ts'

/** The response to a request that the filter of its webhook ignores. */
export interface Ignored {
  readonly ignored: true
  readonly deliveryId: string
}

export const filterGave = (passes: boolean) => `The filter gave ${passes}.`

type Summary = Pick<Parameters<RecordDelivery>[1], 'method' | 'address' | 'bytes' | 'contentType' | 'test' | 'deliveryId'>

/** Records a request that the filter of its webhook ignores. */
export async function ignore(
  { newId, copyOfInput }: Pick<ReceiveDeps, 'newId' | 'copyOfInput'>,
  record: RecordDelivery,
  webhook: Webhook,
  { content, ...summary }: Summary & { readonly content: JsonObject },
): Promise<Ignored> {
  const id = newId()
  // No start decides by the privacy policy. What the policy refuses is not kept.
  const isKept = (await copyOfInput(webhook.accountId, webhook.workflowId, JSON.stringify(content))) !== undefined
  await record(webhook, {
    ...summary,
    id,
    outcome: 'ignored',
    status: 200,
    reason: isKept ? filterGave(false) : `${filterGave(false)} The privacy policy of the workflow refuses the content, which is not kept.`,
    contentDigest: undefined,
    content: isKept ? content : undefined,
    executionId: undefined,
  })
  return { ignored: true, deliveryId: toTypeId('whd', id) }
}
