import { Fault } from '@millrace/contract'
import type { Models } from '#modules/models/index.ts'

export const microsOf = (amount: number): number => Math.round(amount * 1_000_000)

/** A limit in money needs prices. Fault `agent_invalid`. */
export function assertPrices(models: Pick<Models, 'of'>, quality: 'fast' | 'strong'): void {
  const unpriced = models.of(quality).find(({ prices }) => prices === undefined)
  if (unpriced === undefined) return
  const detail = `The model "${unpriced.name}" has no prices. The operator of the installation writes them in MILLRACE_MODEL_PRICES or MILLRACE_MODELS_FILE.`
  throw new Fault('agent_invalid', { errors: [{ pointer: '/limits/cost', detail }] })
}
