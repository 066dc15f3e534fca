import { Fault } from '@millrace/contract'
import type { Executor } from '#modules/identity/store.ts'
import { deleteIdentity, hasIdentity, hasWayIn, listIdentities } from './identity-store.ts'
import type { Identity, ProviderName } from './model.ts'

/** The linked identities of a user. */
export interface IdentityService {
  list(
    tx: Executor,
    accountId: string,
    userId: string,
    page: { readonly before: string | undefined; readonly limit: number },
  ): Promise<readonly Identity[]>
  /** Throws a Fault when the user has an identity of the provider. */
  assertMayLink(accountId: string, userId: string, provider: ProviderName): Promise<void>
  /** Unlinks an identity that is not the last way in. */
  unlink(tx: Executor, accountId: string, userId: string, provider: ProviderName): Promise<void>
}

export function createIdentityService({ db }: { readonly db: Executor }): IdentityService {
  return {
    list: listIdentities,
    async assertMayLink(accountId, userId, provider) {
      if (await hasIdentity(db, accountId, userId, provider)) throw new Fault('identity_in_use')
    },
    async unlink(tx, accountId, userId, provider) {
      if (!(await hasIdentity(tx, accountId, userId, provider))) throw new Fault('not_found')
      // Locks the user first: of two concurrent requests, the second sees what the first has left.
      await hasWayIn(tx, accountId, userId)
      if (!(await deleteIdentity(tx, accountId, userId, provider))) throw new Fault('not_found')
      if (!(await hasWayIn(tx, accountId, userId))) throw new Fault('last_sign_in_method')
    },
  }
}
