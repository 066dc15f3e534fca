import { Fault } from '@millrace/contract'
import { findMinutesPerRun, findWorkflowNames } from '#modules/workflows/index.ts'
import type { Tx } from '#platform/http/index.ts'
import { countsOf, type Figures, figuresOf, meanDuration } from './figures.ts'
import { type CountRow, readCounts, readFailures, readSlowestTasks, readTimes, type Selection } from './figures-store.ts'
import { createSavings } from './savings.ts'
import type { Interval, Period } from './period.ts'

export interface AnalyticsQuery {
  readonly from: Date | undefined
  readonly to: Date | undefined
  /** The zone of the account unless given, else UTC. */
  readonly zone: string | undefined
  readonly interval: Interval | undefined
  /** Replaces what workflows state themselves. */
  readonly minutesPerRun: number | undefined
}

export type WorkflowOrder = 'executions' | 'faulted' | 'duration' | 'successRate'

const failuresMax = 20
const slowestMax = 20

export type Analytics = ReturnType<typeof createAnalytics>

export interface AnalyticsDeps {
  readonly now: () => number
  /** The time zone that an account has chosen. */
  readonly timeZoneOf: (tx: Tx, accountId: string) => Promise<string | undefined>
}

/** Figures about the ended executions of an account. */
export function createAnalytics({ now, timeZoneOf }: AnalyticsDeps) {
  /** The figures of a period and of the one before it. */
  async function overview(tx: Tx, accountId: string, workflowId: string | undefined, query: AnalyticsQuery) {
    // Loaded with the first request: its size would slow down the start.
    const { periodOf, periodBefore } = await import('./period.ts')
    const zone = query.zone ?? (await timeZoneOf(tx, accountId)) ?? 'UTC'
    const period = periodOf({ ...query, zone, nowMs: now() })
    const before = periodBefore(period)
    const selection = await selectionOf(period, workflowId)
    const previous = await selectionOf(before, workflowId)
    const savings = createSavings(query.minutesPerRun, await findMinutesPerRun(tx, accountId, workflowId))
    const byBucket = Map.groupBy(await readCounts(tx, accountId, selection, 'bucket'), ({ key }) => Number(key))
    const total = async (chosen: Selection, rows: readonly CountRow[]) => {
      const byWorkflow = savings.needsWorkflows ? await readCounts(tx, accountId, chosen, 'workflow') : []
      return figuresOf(rows, await readTimes(tx, accountId, chosen, undefined), savings.ofAll(rows, byWorkflow))
    }
    return {
      period,
      selection,
      savings,
      zone,
      totals: await total(selection, [...byBucket.values()].flat()),
      previous: { ...before, totals: await total(previous, await readCounts(tx, accountId, previous, 'bucket')) },
      buckets: period.starts.map((at, index) => {
        const rows = byBucket.get(index) ?? []
        return { at, ...countsOf(rows), meanDurationMs: meanDuration(rows) }
      }),
      failures: await readFailures(tx, accountId, selection, failuresMax),
      slowestTasks: await readSlowestTasks(tx, accountId, selection, slowestMax),
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
      const ofTasks = [...found.failures, ...found.slowestTasks].map(({ workflow_id: id }) => id)
      const names = await findWorkflowNames(tx, accountId, [...new Set([...chosen, ...ofTasks])])
      const times = Map.groupBy(await readTimes(tx, accountId, found.selection, chosen), ({ key }) => key)
      const workflows = ids.map(([id, rows]): Figures & { readonly id: string; readonly name: string | undefined } => ({
        id,
        name: names.get(id),
        ...figuresOf(rows, times.get(id) ?? [], found.savings.of(id, rows)),
      }))
      return { ...found, names, workflows }
    },

    /** Fault `not_found` for a workflow that the account does not have. */
    async workflow(tx: Tx, accountId: string, id: string, query: AnalyticsQuery) {
      const name = (await findWorkflowNames(tx, accountId, [id])).get(id)
      if (name === undefined) throw new Fault('not_found', { detail: 'There is no such workflow.' })
      return { ...(await overview(tx, accountId, id, query)), id, name }
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
