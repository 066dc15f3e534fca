import type { erasures as erasureOperations } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { Erasures } from './erasure-service.ts'
import type { Persons } from './persons/person-service.ts'
import { previewView } from './persons/person-views.ts'
import { erasureView } from './views.ts'

/** Handlers of the group `erasures`. */
export function erasureHandlers(erasures: Erasures, persons: Pick<Persons, 'find'>): HandlersFor<typeof erasureOperations> {
  return {
    async create(ctx, { body: { values, reason } }) {
      const request = { values, reason, includesForms: ctx.principal?.isOperator === true, by: actorOf(ctx.principal) }
      const erasure = await erasures.request(ctx.tx, ctx.accountId, request)
      ctx.audit({ target: toTypeId('era', erasure.id), details: { values: values.length } })
      return erasureView(erasure)
    },
    preview(ctx, { body: { values } }) {
      const request = { values, includesForms: ctx.principal?.isOperator === true, limit: 0 }
      return ctx.whileConnected(async (signal) => previewView(await persons.find(ctx.accountId, request, signal)))
    },
    async list(ctx, { query: { limit, cursor } }) {
      const found = await erasures.list(ctx.tx, ctx.accountId, { before: decodeId(cursor), limit: limit + 1 })
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
      return { data: data.map(erasureView), nextCursor }
    },
    get: async (ctx, { params }) => erasureView(await erasures.get(ctx.tx, ctx.accountId, idOf('era', params.id))),
  }
}
