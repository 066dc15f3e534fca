import type { authEmail } from '@millrace/contract'
import { clientOf, deliveryOf, respondSignIn } from '#modules/identity/completion/respond-sign-in.ts'
import type { SessionCookie } from '#modules/identity/completion/session-cookie.ts'
import type { User } from '#modules/identity/model.ts'
import type { HandlersFor, RequestContext } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { MailLinks } from './mail-link-service.ts'

/** Handlers of the links in mails. */
export function mailLinkHandlers(links: MailLinks, cookie: SessionCookie): HandlersFor<typeof authEmail> {
  return {
    async verifyEmail(ctx, { body }) {
      const user = await links.verifyEmail(body.token, ctx.jti === undefined ? undefined : ctx.userId)
      auditUser(ctx, user)
      return { verified: true, email: user.email }
    },
    async resendVerification(_ctx, { body }) {
      await links.resendVerification(body.email)
      return { sent: true }
    },
    async passwordForgot(_ctx, { body }) {
      await links.forgotPassword(body.email)
      return { sent: true }
    },
    async passwordReset(ctx, { body }) {
      const { user, sessionsEnded } = await links.resetPassword(body.token, body.password, clientOf(ctx))
      auditUser(ctx, user)
      return { reset: true, sessionsEnded }
    },
    async magicLink(_ctx, { body }) {
      const { request, expiresAt } = await links.sendMagicLink(body.email)
      return { sent: true, request, expiresAt: expiresAt.toISOString() }
    },
    async magicLinkVerify(ctx, { body }) {
      const { token, request } = body
      return respondSignIn(ctx, await links.verifyMagicLink({ token, request, delivery: deliveryOf(body) }, clientOf(ctx)), cookie)
    },
  }
}

function auditUser(ctx: RequestContext, { id, accountId }: User): void {
  ctx.audit({ target: toTypeId('usr', id), accountId, userId: id })
}
