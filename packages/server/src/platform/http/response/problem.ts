import { errorCatalogue, Fault, type Problem } from '@millrace/contract'
import { errorCode } from '#platform/error-code.ts'
import { ConnectionClosed } from '#platform/http/request/connection-closed.ts'

export const problemType = 'application/problem+json'

/** The problem document of a Fault. */
export function problemOf(fault: Fault, requestId: string, path: string): Problem {
  const { status, title, detail } = errorCatalogue[fault.code]
  const { details } = fault
  return {
    ...details.extensions,
    type: `/docs#error-${fault.code}`,
    title,
    status,
    detail: details.detail ?? detail,
    instance: path,
    code: fault.code,
    requestId,
    ...(details.errors === undefined ? {} : { errors: [...details.errors] }),
  }
}

/** The headers of the response to a Fault. `presented`: whether the request had a credential. */
export function problemHeaders(fault: Fault, presented: boolean): Record<string, string> {
  const headers: Record<string, string> = {}
  const { resourceMetadata, neededScope } = fault.details.extensions ?? {}
  const hint = typeof resourceMetadata === 'string' ? `, resource_metadata="${resourceMetadata}"` : ''
  if (errorCatalogue[fault.code].status === 401)
    headers['www-authenticate'] =
      (stepUpChallenge(fault) ?? (presented ? 'Bearer realm="millrace", error="invalid_token"' : 'Bearer realm="millrace"')) + hint
  else if (fault.code === 'insufficient_scope' && typeof neededScope === 'string')
    headers['www-authenticate'] = `Bearer realm="millrace", error="insufficient_scope", scope="${neededScope}"${hint}`
  // What is left of the body is not waited for.
  if (fault.code === 'request_timeout') headers['connection'] = 'close'
  if (fault.details.retryAfterSeconds !== undefined) headers['retry-after'] = String(fault.details.retryAfterSeconds)
  return headers
}

/** The challenge of RFC 9470, section 3. */
function stepUpChallenge({ code, details: { extensions } }: Fault): string | undefined {
  if (code !== 'insufficient_authentication') return undefined
  const age = extensions?.['maxAgeSeconds']
  return `Bearer realm="millrace", error="insufficient_user_authentication", error_description="Prove your identity again", max_age=${Number(age)}`
}

const faultByFastifyCode: Readonly<Record<string, Fault['code']>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'malformed_request',
}

/** SQLSTATEs of text that PostgreSQL cannot store, which passes the checks of bodies when a document contains it in escapes. */
const unstorableText = new Set(['22021', '22P05'])
/** Codes of Node, SQLSTATEs and the engine's `PROCESS_FENCED`: the request can be repeated once the database is reachable. */
const databaseUnavailable = new Set([
  'PROCESS_FENCED',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '25P03',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53000',
  '53200',
  '53300',
  '53400',
  '58030',
  '08000',
  '08001',
  '08003',
  '08006',
])

/** Converts any error to a Fault: `internal`, unless the error is known to come from the request or from an unavailable database. `bodyLimit` is that of the operation. */
export function faultOf(error: unknown, bodyLimit?: number): Fault {
  if (error instanceof Fault) return error
  if (error instanceof ConnectionClosed) return new Fault('malformed_request', { cause: error })
  const code = errorCode(error)
  if (code === undefined) return poolFault(error) ?? new Fault('internal', { cause: error })
  // The caller disconnected while sending the body. Every other reset connection is one to the database.
  if (code === 'ECONNRESET' && error instanceof Error && error.message === 'aborted')
    return new Fault('malformed_request', { cause: error })
  // Of the engine: too many jobs of the account wait for a thread, the server stops, or no thread can be started.
  if (code.startsWith('THREADS_')) return new Fault('overloaded', { cause: error, retryAfterSeconds: 5 })
  const known = faultByFastifyCode[code]
  if (known === 'payload_too_large' && bodyLimit !== undefined)
    return new Fault(known, { detail: `The body is larger than this operation takes: at most ${bodyLimit} bytes.`, cause: error })
  if (known !== undefined) return new Fault(known, { cause: error })
  if (unstorableText.has(code)) return new Fault('request_invalid', { detail: 'Contains a character that cannot be stored.', cause: error })
  if (code === '23503' && isAboutCaller(error)) return new Fault('unauthenticated', { cause: error })
  if (isOutOfSpace(error))
    return new Fault('database_unavailable', { detail: 'The disk of the database is full.', cause: error, retryAfterSeconds: 30 })
  if (databaseUnavailable.has(code) || isConnecting(error)) return new Fault('database_unavailable', { cause: error, retryAfterSeconds: 5 })
  if (code.startsWith('FST_ERR_CTP_')) return new Fault('malformed_request', { cause: error })
  return new Fault('internal', { cause: error })
}

/** Whether PostgreSQL could not write since its disk is full. */
export function isOutOfSpace(error: unknown): boolean {
  return errorCode(error) === '53100'
}

/** Whether connecting failed, with any code: a stopped PostgreSQL has no socket, and one that is being replaced may have no DNS name. */
function isConnecting(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo')
  )
}

/** Whether the violated foreign key refers to the account or the user of the request, which were deleted after it was authenticated. */
function isAboutCaller(error: unknown): boolean {
  const { constraint }: { readonly constraint?: unknown } = Object(error)
  return typeof constraint === 'string' && /_(?:account_id|user_id)_fkey$/.test(constraint)
}

/** The Fault for errors of pg-pool, which have a message and no code. */
function poolFault(error: unknown): Fault | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.message === 'timeout exceeded when trying to connect') return new Fault('overloaded', { cause: error, retryAfterSeconds: 1 })
  return lostConnection.test(error.message) ? new Fault('database_unavailable', { cause: error, retryAfterSeconds: 5 }) : undefined
}

const lostConnection = /^Connection terminated|and is not queryable$|^the database has not answered/
