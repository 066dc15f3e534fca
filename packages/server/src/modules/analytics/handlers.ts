import type { analytics } from '@millrace/contract'
import type { HandlersFor } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import type { Analytics, AnalyticsQuery } from './analytics-service.ts'
import { failureView, overviewView, slowTaskView, workflowFiguresView } from './views.ts'

interface Query {
  readonly zone?: string | undefined
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
      const withName = <T>(view: T, workflowId: string) => ({
        ...view,
        workflowId: toTypeId('wf', workflowId),
        workflowName: found.names.get(workflowId) ?? null,
      })
      return {
        ...(await overviewView(found)),
        workflows: found.workflows.map(workflowFiguresView),
        failures: found.failures.map((row) => withName(failureView(row), row.workflow_id)),
        slowestTasks: found.slowestTasks.map((row) => withName(slowTaskView(row), row.workflow_id)),
      }
    },
    async workflow(ctx, { params, query }) {
      const found = await service.workflow(ctx.tx, ctx.accountId, idOf('wf', params.id), queryOf(query))
      const tasks = { failures: found.failures.map(failureView), slowestTasks: found.slowestTasks.map(slowTaskView) }
      return { ...(await overviewView(found)), workflowId: params.id, name: found.name, ...tasks }
    },
  }
}

function queryOf({ from, to, zone, interval, minutesPerRun }: Query): AnalyticsQuery {
  return { from: dateOf(from), to: dateOf(to), zone, interval, minutesPerRun }
}

function dateOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}
