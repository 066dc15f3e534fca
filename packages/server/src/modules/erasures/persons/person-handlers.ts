import type { persons as personOperations } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import { type HandlersFor, respondDownload } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { Reports } from '#modules/erasures/reports/report-service.ts'
import { reportView } from '#modules/erasures/reports/report-view.ts'
import type { Persons } from './person-service.ts'
import { foundView } from './person-views.ts'

export interface PersonHandlerDeps {
  readonly persons: Persons
  readonly reports: Reports
  readonly now: () => number
}

/** Handlers of the group `persons`. */
export function personHandlers({ persons, reports, now }: PersonHandlerDeps): HandlersFor<typeof personOperations> {
  return {
    async find(ctx, { body: { values, limit } }) {
      const request = { values, limit, includesForms: ctx.principal?.isOperator === true }
      const found = await ctx.whileConnected((signal) => persons.find(ctx.accountId, request, signal))
      const view = foundView(found, limit)
      ctx.audit({ details: { values: values.length, records: view.categories.reduce((sum, { total }) => sum + total, 0) } })
      return view
    },
    async createReport(ctx, { body: { values, note, locale } }) {
      const request = { values, note, locale, includesForms: ctx.principal?.isOperator === true, by: actorOf(ctx.principal) }
      const report = await reports.request(ctx.tx, ctx.accountId, request)
      ctx.audit({ target: toTypeId('pdr', report.id), details: { values: values.length } })
      return reportView(report, now())
    },
    async reports(ctx, { query: { limit, cursor } }) {
      const found = await reports.list(ctx.tx, ctx.accountId, { before: decodeId(cursor), limit: limit + 1 })
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
      return { data: data.map((report) => reportView(report, now())), nextCursor }
    },
    report: async (ctx, { params }) => reportView(await reports.get(ctx.tx, ctx.accountId, idOf('pdr', params.id)), now()),
    async linkReport(ctx, { params }) {
      const { token, expiresAt } = await reports.link(ctx.tx, ctx.accountId, idOf('pdr', params.id))
      ctx.audit({ target: params.id })
      return { url: `/api/v1/privacy/persons/reports/${token}/content`, expiresAt: expiresAt.toISOString() }
    },
    async deleteReport(ctx, { params }) {
      await reports.remove(ctx.tx, ctx.accountId, idOf('pdr', params.id))
      ctx.audit({ target: params.id })
      return { id: params.id, deleted: true }
    },
    async reportContent(ctx, { params }) {
      const file = await reports.download(params.token)
      const response = respondDownload(ctx.askedRange, { ...file, open: (range) => reports.open(file, range) })
      const range = response.headers['content-range']
      const target = file.name.replace(/\.zip$/, '')
      ctx.audit({ accountId: file.accountId, target, ...(range === undefined ? {} : { details: { range } }) })
      return response
    },
  }
}
