import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import { isLimited, type SpendingLimits } from '#modules/models/limits/spending-limits.ts'
import type { ModelEndpoint } from '#modules/models/model.ts'
import type { Database } from '#platform/db/database.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { Sealing } from '#platform/sealing/sealing.ts'
import { endpointOf, type InstallationModels } from './account-model.ts'
import { listAccountModels } from './account-model-store.ts'
import { readModelSettings } from './model-settings-store.ts'

/** What an account has beside the models of the installation. */
export interface AccountEndpoints {
  /** In the order in which they are tried. */
  readonly endpoints: readonly ModelEndpoint[]
  readonly installation: InstallationModels
  /** What its administrators let models cost; undefined without a limit. */
  readonly limits: SpendingLimits | undefined
}

export const placeOfKey = (id: string) => ({ table: 'account_models', column: 'sealed', row: id })

/** Reads the models of an account with their keys. Each request reads them again, so that a deleted model is not used any more. */
export function createAccountEndpoints(database: Pick<Database, 'account'>, sealing: Pick<Sealing, 'opener'>) {
  return (accountId: string): Promise<AccountEndpoints> =>
    database.account(accountId, async (tx: Kysely<Rows>) => {
      const found = await listAccountModels(tx, accountId)
      const { installationModels: installation, limits: chosen } = await readModelSettings(tx, accountId)
      const limits = isLimited(chosen) ? chosen : undefined
      if (found.length === 0) return { endpoints: [], installation, limits }
      const open = await sealing.opener(tx, accountId)
      const endpoints = found.map(({ model, sealed }) =>
        endpointOf(model, sealed === undefined ? undefined : keyOf(model.name, open(placeOfKey(model.id), sealed))),
      )
      return { endpoints, installation, limits }
    })
}

/** A key that cannot be opened fails the request: without it, the data would go to another model than the account chose. */
export function keyOf(name: string, plain: Buffer | undefined): { reveal(): string } {
  const key = plain?.toString('utf8')
  return {
    reveal() {
      if (key !== undefined) return key
      throw new Fault('model_unavailable', { detail: `The key of the model "account:${name}" was sealed under another key. Set it again.` })
    },
  }
}
