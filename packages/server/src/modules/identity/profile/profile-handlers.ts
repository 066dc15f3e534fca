import type { authUser } from '@millrace/contract'
import { clientOf } from '#modules/identity/completion/respond-sign-in.ts'
import { meView } from '#modules/identity/views.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Profiles } from './profile-service.ts'

/** Handlers of what a signed-in user changes about themselves. */
export function profileHandlers(profiles: Profiles): HandlersFor<typeof authUser> {
  return {
    async updateMe(ctx, { body }) {
      const { principal } = ctx
      if (principal === undefined) throw new Error('an operation with a scope was called without a principal')
      const { user, account, profile } = await profiles.update(ctx.tx, ctx.accountId, ctx.userId, body)
      ctx.audit({ target: toTypeId('usr', ctx.userId), details: { members: Object.keys(body) } })
      return meView(user, account, profile, principal)
    },
    async passwordChange(ctx, { body }) {
      const caller = { accountId: ctx.accountId, userId: ctx.userId, sessionId: ctx.jti, client: clientOf(ctx) }
      ctx.audit({ target: toTypeId('usr', ctx.userId) })
      return { changed: true, sessionsEnded: await profiles.changePassword(caller, body) }
    },
  }
}
