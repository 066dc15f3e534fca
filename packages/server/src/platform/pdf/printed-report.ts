import type { ColumnChart } from './column-chart.ts'

/** A report with charts and tables, as texts and numbers. */
export interface PrintedReport {
  readonly title: string
  readonly madeAt: Date
  readonly notes: readonly string[]
  readonly sections: readonly PrintedSection[]
}

export type PrintedSection = { readonly title: string } & (
  | { readonly kind: 'bars'; readonly bars: readonly Bar[] }
  | { readonly kind: 'columns'; readonly chart: ColumnChart }
  | { readonly kind: 'table'; readonly columns: readonly PrintedColumn[]; readonly rows: readonly (readonly string[])[] }
)

export interface Bar {
  readonly label: string
  readonly value: number
  /** The value of a full bar. */
  readonly total: number
}

export interface PrintedColumn {
  readonly label: string
  /** Its part of the width, in relation to the others. */
  readonly share: number
}

export const reportColors = { ink: '#111827', muted: '#4b5563', rule: '#e5e7eb', bar: '#0f766e' } as const

/** The part of a full bar, between 0 and 1. */
export function shareOf(value: number, total: number): number {
  return total <= 0 ? 0 : Math.min(1, value / total)
}
