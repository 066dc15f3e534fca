import type { authRestore } from '@millrace/contract'
import type { HandlersFor } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { AccountDeletion } from './account-deletion.ts'

/** Handlers of the restoration of deleted accounts. */
export function restoreHandlers({ restore }: Pick<AccountDeletion, 'restore'>): HandlersFor<typeof authRestore> {
  return {
    async restoreMe(ctx, { body }) {
      const { accountId, userId, email } = await restore(body.token)
      ctx.audit({ target: toTypeId('usr', userId), accountId, userId })
      return { restored: true, email }
    },
  }
}
