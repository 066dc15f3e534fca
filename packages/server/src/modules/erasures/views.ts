import { toTypeId } from '#platform/ids.ts'
import type { Erasure } from './erasure-store.ts'

export function erasureView({ id, state, given, reason, erased, kept, problem, requestedAt, requestedBy, endedAt }: Erasure) {
  return {
    id: toTypeId('era', id),
    state,
    values: given,
    reason: reason ?? null,
    erased: Object.entries(erased).map(([table, records]) => ({ category: table.replaceAll('_', ' '), records })),
    kept: kept.map(({ table, records, reason: why }) => ({ category: table.replaceAll('_', ' '), records, reason: why })),
    problem: problem ?? null,
    requestedAt: requestedAt.toISOString(),
    requestedBy,
    endedAt: endedAt?.toISOString() ?? null,
  }
}
