import type { Config } from '#config/read-config.ts'
import type { Database } from '#platform/db/database.ts'
import { limitMailer } from '#platform/mail/mail-quota.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { createSmtpMailer, type SmtpSettings } from '#platform/mail/smtp-mailer.ts'
import { watchedMailer } from '#platform/mail/watched-mailer.ts'
import type { Departures } from '#modules/consents/index.ts'
import { departingMailer } from './departures.ts'
import type { Logger } from './logger.ts'
import { openMailTrouble } from './mail-trouble.ts'
import type { System } from './system.ts'

export interface MailParts {
  readonly database: Pick<Database, 'system'>
  readonly departures: Departures
  readonly logger: Pick<Logger, 'warn'>
  readonly system: Pick<System, 'now'>
}

export interface InstallationMail {
  /** Undefined if the installation sends no mail. */
  readonly mailer: Mailer | undefined
  readonly mailTrouble: ReturnType<typeof openMailTrouble>
}

/** The mails of the installation, and whether they go out. */
export function openMail(settings: Config['mail'], parts: MailParts): InstallationMail {
  const { database, departures, logger, system } = parts
  const mailTrouble = openMailTrouble(parts)
  if (settings === undefined) return { mailer: undefined, mailTrouble }
  const smtp = watchedMailer(createSmtpMailer(smtpSettingsOf(settings), { now: system.now }), mailTrouble)
  const mailer = limitMailer(departingMailer(smtp, departures, settings.host), {
    db: database.system,
    limit: settings.perAccount,
    onError: (error) => logger.warn({ err: error }, 'mail sent without being counted towards its quota'),
  })
  return { mailer, mailTrouble }
}

/** The settings with the password in the clear. */
export function smtpSettingsOf({ credentials, perAccount: _perAccount, ...settings }: NonNullable<Config['mail']>): SmtpSettings {
  return { ...settings, credentials: credentials && { user: credentials.user, password: credentials.password.reveal() } }
}
