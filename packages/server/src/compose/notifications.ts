import { notifications } from '@millrace/contract'
import {
  createNotifications,
  createWebhookSecrets,
  createWebhookSender,
  createWebhookTest,
  deleteNotificationsOf,
  deleteOldNotifications,
  digestHandler,
  notificationHandlers,
  sendDueDigests,
} from '#modules/notifications/index.ts'
import { served } from '#platform/http/index.ts'
import { inBatches } from '#platform/db/in-batches.ts'
import { eventAdmission } from './departures.ts'
import type { Feature, FeatureParts } from './feature.ts'
import { originOf } from './origin.ts'

const keptMs = 90 * 24 * 60 * 60 * 1000

/** Notifications of users, with their mail digests and the URLs that receive them. */
export function composeNotifications(parts: FeatureParts): Feature {
  const { database, jobs, mailer, config, http, departures, sealing, logger, system, closing } = parts
  const { now, newId, randomBytes } = system
  const db = database.system
  const origin = originOf(config.http)
  const digests = mailer === undefined ? undefined : { db, jobs, mailer, origin }
  const secrets = createWebhookSecrets(sealing)
  const sending = { http, secrets, admit: eventAdmission(departures, 'system:notifications'), now, origin }
  const sender = createWebhookSender({
    ...sending,
    db,
    onError: (error) => logger.warn({ err: error }, 'notifications not sent to a webhook'),
  })
  const service = createNotifications({ now, mailConfigured: mailer !== undefined, secrets, http, randomBytes })
  const test = createWebhookTest({ ...sending, database, newId, closing })
  return {
    groups: { notifications: served(notifications, notificationHandlers(service, test)) },
    jobs: digests === undefined ? [] : [digestHandler(digests)],
    maintenance: [
      { name: 'notifications', run: () => inBatches((limit) => deleteOldNotifications(db, new Date(now() - keptMs), limit)) },
      ...(digests === undefined ? [] : [{ name: 'notification-digests', run: () => sendDueDigests(digests) }]),
    ],
    loops: [{ role: 'worker', start: () => sender.start(), stop: () => sender.stop() }],
    purge: deleteNotificationsOf,
  }
}
