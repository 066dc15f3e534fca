import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Mail } from '#platform/mail/mail-job.ts'
import { type MailTemplate, mailLocaleOf } from '#platform/mail/templates/compose-mail.ts'
import { insertLink, type LinkPurpose } from './link-store.ts'
import { digestOf, newLinkSecret } from '#platform/auth/link-token.ts'
import { magicLinkMail, resetPasswordMail, verifyEmailMail } from './templates.ts'

export interface SendLinkDeps {
  readonly mail: Pick<Mail, 'send'>
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
  /** The page of a link, as `https://host/mail/verify`. */
  readonly pageOf: (kind: 'verify' | 'reset' | 'magic') => string
}

/** Sends a link to a normalised address, and returns when the link expires. @param request the secret of the browser that asked. */
export type SendLink = (tx: Kysely<Rows>, purpose: LinkPurpose, email: string, request?: string) => Promise<Date>

const minuteMs = 60 * 1000
const kinds = {
  'verify-email': { page: 'verify', template: verifyEmailMail, validMs: 24 * 60 * minuteMs },
  'reset-password': { page: 'reset', template: resetPasswordMail, validMs: 30 * minuteMs },
  'magic-link': { page: 'magic', template: magicLinkMail, validMs: 10 * minuteMs },
} as const satisfies Record<LinkPurpose, { page: string; template: MailTemplate<{ url: string }>; validMs: number }>

export function createLinkSender({ mail, now, randomBytes, pageOf }: SendLinkDeps): SendLink {
  return async (tx, purpose, email, request) => {
    const { page, template, validMs } = kinds[purpose]
    const at = now()
    const token = newLinkSecret('mll_', randomBytes)
    const requestHash = request === undefined ? undefined : digestOf(request)
    const expiresAt = new Date(at.getTime() + validMs)
    const linked = await insertLink(tx, { purpose, email, hash: digestOf(token), requestHash, expiresAt }, at)
    // In the fragment, which no server and no Referer sees.
    const data = { url: `${pageOf(page)}#token=${token}` }
    await mail.send(tx, { accountId: linked?.user.accountId, to: linked?.user.email, template, locale: mailLocaleOf(linked?.locale), data })
    return expiresAt
  }
}
