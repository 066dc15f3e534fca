import type { eventSubscriptions } from '@millrace/contract'
import { durationMs } from '@millrace/dsl'
import { actorOf } from '#platform/auth/principal.ts'
import { nameBefore } from '#platform/db/name-source.ts'
import { etag, type HandlersFor, respond } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { Subscription } from '#modules/events/model.ts'
import { subscriptionNames } from './subscription-store.ts'
import type { Subscriptions } from './subscription-service.ts'
import { deliveryView, subscriptionView, withSecretView } from '#modules/events/views.ts'

/** What the audit log commits to. */
const stateOf = ({ name, url, types, enabled }: Subscription) => ({ name, url, types: [...types], enabled })

/** Handlers of the group `eventSubscriptions`. */
export function subscriptionHandlers(service: Subscriptions): HandlersFor<typeof eventSubscriptions> {
  return {
    async list(ctx, { query }) {
      const found = await service.list(ctx.tx, ctx.accountId, { before: decodeId(query.cursor), limit: query.limit + 1 })
      const { data, nextCursor } = pageOf(found, query.limit, (last) => encodeCursor([last.id]))
      return { data: data.map(subscriptionView), nextCursor }
    },
    async create(ctx, { body }) {
      const made = await service.create(ctx.tx, ctx.accountId, body, actorOf(ctx.principal))
      const id = toTypeId('evsub', made.subscription.id)
      ctx.audit({ target: id, details: { url: body.url, types: [...body.types] } })
      const headers = { etag: etag(made.subscription.revision), location: `/api/v1/events/subscriptions/${id}` }
      return respond(withSecretView(made), { headers })
    },
    async get(ctx, { params }) {
      const subscription = await service.get(ctx.tx, ctx.accountId, idOf('evsub', params.id))
      return respond(subscriptionView(subscription), { headers: { etag: etag(subscription.revision) } })
    },
    async update(ctx, { params, body }) {
      const { name, url, types, enabled } = body
      const change = { actor: actorOf(ctx.principal), ifMatch: ctx.ifMatch }
      const wanted = { name, url, types, enabled }
      const { before, after } = await service.update(ctx.tx, ctx.accountId, idOf('evsub', params.id), wanted, change)
      ctx.audit({
        target: params.id,
        details: { revision: after.revision },
        change: { before: stateOf(before), after: stateOf(after) },
      })
      return respond(subscriptionView(after), { headers: { etag: etag(after.revision) } })
    },
    async delete(ctx, { params }) {
      const named = await nameBefore(subscriptionNames, ctx.tx, ctx.accountId, params.id)
      await service.remove(ctx.tx, ctx.accountId, idOf('evsub', params.id), ctx.ifMatch)
      ctx.audit({ target: params.id, details: named })
      return { id: params.id, deleted: true as const }
    },
    async rotate(ctx, { params, body }) {
      // A duration beyond all numbers is too long.
      const overlapMs = durationMs(body.overlap) ?? Number.POSITIVE_INFINITY
      const made = await service.rotate(ctx.tx, ctx.accountId, idOf('evsub', params.id), overlapMs, actorOf(ctx.principal))
      ctx.audit({ target: params.id, details: { overlapMs } })
      return respond(withSecretView(made), { headers: { etag: etag(made.subscription.revision) } })
    },
    async test(ctx, { params }) {
      const delivery = await service.test(ctx.accountId, idOf('evsub', params.id))
      ctx.audit({ target: params.id, details: { state: delivery.state } })
      return deliveryView(delivery)
    },
    async deliveries(ctx, { params, query }) {
      const { state, cursor, limit } = query
      const options = { state, before: decodeId(cursor), limit: limit + 1 }
      const found = await service.deliveries(ctx.tx, ctx.accountId, idOf('evsub', params.id), options)
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
      return { data: data.map(deliveryView), nextCursor }
    },
  }
}
