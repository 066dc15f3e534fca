import { Fault } from '@millrace/contract'
import { findWorkflowNames } from '#modules/workflows/index.ts'
import type { Tx } from '#platform/http/index.ts'
import { countsOf, type Figures, figuresOf, meanDuration } from './figures.ts'
import { type CountRow, readCounts, readFailures, readTimes, type Selection } from './figures-store.ts'
import type { Interval, Period } from './period.ts'

export interface AnalyticsQuery {
  readonly from: Date | undefined
  readonly to: Date | undefined
  readonly zone: string
  readonly interval: Interval | undefined
  readonly minutesPerRun: number | undefined
}

export type WorkflowOrder = 'executions' | 'faulted' | 'duration' | 'successRate'

const failuresMax = 20

export type Analytics = ReturnType<typeof createAnalytics>

/** Figures about the ended executions of an account. */
export function createAnalytics({ now }: { readonly now: () => number }) {
  /** The figures of a period and of the one before it. */
  async function overview(tx: Tx, accountId: string, workflowId: string | undefined, query: AnalyticsQuery) {
    // Loaded with the first request: its size would slow down the start.
    const { periodOf, periodBefore } = await import('./period.ts')
    const period = periodOf({ ...query, nowMs: now() })
    const before = periodBefore(period)
    const selection = await selectionOf(period, workflowId)
    const previous = await selectionOf(before, workflowId)
    const byBucket = Map.groupBy(await readCounts(tx, accountId, selection, 'bucket'), ({ key }) => Number(key))
    const total = async (chosen: Selection, rows: readonly CountRow[]) =>
      figuresOf(rows, await readTimes(tx, accountId, chosen, undefined), query.minutesPerRun)
    return {
      period,
      selection,
      zone: query.zone,
      totals: await total(selection, [...byBucket.values()].flat()),
      previous: { ...before, totals: await total(previous, await readCounts(tx, accountId, previous, 'bucket')) },
      buckets: period.starts.map((at, index) => {
        const rows = byBucket.get(index) ?? []
        return { at, ...countsOf(rows), meanDurationMs: meanDuration(rows) }
      }),
    }
  }

  return {
    async workflows(tx: Tx, accountId: string, query: AnalyticsQuery & { readonly sort: WorkflowOrder; readonly limit: number }) {
      const found = await overview(tx, accountId, undefined, query)
      const byWorkflow = Map.groupBy(await readCounts(tx, accountId, found.selection, 'workflow'), ({ key }) => key)
      const ids = [...byWorkflow]
        .toSorted(([, one], [, other]) => rankOf(other, query.sort) - rankOf(one, query.sort))
        .slice(0, query.limit)
      const chosen = ids.map(([id]) => id)
      const names = await findWorkflowNames(tx, accountId, chosen)
      const times = Map.groupBy(await readTimes(tx, accountId, found.selection, chosen), ({ key }) => key)
      const workflows = ids.map(([id, rows]): Figures & { readonly id: string; readonly name: string | undefined } => ({
        id,
        name: names.get(id),
        ...figuresOf(rows, times.get(id) ?? [], query.minutesPerRun),
      }))
      return { ...found, workflows }
    },

    /** Fault `not_found` for a workflow that the account does not have. */
    async workflow(tx: Tx, accountId: string, id: string, query: AnalyticsQuery) {
      const name = (await findWorkflowNames(tx, accountId, [id])).get(id)
      if (name === undefined) throw new Fault('not_found', { detail: 'There is no such workflow.' })
      const found = await overview(tx, accountId, id, query)
      return { ...found, id, name, failures: await readFailures(tx, accountId, found.selection, failuresMax) }
    },
  }
}

async function selectionOf(period: Period, workflowId: string | undefined): Promise<Selection> {
  const { piecesOf } = await import('./period.ts')
  const { from, to, starts } = period
  return { workflowId, pieces: piecesOf(period), whole: piecesOf({ starts: [from], to }), from, to, starts }
}

function rankOf(rows: readonly CountRow[], sort: WorkflowOrder): number {
  const { executions, completed, faulted } = countsOf(rows)
  switch (sort) {
    case 'executions':
      return executions
    case 'faulted':
      return faulted
    case 'duration':
      return meanDuration(rows) ?? -1
    case 'successRate':
      return completed + faulted === 0 ? -1 : faulted / (completed + faulted)
  }
}
