import type { webhooks } from '@millrace/contract'
import type { HandlersFor } from '#platform/http/index.ts'
import type { Inbound } from './inbound.ts'

/** Handlers of the group `webhooks`. */
export function webhookHandlers(inbound: Pick<Inbound, 'receive'>): HandlersFor<typeof webhooks> {
  const receive = (provider: 'pspone' | 'psptwo') => async (ctx: { readonly raw: Parameters<Inbound['receive']>[1] }) => {
    const { duplicate } = await inbound.receive(provider, ctx.raw)
    return { received: true as const, duplicate }
  }
  return { pspone: receive('pspone'), psptwo: receive('psptwo') }
}
