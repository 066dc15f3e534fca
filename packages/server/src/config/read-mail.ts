import { type Mailbox, parseMailbox } from '#platform/mail/mailbox.ts'
import type { SmtpSettings } from '#platform/mail/smtp-mailer.ts'
import { certificates } from './certificates.ts'
import { listOf, oneOf, type RateLimit, rateLimit } from './parse.ts'
import { Mistake, type Reader } from './reader.ts'
import { Secret } from './secret.ts'

/** The mail server with its password as a Secret, and the limit of mails for each account. */
export interface MailSettings extends Omit<SmtpSettings, 'credentials'> {
  readonly credentials: { readonly user: string; readonly password: Secret } | undefined
  /** Number of recipients to which an account may send mails. */
  readonly perAccount: RateLimit
}

/** Reads the mail settings; `undefined` without a mail server. */
export function readMail(reader: Reader): MailSettings | undefined {
  const server = reader.secret('MILLRACE_SMTP_URL', 'MILLRACE_SMTP_URL_FILE', smtpUrl)
  const tls = reader.optional('MILLRACE_SMTP_TLS', oneOf(['required', 'optional', 'off']))
  const ca = reader.file('MILLRACE_SMTP_CA_FILE', certificates)
  const from = reader.optional('MILLRACE_MAIL_FROM', mailAddress)
  const senderDomains = reader.read('MILLRACE_MAIL_SENDER_DOMAINS', listOf(mailDomain), [])
  const perAccount = reader.read('MILLRACE_MAILS_PER_ACCOUNT', rateLimit, { limit: 1000, windowSeconds: 3600 })
  if (server === undefined) return undefined
  if (server.implicit && tls !== undefined) {
    reader.fault('MILLRACE_SMTP_TLS', 'is set, but smtps:// in MILLRACE_SMTP_URL is encrypted from the start. Unset it, or write smtp://.')
  }
  if (from === undefined) {
    if (!reader.has('MILLRACE_MAIL_FROM'))
      reader.fault('MILLRACE_MAIL_FROM', 'is not set, but MILLRACE_SMTP_URL is. Write the sender of mails, such as flows@example.com.')
    return undefined
  }
  const { implicit, ...rest } = server
  return { ...rest, tls: implicit ? 'implicit' : (tls ?? 'required'), ca, from, senderDomains, perAccount }
}

/** `smtp://user:password@host:587` or `smtps://…:465`. It may contain a password, so no message repeats it. */
function smtpUrl(text: string) {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || !/^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(url.hostname)) {
    throw new Mistake(
      'is not the address of an SMTP server. Write smtp://user:password@host:587 or smtps://user:password@host:465, special characters percent-encoded.',
    )
  }
  if (url.search !== '' || url.hash !== '' || (url.pathname !== '' && url.pathname !== '/'))
    throw new Mistake('has text after the port. Write smtp://user:password@host:587 and nothing more.')
  if ((url.username === '') !== (url.password === '')) throw new Mistake('has a user without a password, or a password without a user.')
  const implicit = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[(?<address>.*)\]$/, '$<address>'),
    port: url.port === '' ? (implicit ? 465 : 587) : Number(url.port),
    implicit,
    credentials: url.username === '' ? undefined : { user: decoded(url.username), password: new Secret(decoded(url.password)) },
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Mistake('has an invalid percent-encoding in its user or password. Write %25 for a percent sign.')
  }
}

function mailAddress(text: string): Mailbox {
  const mailbox = parseMailbox(text)
  if (mailbox !== undefined) return mailbox
  throw new Mistake(`${JSON.stringify(text)} is not a mail address. Write for example flows@example.com or Millrace <flows@example.com>.`)
}

function mailDomain(text: string): string {
  if (text === '*' || parseMailbox(`a@${text}`)?.address === `a@${text}`) return text.toLowerCase()
  throw new Mistake(`${JSON.stringify(text)} is not a domain. Write for example shop.example.com, or * for any.`)
}
