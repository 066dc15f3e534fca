import { toTypeId } from '#platform/ids.ts'
import type { Counts, Figures } from './figures.ts'
import type { FailureRow, TaskRow } from './figures-store.ts'
import type { Period } from './period.ts'

interface Overview {
  readonly period: Period
  readonly zone: string
  readonly totals: Figures
  readonly previous: Pick<Period, 'from' | 'to'> & { readonly totals: Figures }
  readonly buckets: readonly (Counts & { readonly at: number; readonly meanDurationMs: number | null })[]
}

export async function overviewView({ period, zone, totals, previous, buckets }: Overview) {
  const { Temporal } = await import('temporal-polyfill')
  const localOf = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toString({ timeZoneName: 'never', smallestUnit: 'minute' })
  return {
    from: isoOf(period.from),
    to: isoOf(period.to),
    zone,
    interval: period.interval,
    totals,
    previous: { from: isoOf(previous.from), to: isoOf(previous.to), totals: previous.totals },
    buckets: buckets.map(({ at, ...bucket }) => ({ at: isoOf(at), local: localOf(at), ...bucket })),
  }
}

export function workflowFiguresView({ id, name, ...figures }: Figures & { readonly id: string; readonly name: string | undefined }) {
  return { workflowId: toTypeId('wf', id), name: name ?? null, ...figures }
}

export function failureView({ task, error_type: errorType, executions }: FailureRow) {
  return { task, errorType, executions }
}

export function slowTaskView({ task, attempts, failed, duration_ms: totalMs, longest_ms: longestMs }: TaskRow) {
  return { task, attempts, failed, meanMs: Math.round(totalMs / attempts), longestMs, totalMs }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
