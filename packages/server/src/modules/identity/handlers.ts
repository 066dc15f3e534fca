import { type auth, Fault } from '@millrace/contract'
import type { Principal } from '#platform/auth/principal.ts'
import { type HandlersFor, type RequestContext, respond } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { Identity } from './service.ts'
import { clientOf, deliveryOf, respondSignedIn, respondSignIn, respondTokens } from './completion/respond-sign-in.ts'
import type { SessionCookie } from './completion/session-cookie.ts'
import { meView, sessionView } from './views.ts'

/** Handlers of the group `auth`. */
export function authHandlers({ sessions, ...identity }: Omit<Identity, 'throttle'>, cookie: SessionCookie): HandlersFor<typeof auth> {
  return {
    async register(ctx, { body }) {
      const { email, password, name, accountName, operatorCode } = body
      const signedIn = await identity.register({ email, password, name, accountName, operatorCode }, clientOf(ctx))
      return respondSignedIn(ctx, { status: 'signed_in', delivery: deliveryOf(body), ...signedIn }, cookie, {})
    },
    async login(ctx, { body }) {
      const { email, password } = body
      return respondSignIn(ctx, await identity.signIn({ email, password, delivery: deliveryOf(body) }, clientOf(ctx)), cookie)
    },
    async refresh(ctx, { body }) {
      const token = body.refreshToken ?? cookie.read(ctx)
      if (token === undefined) throw new Fault('refresh_token_invalid', { detail: 'Send `refreshToken`, or the cookie of a session.' })
      const tokens = await sessions.refresh(token, clientOf(ctx))
      return respondTokens(tokens, body.refreshToken === undefined ? 'cookie' : 'body', cookie, {})
    },
    async logout(ctx) {
      const jti = sessionOf(ctx)
      ctx.audit({ target: toTypeId('ses', jti) })
      return respond(
        { revoked: await sessions.signOut(ctx.tx, ctx.accountId, ctx.userId, jti) },
        { headers: { 'set-cookie': cookie.clear() } },
      )
    },
    async logoutAll(ctx) {
      const revoked = await sessions.signOutEverywhere(ctx.tx, ctx.accountId, ctx.userId)
      ctx.audit({ target: toTypeId('usr', ctx.userId), details: { revoked } })
      return respond({ revoked }, { headers: { 'set-cookie': cookie.clear() } })
    },
    async sessions(ctx, { query }) {
      const before = decodeId(query.cursor)
      const found = await sessions.list(ctx.tx, ctx.accountId, ctx.userId, { before, limit: query.limit + 1 })
      const { data, nextCursor } = pageOf(found, query.limit, (last) => encodeCursor([last.id]))
      return { data: data.map((session) => sessionView(session, session.id === ctx.jti, sessions.limits)), nextCursor }
    },
    async revokeSession(ctx, { params }) {
      await sessions.revoke(ctx.tx, ctx.accountId, ctx.userId, idOf('ses', params.jti))
      ctx.audit({ target: params.jti })
      return { jti: params.jti, revoked: true }
    },
    async me(ctx) {
      const { user, account, profile } = await identity.me(ctx.tx, ctx.accountId, ctx.userId)
      return meView(user, account, profile, callerOf(ctx))
    },
    async deleteMe(ctx) {
      const id = toTypeId('usr', ctx.userId)
      const departure = await identity.deleteMe(ctx.tx, ctx.accountId, ctx.userId)
      ctx.afterCommit(departure.afterCommit)
      const restorableUntil = departure.restorableUntil?.toISOString() ?? null
      ctx.audit({ target: id, details: { restorableUntil } })
      return { id, deleted: true, restorableUntil }
    },
  }
}

function callerOf({ principal }: RequestContext): Principal {
  if (principal === undefined) throw new Error('an operation with a scope was called without a principal')
  return principal
}

/** These operations require a scope that no API key can have, so the caller has a session. */
function sessionOf({ jti }: RequestContext): string {
  if (jti === undefined) throw new Error('an operation of account security was called without a session')
  return jti
}
