import { isDeepStrictEqual } from 'node:util'
import type { authUser } from '@millrace/contract'
import { clientOf } from '#modules/identity/completion/respond-sign-in.ts'
import { meView } from '#modules/identity/views.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Profiles } from './profile-service.ts'
import type { Profile } from './profile-store.ts'

/** What the audit log commits to. */
const stateOf = ({ name, locale, zone }: Profile) => ({ name: name ?? null, locale: locale ?? null, zone: zone ?? null })

/** The names of the preferences that differ. Their values are the user's own: administrators read the log. */
function changedPreferences(before: Profile['preferences'], after: Profile['preferences']): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !isDeepStrictEqual(before[name], after[name]))
}

/** Handlers of what a signed-in user changes about themselves. */
export function profileHandlers(profiles: Profiles): HandlersFor<typeof authUser> {
  return {
    async updateMe(ctx, { body }) {
      const { principal } = ctx
      if (principal === undefined) throw new Error('an operation with a scope was called without a principal')
      const { user, account, before, profile } = await profiles.update(ctx.tx, ctx.accountId, ctx.userId, body)
      const preferences = changedPreferences(before.preferences, profile.preferences)
      const details = preferences.length === 0 ? {} : { preferences }
      ctx.audit({ target: toTypeId('usr', ctx.userId), details, change: { before: stateOf(before), after: stateOf(profile) } })
      return meView(user, account, profile, principal)
    },
    async passwordChange(ctx, { body }) {
      const caller = { accountId: ctx.accountId, userId: ctx.userId, sessionId: ctx.jti, client: clientOf(ctx) }
      ctx.audit({ target: toTypeId('usr', ctx.userId) })
      return { changed: true, sessionsEnded: await profiles.changePassword(caller, body) }
    },
  }
}
