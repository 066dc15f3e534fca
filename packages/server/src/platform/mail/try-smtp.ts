import type { mailOutcomes } from '@millrace/contract'
import { MailError } from './mail-error.ts'
import type { MailMessage } from './mailer.ts'
import { answerOf } from './smtp-failure.ts'
import { sendOverSmtp, type SmtpMailerDeps, type SmtpSettings } from './smtp-mailer.ts'

/** What became of one mail, for the person who configured the mail server. */
export interface TriedMail {
  readonly outcome: (typeof mailOutcomes)[number]
  readonly detail: string
  /** What the server or the connection said. */
  readonly answer: string | undefined
}

/** Sends one mail on a connection of its own, and says what the server answered. */
export async function trySmtp(settings: SmtpSettings, message: MailMessage, deps: SmtpMailerDeps): Promise<TriedMail> {
  try {
    const response = await sendOverSmtp(settings, message, deps)
    return {
      outcome: 'sent',
      detail: 'The mail server took the mail. If it does not arrive, look for it in the spam.',
      answer: answerOf({ message: response }),
    }
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    return failureOf(error, settings)
  }
}

/** Names the settings that may be wrong, which the message of the error does not: its readers are authors of mails. */
function failureOf(error: MailError, { host, port }: SmtpSettings): TriedMail {
  const { cause } = error
  const answer = cause instanceof Error ? answerOf(cause) : error.message
  const ended = (outcome: TriedMail['outcome'], detail: string): TriedMail => ({ outcome, detail, answer })
  switch (error.failure) {
    case 'authentication':
      return ended('login_refused', 'The mail server does not take the user and password of MILLRACE_SMTP_URL.')
    case 'insecure':
      return isOfCertificate(cause)
        ? ended(
            'certificate',
            `The certificate of ${host} is not trusted. Trust it by MILLRACE_SMTP_CA_FILE, or use the name that it is made for.`,
          )
        : ended('no_tls', `${host}:${port} does not encrypt as configured. Check smtp:// or smtps://, the port, and MILLRACE_SMTP_TLS.`)
    case 'timeout':
      return ended('timeout', `${host}:${port} did not answer in time. Check the port, and whether a firewall lets connections through.`)
    case 'unreachable':
      return codeOf(cause) === 'EDNS'
        ? ended('unknown_host', `The name ${host} is not known. Check the host of MILLRACE_SMTP_URL.`)
        : ended('unreachable', `No mail server answers at ${host}:${port}. Check host and port of MILLRACE_SMTP_URL.`)
    case 'refused':
      return ended('refused', error.message)
    case 'invalid':
    case 'denied':
    case 'quota':
      return ended('failed', error.message)
    default:
      return error.failure satisfies never
  }
}

function isOfCertificate(cause: unknown): boolean {
  return cause instanceof Error && /certificate|altname|issuer/i.test(cause.message)
}

function codeOf(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
}
