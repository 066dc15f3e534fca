import { modelRoles } from '@millrace/contract'
import { endpointOf } from '#modules/models/account/account-model.ts'
import { listAccountModels } from '#modules/models/account/account-model-store.ts'
import { readModelSettings, writeModelLimits } from '#modules/models/account/model-settings-store.ts'
import { endpointsOf } from '#modules/models/endpoints-of.ts'
import type { ModelEndpoint } from '#modules/models/model.ts'
import { usageAt } from '#modules/models/usage-store.ts'
import type { Tx } from '#platform/http/index.ts'
import { forecastAt, periodsAt, type Spending, type SpendingLimits, type SpendingNow } from './spending-limits.ts'

export interface ModelLimitsDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** The models of the installation. */
  readonly installation: readonly ModelEndpoint[]
}

/** The limits of an account, and what it has used of them. */
export interface LimitState {
  readonly limits: SpendingLimits
  readonly used: SpendingNow
  readonly bounds: ReturnType<typeof periodsAt>
  /** What the month will have used if it continues as it was; undefined in its first day. */
  readonly forecast: Spending | undefined
  /** Models without prices, whose calls no limit of cost counts. */
  readonly unpriced: readonly string[]
}

export type ModelLimits = ReturnType<typeof createModelLimits>

/** The limits of what models may cost that the administrators of an account set. */
export function createModelLimits({ now, installation }: ModelLimitsDeps) {
  async function state(tx: Tx, accountId: string): Promise<LimitState> {
    const atMs = now()
    const { limits, installationModels } = await readModelSettings(tx, accountId)
    const used = await usageAt(tx, accountId, atMs)
    const endpoints = (await listAccountModels(tx, accountId)).map(({ model }) => endpointOf(model, undefined))
    const served = modelRoles.flatMap((role) => endpointsOf(installation, { endpoints, installation: installationModels, limits }, role))
    const unpriced = new Set(served.flatMap(({ name, prices }) => (prices === undefined ? [name] : [])))
    return { limits, used, bounds: periodsAt(atMs), forecast: forecastAt(atMs, used.month), unpriced: [...unpriced] }
  }

  return {
    state,

    /** Calls that begin afterwards obey the limits. */
    async set(tx: Tx, accountId: string, limits: Omit<SpendingLimits, 'currency'>, actor: string): Promise<LimitState> {
      await writeModelLimits(tx, accountId, limits, { at: new Date(now()), by: actor })
      return state(tx, accountId)
    },
  }
}
