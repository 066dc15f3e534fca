import { MailError } from './mail-error.ts'
import type { Mailer } from './mailer.ts'

/** Is informed of how mails go. Neither rejects. */
export interface MailWatch {
  sent(): Promise<void>
  /** The mail server was not reached, or takes no mails of this installation: it is not because of one mail. */
  failed(error: MailError): Promise<void>
}

/** A mailer whose successes, and failures that are not due to the mail, are reported. */
export function watchedMailer(mailer: Mailer, watch: MailWatch): Mailer {
  return {
    async send(message, signal) {
      try {
        const receipt = await mailer.send(message, signal)
        await watch.sent()
        return receipt
      } catch (error) {
        if (error instanceof MailError && isOfServer(error)) await watch.failed(error)
        throw error
      }
    },
    close: () => mailer.close(),
  }
}

/** Whether another mail would have failed, too. */
export function isOfServer({ failure }: MailError): boolean {
  return failure === 'unreachable' || failure === 'insecure' || failure === 'authentication' || failure === 'timeout'
}
