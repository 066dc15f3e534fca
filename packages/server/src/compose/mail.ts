import type { Config } from '#config/read-config.ts'
import type { Database } from '#platform/db/database.ts'
import { limitMailer } from '#platform/mail/mail-quota.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { createSmtpMailer } from '#platform/mail/smtp-mailer.ts'
import type { Departures } from '#modules/consents/index.ts'
import { departingMailer } from './departures.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

export interface MailParts {
  readonly database: Pick<Database, 'system'>
  readonly departures: Departures
  readonly logger: Pick<Logger, 'warn'>
  readonly system: Pick<System, 'now'>
}

/** The mailer; undefined if the installation sends no mail. */
export function openMailer(settings: Config['mail'], { database, departures, logger, system }: MailParts): Mailer | undefined {
  if (settings === undefined) return undefined
  const { credentials, perAccount, ...rest } = settings
  const revealed = credentials === undefined ? undefined : { user: credentials.user, password: credentials.password.reveal() }
  const smtp = createSmtpMailer({ ...rest, credentials: revealed }, { now: system.now })
  return limitMailer(departingMailer(smtp, departures, rest.host), {
    db: database.system,
    limit: perAccount,
    onError: (error) => logger.warn({ err: error }, 'mail sent without being counted towards its quota'),
  })
}
