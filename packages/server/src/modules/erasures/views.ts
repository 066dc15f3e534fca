import { toTypeId } from '#platform/ids.ts'
import type { Erasure } from './erasure-store.ts'

export function erasureView({ id, state, given, reason, erased, kept, problem, requestedAt, requestedBy, endedAt }: Erasure) {
  return {
    id: toTypeId('era', id),
    state,
    values: given,
    reason: reason ?? null,
    erased: Object.entries(erased).map(([table, records]) => ({ category: categoryOf(table), records })),
    kept: kept.map(({ table, records, reason: why, files }) => ({
      category: categoryOf(table),
      records,
      reason: why,
      ...(files === undefined ? {} : { files: files.map(fileView) }),
    })),
    problem: problem ?? null,
    requestedAt: requestedAt.toISOString(),
    requestedBy,
    endedAt: endedAt?.toISOString() ?? null,
  }
}

/** The name of a table as people read it. */
export const categoryOf = (table: string) => table.replaceAll('_', ' ')
export const fileView = ({ id, name }: { readonly id: string; readonly name: string }) => ({ id: toTypeId('file', id), name })
