import { type EffectCall, type EffectFunction, itemsOf, type Json, membersOf, standardError, textOf, WorkflowError } from '@millrace/engine'
import { type Mailbox, parseMailbox } from '#platform/mail/mailbox.ts'
import { MailError } from '#platform/mail/mail-error.ts'
import type { MailAttachment, Mailer, MailMessage } from '#platform/mail/mailer.ts'

const notConfigured =
  'This installation sends no mail. Its operator sets MILLRACE_SMTP_URL to the SMTP server and MILLRACE_MAIL_FROM to the sender.'

/** Performs a call with a mailer to the SMTP server of the connection that its argument `connection` names. */
export type UseMailConnection = (call: EffectCall, perform: (mailer: Mailer, call: EffectCall) => Promise<Json>) => Promise<Json>

/** `call: email`. @param mailer undefined where the installation has no SMTP server. */
export function createEmailFunction(mailer: Mailer | undefined, use?: UseMailConnection): EffectFunction {
  return async (call) => {
    if (membersOf(call.arguments)['connection'] !== undefined) {
      if (use === undefined) throw standardError('configuration', 'Connections are not available here.')
      return use(call, send)
    }
    if (mailer === undefined) throw standardError('configuration', notConfigured)
    return send(mailer, call)
  }
}

async function send(mailer: Mailer, call: EffectCall): Promise<Json> {
  try {
    const { messageId, accepted, rejected } = await mailer.send(messageOf(call), call.signal)
    return { messageId, accepted, rejected: rejected.map(({ address, reason }) => ({ address, reason })) }
  } catch (error) {
    throw error instanceof MailError ? workflowError(error) : error
  }
}

/** The arguments as a message; they fit the schema of the manifest. */
function messageOf({
  accountId,
  arguments: given,
  idempotencyKey,
}: Pick<EffectCall, 'accountId' | 'arguments' | 'idempotencyKey'>): MailMessage {
  const args = membersOf(given)
  return {
    key: idempotencyKey,
    accountId,
    from: args['from'] === undefined ? undefined : mailbox(args['from'], '/from'),
    to: mailboxes(args['to'], '/to'),
    cc: mailboxes(args['cc'], '/cc'),
    bcc: mailboxes(args['bcc'], '/bcc'),
    replyTo: mailboxes(args['replyTo'], '/replyTo'),
    subject: textOf(args['subject']) ?? '',
    text: textOf(args['text']),
    html: textOf(args['html']),
    attachments: itemsOf(args['attachments']).map(attachment),
    headers: Object.fromEntries(Object.entries(membersOf(args['headers'])).map(([name, value]) => [name, textOf(value) ?? ''])),
  }
}

function mailboxes(given: Json | undefined, pointer: string): readonly Mailbox[] {
  if (Array.isArray(given)) return itemsOf(given).map((item, index) => mailbox(item, `${pointer}/${index}`))
  return given === undefined ? [] : [mailbox(given, pointer)]
}

function mailbox(given: Json, pointer: string): Mailbox {
  const found = typeof given === 'string' ? parseMailbox(given) : undefined
  if (found !== undefined) return found
  const advice = 'Write one address such as ada@example.com or Ada Lovelace <ada@example.com>, and several as a list.'
  throw standardError('validation', `${pointer}: ${JSON.stringify(given)} is not a mail address. ${advice}`)
}

function attachment(given: Json, index: number): MailAttachment {
  const { filename, contentType, content, contentBase64 } = membersOf(given)
  return {
    filename: textOf(filename) ?? '',
    contentType: textOf(contentType),
    content: contentBase64 === undefined ? Buffer.from(textOf(content) ?? '') : bytes(contentBase64, `/attachments/${index}/contentBase64`),
  }
}

/** Decodes base64 that may be broken into lines. Node.js takes anything, and would send what is left of it. */
function bytes(given: Json, pointer: string): Uint8Array {
  const encoded = (textOf(given) ?? '').replaceAll(/\s+/g, '')
  if (encoded.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) return Buffer.from(encoded, 'base64')
  throw standardError('validation', `${pointer} is not base64.`)
}

/** A failure in the words of the language: 503 or 429 where trying again may help, 502 where it does not. */
function workflowError(error: MailError): WorkflowError {
  const raise = ({ data }: WorkflowError, other: { readonly status?: number; readonly title?: string } = {}) =>
    new WorkflowError({ ...data, ...other }, { cause: error, retryAfterMs: error.retryAfterMs })
  switch (error.failure) {
    case 'invalid':
      return raise(standardError('validation', error.message))
    case 'denied':
      return raise(standardError('authorization', error.message))
    case 'authentication':
      return error.temporary
        ? raise(standardError('communication', error.message), unavailable)
        : raise(standardError('authentication', error.message))
    case 'timeout':
      return raise(standardError('timeout', error.message))
    case 'quota':
      return raise(standardError('communication', error.message), usedUp)
    case 'unreachable':
    case 'insecure':
    case 'refused':
      return raise(standardError('communication', error.message), error.temporary ? unavailable : refused)
  }
}

const unavailable = { status: 503, title: 'Mail not taken for now' }
const usedUp = { status: 429, title: 'Mail quota used up' }
const refused = { status: 502, title: 'Mail refused' }
