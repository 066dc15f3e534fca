import type { Config } from '#config/read-config.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { createSmtpMailer } from '#platform/mail/smtp-mailer.ts'
import type { System } from './system.ts'

/** What sends mails, if the installation does. */
export function openMailer(settings: Config['mail'], { now }: Pick<System, 'now'>): Mailer | undefined {
  if (settings === undefined) return undefined
  const { credentials, ...rest } = settings
  const revealed = credentials === undefined ? undefined : { user: credentials.user, password: credentials.password.reveal() }
  return createSmtpMailer({ ...rest, credentials: revealed }, { now })
}
