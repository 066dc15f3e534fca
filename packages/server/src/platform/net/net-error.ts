import { errorCode } from '#platform/error-code.ts'

/** Why an outgoing request failed. */
export type NetReason = 'denied' | 'dns' | 'connect' | 'tls' | 'reset' | 'protocol' | 'timeout' | 'too-large' | 'redirects'

/** An outgoing request that failed; the message is for the author of a workflow and discloses nothing about the operator's network. */
export class NetError extends Error {
  readonly reason: NetReason

  constructor(reason: NetReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'NetError'
    this.reason = reason
  }
}

/** Wraps errors of undici, sockets, TLS and the resolver. */
export function netError(error: Error): NetError {
  if (error instanceof NetError) return error
  const code = errorCode(error) ?? ''
  // Errors of the parser always have this name, but a code only when a reply is truncated.
  const reason = error.name === 'HTTPParserError' ? 'protocol' : reasonOf(code)
  return new NetError(reason, code === '' ? messages[reason] : `${messages[reason]} (${code})`, { cause: error })
}

function reasonOf(code: string): NetReason {
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout'
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) return 'dns'
  if (connectCodes.has(code)) return 'connect'
  if (protocolCodes.has(code)) return 'protocol'
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too-large'
  if (isTlsCode(code)) return 'tls'
  return 'reset'
}

const connectCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'EHOSTDOWN',
  'ENETDOWN',
])

const protocolCodes: ReadonlySet<string> = new Set([
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_INVALID_ARG',
])

/** OpenSSL's verification failures have no common prefix; each contains one of these words. */
function isTlsCode(code: string): boolean {
  return /^ERR_(TLS|SSL|OSSL)|CERT|CRL|CHAIN|SIGNATURE|ISSUER|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|^EPROTO$/.test(code)
}

const messages: Readonly<Record<NetReason, string>> = {
  denied: 'workflows may not reach this address',
  dns: 'the host name cannot be resolved',
  connect: 'the connection was refused or the host cannot be reached',
  tls: 'the TLS connection cannot be trusted or set up',
  reset: 'the connection ended before the reply was complete',
  protocol: 'the reply is not valid HTTP',
  timeout: 'the connection was not made in time',
  'too-large': 'the reply is larger than is allowed',
  redirects: 'a redirect cannot be followed',
}
