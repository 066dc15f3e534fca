import type { auth } from '@millrace/contract'
import type { Principal } from '#platform/auth/principal.ts'
import type { HandlersFor, RequestContext } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { SignedInUser } from './model.ts'
import type { Identity } from './service.ts'
import { meView, sessionView, signedInView, tokensView } from './views.ts'

/** Handlers of the group `auth`. */
export function authHandlers({ sessions, ...identity }: Identity): HandlersFor<typeof auth> {
  return {
    async register(ctx, { body }) {
      const { email, password, name, accountName, operatorCode } = body
      const signedIn = await identity.register({ email, password, name, accountName, operatorCode }, clientOf(ctx))
      auditSignIn(ctx, signedIn)
      return signedInView(signedIn)
    },
    async login(ctx, { body }) {
      const signedIn = await identity.signIn(body.email, body.password, clientOf(ctx))
      auditSignIn(ctx, signedIn)
      return signedInView(signedIn)
    },
    async refresh(ctx, { body }) {
      return tokensView(await sessions.refresh(body.refreshToken, clientOf(ctx)))
    },
    async logout(ctx) {
      const jti = sessionOf(ctx)
      ctx.audit({ target: toTypeId('ses', jti) })
      return { revoked: await sessions.signOut(ctx.tx, ctx.accountId, ctx.userId, jti) }
    },
    async logoutAll(ctx) {
      const revoked = await sessions.signOutEverywhere(ctx.tx, ctx.accountId, ctx.userId)
      ctx.audit({ target: toTypeId('usr', ctx.userId), details: { revoked } })
      return { revoked }
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
      const { user, account } = await identity.me(ctx.tx, ctx.accountId, ctx.userId)
      return meView(user, account, callerOf(ctx))
    },
    async deleteMe(ctx) {
      const id = toTypeId('usr', ctx.userId)
      await identity.deleteMe(ctx.tx, ctx.accountId, ctx.userId)
      ctx.audit({ target: id })
      return { id, deleted: true }
    },
  }
}

function clientOf({ ip, userAgent }: RequestContext) {
  return { ip, userAgent }
}

function auditSignIn(ctx: RequestContext, { user, tokens }: SignedInUser): void {
  ctx.audit({ target: toTypeId('ses', tokens.sessionId), accountId: user.accountId, userId: user.id })
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
