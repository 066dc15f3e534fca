import type { events } from '@millrace/contract'
import type { HandlersFor } from '#platform/http/index.ts'
import { idOf } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { Events } from './service.ts'
import { eventView, wholeEventView } from './views.ts'

/** Handlers of the group `events`. */
export function eventHandlers(service: Events): HandlersFor<typeof events> {
  return {
    async publish(ctx, { body }) {
      return service.publish(ctx.accountId, body.events)
    },
    async list(ctx, { query }) {
      const { type, source, since, until, limit, cursor } = query
      const filter = { type, source, since: dateOf(since), until: dateOf(until) }
      const before = decodeId(cursor)
      const found = await service.list(ctx.tx, ctx.accountId, filter, { before, limit: limit + 1 })
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
      return { data: data.map(eventView), nextCursor }
    },
    async get(ctx, { params }) {
      return wholeEventView(await service.get(ctx.tx, ctx.accountId, idOf('evt', params.id)))
    },
  }
}

function dateOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text)
}
