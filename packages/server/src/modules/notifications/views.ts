import { toTypeId } from '#platform/ids.ts'
import type { Notification, WebhookPreference } from './model.ts'

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

export function webhookView({ url, format, secret, lastSentAt, failingSince, lastError, disabledAt }: WebhookPreference) {
  return {
    url,
    format,
    ...(secret === undefined ? {} : { secret }),
    lastSentAt: lastSentAt?.toISOString() ?? null,
    failingSince: failingSince?.toISOString() ?? null,
    lastError: lastError ?? null,
    disabledAt: disabledAt?.toISOString() ?? null,
  }
}
