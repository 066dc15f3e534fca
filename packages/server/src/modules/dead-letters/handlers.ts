import type { deadLetters } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { DeadLetterKind } from '@millrace/engine/storage'
import type { DeadLetters, Replayed } from './service.ts'
import { letterView, wholeLetterView } from './views.ts'

/** Handlers of the dead letters. */
export function deadLetterHandlers(service: DeadLetters): HandlersFor<typeof deadLetters> {
  return {
    async list(ctx, { query }) {
      const { limit, cursor, replayed } = query
      const filter = { ...filterOf(query), replayed: replayed === undefined ? undefined : replayed === 'true' }
      const found = await service.list(ctx.tx, ctx.accountId, filter, { before: decodeId(cursor), limit: limit + 1 })
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
      return { data: data.map(letterView), nextCursor }
    },
    async get(ctx, { params }) {
      return wholeLetterView(await service.get(ctx.tx, ctx.accountId, idOf('dlt', params.id)))
    },
    async replay(ctx, { params, body }) {
      const command = { actor: actorOf(ctx.principal), patch: body.patch }
      const letter = await service.replay(ctx.accountId, idOf('dlt', params.id), command)
      const view = letterView(letter)
      ctx.audit({ target: params.id, details: { replayedAs: view.replayedAs, patched: body.patch !== undefined } })
      return view
    },
    async replayAll(ctx, { body }) {
      const except = body.except.map((id) => idOf('dlt', id))
      const options = { except, after: decodeId(body.cursor), actor: actorOf(ctx.principal) }
      const { items, hasMore } = await service.replayAll(ctx.accountId, filterOf(body.filter), options)
      ctx.audit({ details: { replayed: items.filter(({ letter }) => letter !== undefined).length, of: items.length } })
      const last = items.at(-1)
      return { items: items.map(itemView), nextCursor: hasMore && last !== undefined ? encodeCursor([last.id]) : null }
    },
  }
}

function itemView({ id, letter, fault }: Replayed) {
  return {
    id: toTypeId('dlt', id),
    replayed: letter !== undefined,
    replayedAs: letter?.replayedAs === undefined ? null : toTypeId('exec', letter.replayedAs),
    code: fault?.code ?? null,
    detail: fault?.message ?? null,
  }
}

interface AskedFilter {
  readonly kind?: DeadLetterKind | undefined
  readonly workflow?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

function filterOf({ kind, workflow, from, to }: AskedFilter) {
  return {
    kind,
    workflowId: workflow === undefined ? undefined : idOf('wf', workflow),
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  }
}
