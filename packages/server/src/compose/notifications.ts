import { notifications } from '@millrace/contract'
import {
  createNotifications,
  deleteNotificationsOf,
  deleteOldNotifications,
  digestHandler,
  notificationHandlers,
  sendDueDigests,
} from '#modules/notifications/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

const keptMs = 90 * 24 * 60 * 60 * 1000
const rowsMax = 1_000

/** Notifications of users, with their mail digests. */
export function composeNotifications({ database, jobs, mailer, config, system: { now } }: FeatureParts): Feature {
  const db = database.system
  const { publicUrl, host, port } = config.http
  const digests = mailer === undefined ? undefined : { db, jobs, mailer, origin: publicUrl ?? `http://${host}:${port}` }
  return {
    groups: {
      notifications: served(notifications, notificationHandlers(createNotifications({ now, mailConfigured: mailer !== undefined }))),
    },
    jobs: digests === undefined ? [] : [digestHandler(digests)],
    maintenance: [
      { name: 'notifications', run: () => deleteOldNotifications(db, new Date(now() - keptMs), rowsMax) },
      ...(digests === undefined ? [] : [{ name: 'notification-digests', run: () => sendDueDigests(digests) }]),
    ],
    purge: deleteNotificationsOf,
  }
}
