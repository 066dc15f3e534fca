import type { ErrorCode } from './errors.ts'
import type { AnyOperation } from './operation.ts'
import { isOpenToAuditors } from './role-scopes.ts'

export const bodyLimitDefault = 1024 * 1024

/** Media types in which a document may be the whole body. */
export const documentTypes = ['application/yaml', 'application/x-yaml', 'text/yaml'] as const

export const formType = 'application/x-www-form-urlencoded'

/** Media types of CloudEvents in structured mode: of one event, and of a batch. */
export const eventType = 'application/cloudevents+json'
export const eventBatchType = 'application/cloudevents-batch+json'

/** True where the kernel opens the one transaction that holds idempotency, effect and audit. */
export function opensTransaction(op: AnyOperation): boolean {
  return op.auth !== 'public' && (op.transaction ?? 'request') === 'request'
}

/** Names of the parameters in the path, in order. */
export function pathParameters(op: AnyOperation): readonly string[] {
  return [...op.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
}

/** Every error code of an operation: those that it declares, and those that follow from its declaration. */
export function errorsOf(op: AnyOperation): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(op.errors)
  const add = (...more: ErrorCode[]) => more.forEach((code) => codes.add(code))
  add('request_invalid', 'malformed_request', 'rate_limited', 'internal')
  // Any request may arrive too slowly, have an expectation that the server does not meet, or too large a head.
  add('request_timeout', 'expectation_failed', 'headers_too_large')
  // Looking up a credential uses the database, too.
  if (op.auth !== 'public' || op.transaction !== 'none') add('database_unavailable')
  if (op.auth !== 'public') add('unauthenticated', 'token_expired', 'insufficient_scope', 'key_restricted')
  if (op.optionalCredential) add('unauthenticated', 'token_expired', 'key_restricted')
  if (op.auth !== 'public' && op.auth.stepUp !== undefined) add('insufficient_authentication')
  if (op.role !== undefined || !isOpenToAuditors(op)) add('insufficient_role')
  if (op.flag !== undefined) add('route_not_found')
  if (op.gate !== undefined) add('owner_gated')
  if (op.consent !== undefined) add('consent_required')
  if (op.params !== undefined) add('not_found')
  // Also without a declared body: one that is sent nevertheless is read before it is refused.
  if (op.method !== 'GET') add('malformed_json', 'payload_too_large', 'unsupported_media_type', 'loop_detected')
  if (op.idempotency !== 'natural') add('idempotency_key_reused', 'idempotency_in_progress')
  if (op.requestHeaders?.includes('If-Match')) add('revision_mismatch')
  return [...codes]
}

/** The seconds of the `stepUp` of an operation: the greatest age of the proof of identity. `undefined` without one. */
export function stepUpSecondsOf(op: AnyOperation): number | undefined {
  if (op.auth === 'public' || op.auth.stepUp === undefined) return undefined
  const { hours = '0', minutes = '0' } = /^PT(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?$/.exec(op.auth.stepUp)?.groups ?? {}
  return (Number(hours) * 60 + Number(minutes)) * 60
}
