import type { Mailbox } from './mailbox.ts'

/** Sends mails, for all parts of Millrace. */
export interface Mailer {
  /**
   * Resolves when the server has taken the message for at least one recipient. Rejects with a MailError, or with the signal's reason.
   * An abort does not prove that the server has not taken it.
   */
  send(message: MailMessage, signal: AbortSignal): Promise<MailReceipt>
  /** Ends every connection, messages under way included. */
  close(): void
}

export interface MailMessage {
  /** Names the mail: the same key gives the same Message-ID. Letters, digits, `.`, `_` and `-`. */
  readonly key: string
  /** Who sends it: mails of an account are limited. */
  readonly accountId: string
  /** The installation's own sender where left out. */
  readonly from?: Mailbox | undefined
  readonly to: readonly Mailbox[]
  readonly cc?: readonly Mailbox[] | undefined
  readonly bcc?: readonly Mailbox[] | undefined
  readonly replyTo?: readonly Mailbox[] | undefined
  readonly subject: string
  readonly text?: string | undefined
  readonly html?: string | undefined
  readonly attachments?: readonly MailAttachment[] | undefined
  /** More headers by name. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface MailAttachment {
  readonly filename: string
  readonly contentType?: string | undefined
  readonly content: Uint8Array
}

export interface MailReceipt {
  /** With its angle brackets. */
  readonly messageId: string
  readonly accepted: readonly string[]
  readonly rejected: readonly { readonly address: string; readonly reason: string }[]
}
