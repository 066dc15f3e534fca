import type { Config } from '#config/read-config.ts'
import type { HealthDeps } from '#modules/health/index.ts'
import { findUserEmail } from '#modules/identity/index.ts'
import type { Database } from '#platform/db/database.ts'
import type { SmtpLimits } from '#platform/mail/smtp-mailer.ts'
import { trySmtp } from '#platform/mail/try-smtp.ts'
import { smtpSettingsOf } from './mail.ts'
import type { System } from './system.ts'

interface Parts {
  readonly database: Pick<Database, 'system'>
  readonly system: Pick<System, 'now' | 'newId'>
}

/** A person waits for the result. */
const limits: SmtpLimits = { connections: 1, connectMs: 10_000, silenceMs: 15_000, totalMs: 40_000 }

/** Sends a test mail to a user who runs the installation. One that is sent ends the trouble, since waiting mails will go out, too. */
export function mailTest(mail: Config['mail'], { database, system }: Parts, ended: () => Promise<void>): HealthDeps['testMail'] {
  return async ({ accountId, userId }) => {
    const to = await findUserEmail(database.system, accountId, userId)
    if (mail === undefined)
      return {
        to,
        server: undefined,
        outcome: 'not_configured',
        detail: 'No mail server is configured. Set MILLRACE_SMTP_URL and MILLRACE_MAIL_FROM, and restart the server.',
        answer: undefined,
      }
    const settings = smtpSettingsOf(mail)
    const message = {
      key: `test-${system.newId()}`,
      accountId,
      to: [{ address: to, name: undefined }],
      subject: 'Test mail of Millrace',
      text: 'This mail shows that the mail server of this Millrace installation takes mails.',
    }
    const tried = await trySmtp(settings, message, { now: system.now, limits })
    if (tried.outcome === 'sent') await ended()
    return { ...tried, to, server: `${settings.host}:${settings.port}` }
  }
}
