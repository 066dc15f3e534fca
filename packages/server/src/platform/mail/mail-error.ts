/**
 * Why a mail was not sent.
 *
 * - `invalid`: the message cannot be a mail; nothing was sent.
 * - `denied`: this installation does not send from that address.
 * - `unreachable`: no connection, or it broke. When it broke behind the message, the server may have taken it.
 * - `insecure`: the server has no TLS, or its certificate is not trusted.
 * - `authentication`: the server does not take the user and password.
 * - `refused`: the server does not take the message, or none of its recipients.
 * - `quota`: the account has sent as many mails as it may for now.
 * - `timeout`: the server did not answer in time.
 */
export type MailFailure = 'invalid' | 'denied' | 'unreachable' | 'insecure' | 'authentication' | 'refused' | 'quota' | 'timeout'

export interface MailErrorOptions extends ErrorOptions {
  /** Of an answer of the server, as SMTP has it: 421, 550, … */
  readonly replyCode?: number | undefined
  /** How long the mail has to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined
}

/** A mail was not sent. The message explains it to the author of the mail, and names neither the server nor its user. */
export class MailError extends Error {
  override readonly name = 'MailError'
  readonly failure: MailFailure
  readonly replyCode: number | undefined
  readonly retryAfterMs: number | undefined

  constructor(failure: MailFailure, message: string, { replyCode, retryAfterMs, ...options }: MailErrorOptions = {}) {
    super(message, options)
    this.failure = failure
    this.replyCode = replyCode
    this.retryAfterMs = retryAfterMs
  }

  /** Whether the same mail may go through later. */
  get temporary(): boolean {
    if (this.replyCode !== undefined) return this.replyCode < 500
    return this.failure === 'unreachable' || this.failure === 'timeout' || this.failure === 'quota'
  }
}
