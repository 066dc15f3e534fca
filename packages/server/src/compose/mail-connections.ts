import { standardError } from '@millrace/engine'
import type { UseMailConnection } from '#catalog/email/email-function.ts'
import { smtpOf } from '#modules/connections/index.ts'
import { serviceError } from '#modules/connectors/index.ts'
import { createSmtpMailer, type SmtpLimits } from '#platform/mail/smtp-mailer.ts'
import { type Departures, departingMailer } from './departures.ts'
import type { OpenConnections } from './open-connections.ts'

export interface MailConnectionsDeps {
  readonly connections: Pick<OpenConnections, 'use' | 'address'>
  readonly departures: Departures
  readonly now: () => number
}

const limits: SmtpLimits = { connections: 1, connectMs: 15_000, silenceMs: 60_000, totalMs: 180_000 }

/** Mails by the SMTP servers of connections, each on a connection of its own to an address that workflows may reach. */
export function mailConnections({ connections: { use, address }, departures, now }: MailConnectionsDeps): UseMailConnection {
  return (call, perform) =>
    use(call, ['smtp'], async ({ name, settings, secrets }, inner) => {
      if (settings.kind !== 'smtp') throw standardError('configuration', `The connection "${name}" is not for SMTP.`)
      const server = await smtpOf(settings, secrets, address).catch((error: unknown) => {
        throw serviceError(error)
      })
      // The server of the connection knows which senders its user may name.
      const smtp = createSmtpMailer({ ...server, senderDomains: ['*'] }, { now, limits })
      const mailer = departingMailer(smtp, departures, settings.host)
      try {
        return await perform(mailer, inner)
      } finally {
        mailer.close()
      }
    })
}
