import { countsOf } from './figures.ts'
import type { CountRow } from './figures-store.ts'

/** Minutes of work that completed executions save. */
export interface Savings {
  /** Whether `ofAll` needs the counts by workflow. */
  readonly needsWorkflows: boolean
  /** Undefined where no minutes are stated. */
  of(workflowId: string, rows: readonly CountRow[]): number | undefined
  /** @param byWorkflow the same executions by workflow. */
  ofAll(rows: readonly CountRow[], byWorkflow: readonly CountRow[]): number | undefined
}

/**
 * @param forAll minutes that count for every workflow; without them each has its own.
 * @param stated minutes of the selected workflows that state them, by id.
 */
export function createSavings(forAll: number | undefined, stated: ReadonlyMap<string, number>): Savings {
  const completed = (rows: readonly CountRow[]) => countsOf(rows).completed
  if (forAll !== undefined)
    return { needsWorkflows: false, of: (_id, rows) => completed(rows) * forAll, ofAll: (rows) => completed(rows) * forAll }
  return {
    needsWorkflows: stated.size > 0,
    of(workflowId, rows) {
      const minutes = stated.get(workflowId)
      return minutes === undefined ? undefined : completed(rows) * minutes
    },
    ofAll(_rows, byWorkflow) {
      if (stated.size === 0) return undefined
      return byWorkflow.reduce((sum, row) => sum + completed([row]) * (stated.get(row.key) ?? 0), 0)
    },
  }
}
