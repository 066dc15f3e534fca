import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { CompleteSignIn, SignInResult } from '#modules/identity/completion/complete-sign-in.ts'
import type { Delivery } from '#modules/identity/completion/challenge-store.ts'
import { deviceOf } from '#modules/identity/device.ts'
import { type Client, normaliseEmail, type User } from '#modules/identity/model.ts'
import type { Reclaim } from '#modules/identity/reclaim/reclaim.ts'
import { confirmEmail } from '#modules/identity/reclaim/reclaim-store.ts'
import { assertPassword } from '#modules/identity/register.ts'
import { securityMail } from '#modules/identity/security-mail.ts'
import type { SessionService } from '#modules/identity/session-service.ts'
import { findUser, putPassword } from '#modules/identity/store.ts'
import type { PasswordHasher } from '#platform/auth/password-hasher.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { Mail } from '#platform/mail/mail-job.ts'
import { findLink, type LinkPurpose, useLink, voidLinks } from './link-store.ts'
import { digestOf, newLinkSecret } from '#platform/auth/link-token.ts'
import type { SendLink } from './send-link.ts'

export interface MailLinkDeps {
  /** The system pool: the account of a link is not known before it is found. */
  readonly db: Kysely<Rows>
  readonly mail: Mail
  readonly sessions: Pick<SessionService, 'prepare' | 'signOutEverywhere'>
  readonly completeSignIn: CompleteSignIn
  readonly passwords: Pick<PasswordHasher, 'hashNew'>
  /** For links that prove the mailbox and not the password. */
  readonly reclaim: Reclaim
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
  readonly sendLink: SendLink
}

export interface MailLinks {
  resendVerification(email: string): Promise<void>
  /** Confirms an address. @param callerId the signed-in user, who has to be that of the link. */
  verifyEmail(token: string, callerId: string | undefined): Promise<User>
  forgotPassword(email: string): Promise<void>
  resetPassword(token: string, password: string, client: Client): Promise<{ readonly user: User; readonly sessionsEnded: number }>
  sendMagicLink(email: string): Promise<{ readonly request: string; readonly expiresAt: Date }>
  verifyMagicLink(
    given: { readonly token: string; readonly request: string; readonly delivery: Delivery },
    client: Client,
  ): Promise<SignInResult>
}

const signInFirst = 'Sign in as the user who registered the address, and open the link again. If you did not register it, ignore the mail.'

/** Links in mails. Requests for an unknown address do the same work as others, and send an empty job. */
export function createMailLinks(deps: MailLinkDeps): MailLinks {
  const { db, mail, sessions, completeSignIn, passwords, reclaim, now, randomBytes, sendLink } = deps

  async function requestLink(purpose: LinkPurpose, given: string, request?: string): Promise<Date> {
    if (!mail.isAvailable) throw new Fault('mail_unavailable')
    await mail.prepare()
    return await db.transaction().execute((tx) => sendLink(tx, purpose, normaliseEmail(given), request))
  }

  return {
    async resendVerification(email) {
      await requestLink('verify-email', email)
    },
    async verifyEmail(token, callerId) {
      return await db.transaction().execute(async (tx) => {
        const linked = await useLink(tx, { purpose: 'verify-email', hash: digestOf(token), requestHash: undefined }, now())
        if (linked === undefined) throw new Fault('link_invalid')
        // The credentials may be those of someone who registered the address of another person. Rolling back leaves the link usable.
        if (linked.user.id !== callerId) throw new Fault('unauthenticated', { detail: signInFirst })
        await confirmEmail(tx, linked.user.accountId, linked.user.id, now())
        return linked.user
      })
    },
    async forgotPassword(email) {
      await requestLink('reset-password', email)
    },
    async resetPassword(token, password, client) {
      const link = { purpose: 'reset-password', hash: digestOf(token), requestHash: undefined } as const
      const found = await findLink(db, link.purpose, link.hash, now())
      if (found === undefined) throw new Fault('link_invalid')
      assertPassword(password, [found.user.email, found.user.name ?? ''])
      const hash = await passwords.hashNew(password)
      await mail.prepare()
      return await db.transaction().execute(async (tx) => {
        const at = now()
        const linked = await useLink(tx, link, at)
        if (linked === undefined) throw new Fault('link_invalid')
        const { user } = linked
        const { accountId, id: userId } = user
        await putPassword(tx, accountId, userId, { hash, changedAt: at })
        const reclaimed = await reclaim(tx, user, { client, keepsPassword: true })
        await voidLinks(tx, accountId, userId, at)
        const sessionsEnded = reclaimed?.sessionsEnded ?? (await sessions.signOutEverywhere(tx, accountId, userId))
        const reset = await findUser(tx, accountId, userId)
        if (reset === undefined) throw new Fault('link_invalid')
        const { locale, zone } = reset.reader
        const data = { change: 'password_reset', at, zone, ip: client.ip, device: deviceOf(client.userAgent) } as const
        await mail.send(tx, { accountId, to: user.email, template: securityMail, locale, data })
        return { user, sessionsEnded }
      })
    },
    async sendMagicLink(email) {
      const request = newLinkSecret('mlq_', randomBytes)
      return { request, expiresAt: await requestLink('magic-link', email, request) }
    },
    async verifyMagicLink({ token, request, delivery }, client) {
      await Promise.all([sessions.prepare(), mail.prepare()])
      return await db.transaction().execute(async (tx) => {
        const link = { purpose: 'magic-link', hash: digestOf(token), requestHash: digestOf(request) } as const
        const linked = await useLink(tx, link, now())
        if (linked === undefined) throw new Fault('link_invalid')
        const { user } = linked
        // The mailbox received the link, so the address is confirmed as well.
        await reclaim(tx, user, { client, keepsPassword: false })
        return await completeSignIn(tx, user, { client, methods: ['email'], delivery })
      })
    },
  }
}
