import type { analytics } from '@millrace/contract'
import type { HandlersFor } from '#platform/http/index.ts'
import { idOf } from '#platform/ids.ts'
import type { Analytics, AnalyticsQuery } from './analytics-service.ts'
import { overviewView, workflowFiguresView } from './views.ts'

interface Query extends Omit<AnalyticsQuery, 'from' | 'to' | 'interval' | 'minutesPerRun'> {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly interval?: AnalyticsQuery['interval']
  readonly minutesPerRun?: number | undefined
}

/** Handlers of the group `analytics`. */
export function analyticsHandlers(service: Analytics): HandlersFor<typeof analytics> {
  return {
    async workflows(ctx, { query }) {
      const { sort, limit } = query
      const found = await service.workflows(ctx.tx, ctx.accountId, { ...queryOf(query), sort, limit })
      return { ...(await overviewView(found)), workflows: found.workflows.map(workflowFiguresView) }
    },
    async workflow(ctx, { params, query }) {
      const found = await service.workflow(ctx.tx, ctx.accountId, idOf('wf', params.id), queryOf(query))
      const failures = found.failures.map(({ task, error_type: errorType, executions }) => ({ task, errorType, executions }))
      return { ...(await overviewView(found)), workflowId: params.id, name: found.name, failures }
    },
  }
}

function queryOf({ from, to, zone, interval, minutesPerRun }: Query): AnalyticsQuery {
  return { from: dateOf(from), to: dateOf(to), zone, interval, minutesPerRun }
}

function dateOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}
