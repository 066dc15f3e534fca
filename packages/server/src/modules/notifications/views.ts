import { toTypeId } from '#platform/ids.ts'
import type { Notification } from './model.ts'

export function notificationView({ id, kind, title, body, link, count, readAt, createdAt, lastAt }: Notification) {
  return {
    id: toTypeId('ntf', id),
    kind,
    title,
    body,
    link: link ?? null,
    count,
    read: readAt !== undefined,
    readAt: readAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    lastAt: lastAt.toISOString(),
  }
}
