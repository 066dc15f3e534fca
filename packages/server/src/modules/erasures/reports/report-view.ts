import { categoryOf, fileView } from '#modules/erasures/views.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Report } from './report-store.ts'

export function reportView(report: Report, now: number) {
  const { id, state, failure, given, note, locale, found, review, done, bytes, sha256, createdAt, createdBy, expiresAt } = report
  const isExpired = state === 'ready' && expiresAt.getTime() <= now
  return {
    id: toTypeId('pdr', id),
    state: isExpired ? ('expired' as const) : state,
    failure: failure ?? null,
    values: given,
    note: note ?? null,
    locale,
    progress: { done, total: found?.length ?? null },
    records: (found ?? []).map(({ table, records }) => ({ category: categoryOf(table), records })),
    review: review.map(({ kind, count, files }) => ({ kind, count, files: files.map(fileView) })),
    bytes: bytes ?? null,
    sha256: sha256 ?? null,
    createdAt: createdAt.toISOString(),
    createdBy,
    expiresAt: expiresAt.toISOString(),
  }
}
