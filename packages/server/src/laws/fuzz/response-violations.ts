import { type ApiResponse, dig } from '#laws/calls.ts'
import { protocolViolations } from '#laws/protocol-violations.ts'
import type { Described } from './description.ts'

/** Describes every difference between a response and the published description; empty for a correct response. */
export function responseViolations(op: Described, response: ApiResponse): readonly string[] {
  const { status, headers, body } = response
  const isCompressed = headers.get('content-encoding') !== null
  const violations = isCompressed ? [] : [...protocolViolations(response)]
  if (!op.statuses.has(String(status))) violations.push(`status ${status} is not declared`)
  if (status >= 500 && status !== 503) violations.push(`status ${status}`)
  const code = String(dig(body, ['code']))
  const isLate = (status === 503 && code !== 'model_not_configured') || status === 429
  if (isLate && headers.get('retry-after') === null) violations.push(`${status} without Retry-After`)
  // No request makes the database unavailable.
  if (status === 503 && !causedByRequests.has(code)) violations.push(`503 ${code}`)
  if (!isCompressed && op.statuses.has(String(status))) violations.push(...schemaViolations(op, response))
  return violations
}

/** Requests connect models at addresses where nothing listens, and exclude those of the installation. */
const causedByRequests: ReadonlySet<string> = new Set(['overloaded', 'model_unavailable', 'model_not_configured'])

function schemaViolations(op: Described, { status, headers, body }: ApiResponse): readonly string[] {
  const mediaType = (headers.get('content-type') ?? '').split(';')[0] ?? ''
  const validate = op.validator(status, mediaType)
  if (validate === undefined) return [`${status} is not declared as ${mediaType}`]
  if (mediaType === 'text/event-stream' || validate(body)) return []
  return (validate.errors ?? []).slice(0, 3).map(({ instancePath, message }) => `reply${instancePath} ${message}`)
}
