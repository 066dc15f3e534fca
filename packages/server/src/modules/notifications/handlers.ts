import type { notifications } from '@millrace/contract'
import * as z from 'zod'
import type { HandlersFor } from '#platform/http/index.ts'
import { idOf } from '#platform/ids.ts'
import { decodeCursor, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { Notifications } from './notification-service.ts'
import type { WebhookTest } from './webhook-test.ts'
import { notificationView, webhookView } from './views.ts'

/** The last occurrence and the id of the last notification of a page. */
const place = z.tuple([z.string().regex(/^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::?\d\d)?$/), z.uuid()])

/** Handlers of the group `notifications`. Each serves the notifications of the calling user alone. */
export function notificationHandlers(service: Notifications, test: WebhookTest): HandlersFor<typeof notifications> {
  return {
    async list(ctx, { query }) {
      const { limit, cursor, unread, kind } = query
      const before = cursor === undefined ? undefined : decodeCursor(cursor, place)
      const filter = { limit: limit + 1, before, kind, unread: unread === undefined ? undefined : unread === 'true' }
      const { found, unreadCount } = await service.list(ctx.tx, ctx.accountId, ctx.userId, filter)
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor(last.place))
      return { data: data.map(({ notification }) => notificationView(notification)), nextCursor, unreadCount }
    },
    async read(ctx, { params, body }) {
      const mark = { id: idOf('ntf', params.id), read: body.read }
      return notificationView(await service.mark(ctx.tx, ctx.accountId, ctx.userId, mark))
    },
    async readAll(ctx, { body }) {
      const until = body.until === undefined ? undefined : new Date(body.until)
      return service.markAll(ctx.tx, ctx.accountId, ctx.userId, { kind: body.kind, until })
    },
    async preferences(ctx) {
      return preferencesReply(await service.preferences(ctx.tx, ctx.accountId, ctx.userId))
    },
    async updatePreferences(ctx, { body }) {
      const { digestMinutes, firstAtOnce, kinds = [], webhook } = body
      const change = { digestMinutes, firstAtOnce, kinds, webhook }
      return preferencesReply(await service.changePreferences(ctx.tx, ctx.accountId, ctx.userId, change))
    },
    async testWebhook(ctx) {
      const failure = await test({ accountId: ctx.accountId, userId: ctx.userId })
      return { delivered: failure === undefined, status: failure?.status ?? null, error: failure?.error ?? null }
    },
  }
}

function preferencesReply({ kinds, webhook, ...more }: Awaited<ReturnType<Notifications['preferences']>>) {
  return { ...more, webhook: webhook === undefined ? null : webhookView(webhook), kinds: [...kinds] }
}
