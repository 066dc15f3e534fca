import type { NodemailerError } from 'nodemailer'
import { MailError } from './mail-error.ts'

/** What nodemailer rejects with, in the words of the port. Anything else that it throws is a bug, and stays what it is. */
export function smtpFailure(error: unknown): unknown {
  if (!isNodemailerError(error)) return error
  const { responseCode: replyCode } = error
  const options = { replyCode, cause: error }
  if (isTlsFailure(error)) return new MailError('insecure', 'The mail server offers no TLS that can be trusted.', options)
  if (isAuthenticationFailure(error)) {
    return new MailError('authentication', `The mail server does not take this installation's user and password${answer(error)}.`, options)
  }
  switch (error.code) {
    case 'EENVELOPE':
    case 'EMESSAGE':
      return replyCode === undefined
        ? new MailError('invalid', `The mail cannot be sent: ${error.message}.`, options)
        : new MailError('refused', `The mail server refused ${refusedPart(error)}${answer(error)}.`, options)
    case 'ETIMEDOUT':
      return new MailError('timeout', 'The mail server did not answer in time.', options)
    case 'EDNS':
    case 'ECONNECTION':
    case 'ESOCKET':
    case 'EPROTOCOL':
    case 'EPROXY':
      return new MailError('unreachable', `The connection to the mail server failed${answer(error)}.`, options)
    default:
      return error
  }
}

/** What the server said, on one line. */
export function answerOf({ response, message }: Pick<NodemailerError, 'response' | 'message'>): string {
  const text = (response ?? message).replaceAll(/\s+/g, ' ').trim()
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

function answer(error: NodemailerError): string {
  return error.response === undefined ? '' : `: ${answerOf(error)}`
}

function refusedPart({ command, rejectedErrors = [] }: NodemailerError): string {
  if (command === 'MAIL FROM') return 'the sender'
  if (command !== 'RCPT TO') return 'the mail'
  const addresses = rejectedErrors.flatMap(({ recipient }) => recipient ?? [])
  return addresses.length === 1 ? `the recipient ${addresses[0]}` : 'every recipient'
}

/** A certificate that is not trusted comes as an error of the socket, with the code that OpenSSL gave it. */
function isTlsFailure({ code, originalCode = '', command }: NodemailerError): boolean {
  if (code === 'ETLS' || command === 'STARTTLS') return true
  return code === 'ESOCKET' && /CERT|ISSUER|ALTNAME|^ERR_(?:SSL|TLS)|^UNABLE_TO_/.test(originalCode)
}

/** A server that wants to know who it is says so when the mail is announced. Source: RFC 4954, section 6. */
function isAuthenticationFailure({ code, responseCode = 0 }: NodemailerError): boolean {
  return code === 'EAUTH' || code === 'ENOAUTH' || [530, 534, 535, 538].includes(responseCode)
}

function isNodemailerError(error: unknown): error is NodemailerError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}
