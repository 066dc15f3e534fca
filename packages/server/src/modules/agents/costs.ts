import { Fault } from '@millrace/contract'
import type { Models } from '#modules/models/index.ts'

/** A limit in money needs prices. Fault `agent_invalid`. */
export async function assertPrices(models: Pick<Models, 'of'>, accountId: string, quality: 'fast' | 'strong'): Promise<void> {
  const unpriced = (await models.of(accountId, quality)).find(({ prices }) => prices === undefined)
  if (unpriced === undefined) return
  const where =
    unpriced.owner === 'account'
      ? 'An administrator of the account sets them with PUT /api/v1/models/{id}.'
      : 'The operator of the installation writes them in MILLRACE_MODEL_PRICES or MILLRACE_MODELS_FILE.'
  const detail = `The model "${unpriced.name}" has no prices. ${where}`
  throw new Fault('agent_invalid', { errors: [{ pointer: '/limits/cost', detail }] })
}
