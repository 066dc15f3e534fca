import { type Answer, dig } from '#laws/calls.ts'
import { flawsOf } from '#laws/manners.ts'
import type { Described } from './description.ts'

/** What is wrong with an answer; nothing when it is one that the description promises. */
export function faultsOf(op: Described, answer: Answer): readonly string[] {
  const { status, headers, body } = answer
  const isPacked = headers.get('content-encoding') !== null
  const faults = isPacked ? [] : [...flawsOf(answer)]
  if (!op.statuses.has(String(status))) faults.push(`status ${status} is not declared`)
  if (status >= 500 && status !== 503) faults.push(`status ${status}`)
  if ((status === 503 || status === 429) && headers.get('retry-after') === null) faults.push(`${status} without Retry-After`)
  // Nothing that these requests do keeps the database from answering.
  if (status === 503 && dig(body, ['code']) !== 'overloaded') faults.push(`503 ${String(dig(body, ['code']))}`)
  if (!isPacked && op.statuses.has(String(status))) faults.push(...schemaFaults(op, answer))
  return faults
}

function schemaFaults(op: Described, { status, headers, body }: Answer): readonly string[] {
  const mediaType = (headers.get('content-type') ?? '').split(';')[0] ?? ''
  const validate = op.validator(status, mediaType)
  if (validate === undefined) return [`${status} is not declared as ${mediaType}`]
  if (mediaType === 'text/event-stream' || validate(body)) return []
  return (validate.errors ?? []).slice(0, 3).map(({ instancePath, message }) => `reply${instancePath} ${message}`)
}
