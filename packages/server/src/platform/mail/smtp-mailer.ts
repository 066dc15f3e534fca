import type { SMTPPoolOptions, SMTPPoolSentMessageInfo } from 'nodemailer'
import { checkMessage } from './check-message.ts'
import { MailError } from './mail-error.ts'
import { domainOf, type Mailbox } from './mailbox.ts'
import type { Mailer, MailMessage, MailReceipt } from './mailer.ts'
import { answerOf, smtpFailure } from './smtp-failure.ts'

export interface SmtpSettings {
  readonly host: string
  /** Where to connect in place of resolving the host. */
  readonly address?: string
  readonly port: number
  /**
   * - `implicit`: TLS from the first byte (smtps).
   * - `required`: STARTTLS, and no mail without it.
   * - `optional`: STARTTLS where the server offers it; an attacker between them can remove the offer.
   * - `off`: never.
   */
  readonly tls: 'implicit' | 'required' | 'optional' | 'off'
  /** Certificates to trust in place of the system's, as PEM. */
  readonly ca: string | undefined
  readonly credentials: { readonly user: string; readonly password: string } | undefined
  /** The sender of mails that name none. */
  readonly from: Mailbox
  /** Domains beside that of `from` that mails may come from, in lower case; `*` stands for any. */
  readonly senderDomains: readonly string[]
}

export interface SmtpLimits {
  readonly connections: number
  /** Until the server is connected and has greeted. */
  readonly connectMs: number
  /** Silence of the server in the middle of a conversation. */
  readonly silenceMs: number
  /** One mail from beginning to end; a server that trickles its answers is never silent. */
  readonly totalMs: number
}

export interface SmtpMailerDeps {
  readonly now: () => number
  readonly limits?: SmtpLimits
}

const limitsDefault: SmtpLimits = { connections: 5, connectMs: 15_000, silenceMs: 60_000, totalMs: 180_000 }

/** Mails over SMTP, on a few connections that are kept. Connects when there is something to send. */
export function createSmtpMailer(settings: SmtpSettings, { now, limits = limitsDefault }: SmtpMailerDeps): Mailer {
  const options = { ...poolOptions(settings, limits), pool: true } as const
  let opened: ReturnType<typeof openTransport> | undefined
  const ownDomain = domainOf(settings.from)
  const allowed = new Set([ownDomain, ...settings.senderDomains])

  return {
    async send(message, signal) {
      signal.throwIfAborted()
      const from = message.from ?? settings.from
      if (!allowed.has('*') && !allowed.has(domainOf(from)))
        throw new MailError('denied', `This installation does not send mail from addresses of ${domainOf(from)}.`)
      checkMessage(message)
      const messageId = `<${message.key}@${ownDomain}>`
      const timeout = AbortSignal.timeout(limits.totalMs)
      try {
        const transport = await (opened ??= openTransport(options))
        const info = await transport.sendMail({
          ...partsOf(message, from),
          messageId,
          date: new Date(now()),
          signal: AbortSignal.any([signal, timeout]),
        })
        return receiptOf(messageId, info)
      } catch (error) {
        signal.throwIfAborted()
        throw timeout.aborted ? tooSlow(error) : smtpFailure(error)
      }
    },
    close() {
      void opened?.then((transport) => transport.close({ force: true }))
    },
  }
}

function tooSlow(cause: unknown): MailError {
  return new MailError('timeout', 'The mail server did not answer in time.', { cause })
}

async function openTransport(options: SMTPPoolOptions & { readonly pool: true }) {
  const { createTransport } = await import('nodemailer')
  return createTransport(options)
}

/** Connects and signs in. Throws MailError. */
export async function verifySmtp(settings: SmtpSettings, limits: SmtpLimits = limitsDefault): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(poolOptions(settings, limits))
  try {
    await transport.verify()
  } catch (error) {
    throw smtpFailure(error)
  } finally {
    transport.close()
  }
}

/** Sends a mail on a connection of its own. Throws MailError, whose cause is the error of the connection. @returns what the server said. */
export async function sendOverSmtp(
  settings: SmtpSettings,
  message: MailMessage,
  { now, limits = limitsDefault }: SmtpMailerDeps,
): Promise<string> {
  checkMessage(message)
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(poolOptions(settings, limits))
  const signal = AbortSignal.timeout(limits.totalMs)
  try {
    const messageId = `<${message.key}@${domainOf(settings.from)}>`
    const { response } = await transport.sendMail({ ...partsOf(message, settings.from), messageId, date: new Date(now()), signal })
    return response
  } catch (error) {
    throw signal.aborted ? tooSlow(error) : smtpFailure(error)
  } finally {
    transport.close()
  }
}

function poolOptions({ host, address = host, port, tls, ca, credentials }: SmtpSettings, limits: SmtpLimits): SMTPPoolOptions {
  return {
    host: address,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    tls: { minVersion: 'TLSv1.2', ...(address === host ? {} : { servername: host }), ...(ca === undefined ? {} : { ca }) },
    ...(credentials === undefined ? {} : { auth: { user: credentials.user, pass: credentials.password } }),
    maxConnections: limits.connections,
    maxRequeues: 2,
    dnsTimeout: limits.connectMs,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    socketTimeout: limits.silenceMs,
    // The content of an attachment is given, never the name of a file or a URL to read.
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  }
}

function partsOf(message: MailMessage, from: Mailbox) {
  const { to, cc = [], bcc = [], replyTo = [], subject, text, html, attachments = [], headers = {} } = message
  const recipients = [...to, ...cc, ...bcc].map(({ address }) => address)
  return {
    from: written(from),
    to: to.map(written),
    cc: cc.map(written),
    replyTo: replyTo.map(written),
    // Hidden recipients stand in the envelope alone.
    envelope: { from: from.address, to: [...new Set(recipients)] },
    subject,
    ...(text === undefined ? {} : { text }),
    ...(html === undefined ? {} : { html }),
    attachments: attachments.map(({ filename, contentType, content }) => ({
      filename,
      ...(contentType === undefined ? {} : { contentType }),
      content: Buffer.from(content),
    })),
    headers: Object.entries({ ...automatic(headers), ...headers }).map(([key, value]) => ({ key, value })),
    xMailer: false as const,
  }
}

/** Says that no person wrote it, so that no out-of-office notice comes back. Source: RFC 3834, section 5. */
function automatic(headers: Readonly<Record<string, string>>): Record<string, string> {
  const given = Object.keys(headers).some((name) => name.toLowerCase() === 'auto-submitted')
  return given ? {} : { 'Auto-Submitted': 'auto-generated' }
}

function written({ name, address }: Mailbox) {
  return { name: name ?? '', address }
}

function receiptOf(messageId: string, { accepted, rejectedErrors = [] }: SMTPPoolSentMessageInfo): MailReceipt {
  const rejected = rejectedErrors.map((error) => ({ address: error.recipient ?? '', reason: answerOf(error) }))
  return { messageId, accepted, rejected }
}
