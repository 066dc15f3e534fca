import type { erasures as erasureOperations } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { Erasures } from './erasure-service.ts'
import { erasureView, previewView } from './views.ts'

const previewMsMax = 20_000

/** Handlers of the group `erasures`. */
export function erasureHandlers(erasures: Erasures): HandlersFor<typeof erasureOperations> {
  return {
    async create(ctx, { body: { values, reason } }) {
      const request = { values, reason, includesForms: ctx.principal?.isOperator === true, by: actorOf(ctx.principal) }
      const erasure = await erasures.request(ctx.tx, ctx.accountId, request)
      ctx.audit({ target: toTypeId('era', erasure.id), details: { values: values.length } })
      return erasureView(erasure)
    },
    preview(ctx, { body: { values } }) {
      const request = { values, includesForms: ctx.principal?.isOperator === true }
      return ctx.whileConnected(async (signal) =>
        previewView(await erasures.preview(ctx.accountId, request, AbortSignal.any([signal, AbortSignal.timeout(previewMsMax)]))),
      )
    },
    async list(ctx, { query: { limit, cursor } }) {
      const found = await erasures.list(ctx.tx, ctx.accountId, { before: decodeId(cursor), limit: limit + 1 })
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
      return { data: data.map(erasureView), nextCursor }
    },
    get: async (ctx, { params }) => erasureView(await erasures.get(ctx.tx, ctx.accountId, idOf('era', params.id))),
  }
}
