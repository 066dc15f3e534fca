import type { Config } from '#config/read-config.ts'
import type { Database } from '#platform/db/database.ts'
import { limitMailer } from '#platform/mail/mail-quota.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { createSmtpMailer, type SmtpSettings } from '#platform/mail/smtp-mailer.ts'
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
  const smtp = createSmtpMailer(smtpSettingsOf(settings), { now: system.now })
  return limitMailer(departingMailer(smtp, departures, settings.host), {
    db: database.system,
    limit: settings.perAccount,
    onError: (error) => logger.warn({ err: error }, 'mail sent without being counted towards its quota'),
  })
}

/** The settings with the password in the clear. */
export function smtpSettingsOf({ credentials, perAccount: _perAccount, ...settings }: NonNullable<Config['mail']>): SmtpSettings {
  return { ...settings, credentials: credentials && { user: credentials.user, password: credentials.password.reveal() } }
}
