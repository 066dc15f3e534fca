import { MailError } from './mail-error.ts'
import { type Mailbox, parseMailbox } from './mailbox.ts'
import type { MailMessage } from './mailer.ts'

const recipientsMax = 100
const bytesMax = 25 * 1024 * 1024

/** Headers that the message, the transport or a receiving server sets; a second one would say something else than the first. */
const taken =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|return-path|received|delivered-to|x-original-to|resent-.*|dkim-.*|arc-.*|authentication-results)$/i
const fieldName = /^[!-9;-~]{1,76}$/
const mediaType = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:\s*;[^\p{Cc}]*)?$/u
const control = /[^\P{Cc}\t]/u

/** Throws a MailError for what cannot go into a mail, header injection first of all. */
export function checkMessage(message: MailMessage): void {
  const { key, from, to, cc = [], bcc = [], replyTo = [], subject, text, html, attachments = [], headers = {} } = message
  if (!/^[\w.-]{1,200}$/.test(key)) throw new Error(`${JSON.stringify(key)} cannot name a mail`)
  const recipients = to.length + cc.length + bcc.length
  if (to.length === 0) throw new MailError('invalid', 'A mail needs a recipient: "to" is empty.')
  if (recipients > recipientsMax)
    throw new MailError('invalid', `A mail goes to ${recipientsMax} recipients at most; these are ${recipients}.`)
  for (const mailbox of [...(from === undefined ? [] : [from]), ...to, ...cc, ...bcc, ...replyTo]) checkMailbox(mailbox)
  if (text === undefined && html === undefined) throw new MailError('invalid', 'A mail has a text, HTML or both; this one has neither.')
  if (control.test(subject)) throw new MailError('invalid', 'The subject has a line break or another control character in it.')
  for (const [name, value] of Object.entries(headers)) checkHeader(name, value)
  for (const { filename, contentType } of attachments) {
    if (filename === '' || control.test(filename))
      throw new MailError('invalid', 'The filename of an attachment is empty or has a control character in it.')
    if (contentType !== undefined && !mediaType.test(contentType))
      throw new MailError('invalid', `${JSON.stringify(contentType)} is not a media type. Write for example application/pdf.`)
  }
  const bytes = [text ?? '', html ?? ''].reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  const total = attachments.reduce((sum, { content }) => sum + content.byteLength, bytes)
  if (total > bytesMax) throw new MailError('invalid', `A mail may have ${bytesMax} bytes; this one has ${total}.`)
}

function checkMailbox({ name = '', address }: Mailbox): void {
  if (parseMailbox(address)?.address !== address) throw new MailError('invalid', `${JSON.stringify(address)} is not a mail address.`)
  if (control.test(name)) throw new MailError('invalid', `The name of ${address} has a line break or another control character in it.`)
}

function checkHeader(name: string, value: string): void {
  if (!fieldName.test(name)) throw new MailError('invalid', `${JSON.stringify(name)} is not the name of a header.`)
  if (taken.test(name)) throw new MailError('invalid', `The header "${name}" cannot be given: the mail has its own.`)
  if (control.test(value)) throw new MailError('invalid', `The header "${name}" has a line break or another control character in it.`)
}
