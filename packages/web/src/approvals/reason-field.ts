import { ClientError } from '@millrace/client'
import type { FieldSpec } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'

/** The field for the reason of a decision, which says for which decisions one is needed. */
export function reasonField(reasonFor: readonly ('approve' | 'reject')[]): FieldSpec {
  return {
    name: 'reason',
    label: m.approvals.reason,
    kind: 'textarea',
    rows: 2,
    hint: reasonFor.length === 0 ? m.approvals.reasonHint : m.approvals.reasonNeeded(reasonFor.map((one) => m.approvals[one])),
  }
}

/** What the server found wrong with the reason, if the reason alone is wrong. */
export function reasonFault(error: unknown): string | undefined {
  const parts = error instanceof ClientError ? (error.problem.errors ?? []) : []
  return parts.length === 1 && parts[0]?.pointer === '/reason' ? parts[0].detail : undefined
}
