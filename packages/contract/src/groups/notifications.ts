import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { DeliveryUrl } from './event-subscriptions.ts'
import { notificationWebhookFormats } from './notification-webhook-formats.ts'

export const notificationKinds = [
  'execution.faulted',
  'approval.waiting',
  'publish.requested',
  'trigger.paused',
  'quota.near',
  'security.event',
  'connection.failed',
  'system.notice',
] as const

const NotificationKind = z
  .enum(notificationKinds)
  .describe('What it is about. Preferences are set for each kind; `security.event` is always in the list.')

const Notification = z
  .object({
    id: typeId('ntf'),
    kind: NotificationKind,
    title: z.string(),
    body: z.string().describe('Plain text; may be empty.'),
    link: z.string().nullable().describe('Path of the page about the cause, such as `/runs/exec_…`.'),
    count: z
      .int()
      .describe('How often the cause occurred while the notification was unread: repetitions of one cause are one notification.'),
    read: z.boolean(),
    readAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime().describe('Time of the first occurrence.'),
    lastAt: z.iso.datetime().describe('Time of the last occurrence, by which the list is ordered.'),
  })
  .meta({ id: 'Notification' })

const Preference = z
  .object({
    kind: NotificationKind,
    inApp: z.boolean().describe('Whether notifications of this kind are in the list.'),
    mail: z.boolean().describe('Whether they are mailed.'),
    webhook: z.boolean().describe('Whether they are sent to the URL of the user, if there is one.'),
  })
  .meta({ id: 'NotificationPreference' })

const Format = z
  .enum(notificationWebhookFormats)
  .describe(
    '`standard`: JSON, signed after Standard Webhooks. `slack`: a message for an incoming webhook of Slack, Mattermost or Google Chat. `discord`: one for Discord.',
  )

const Webhook = z
  .object({
    url: z.string(),
    format: Format,
    secret: z.string().optional().describe('Only in the response that made it: the secret that signs, for the format `standard`.'),
    lastSentAt: z.iso.datetime().nullable(),
    failingSince: z.iso.datetime().nullable().describe('Since when every attempt fails.'),
    lastError: z.string().nullable(),
    disabledAt: z.iso
      .datetime()
      .nullable()
      .describe('When sending was stopped, after three days of failures or a 410. Set the URL again to continue.'),
  })
  .meta({ id: 'NotificationWebhook' })

const Preferences = z
  .object({
    digestMinutes: z.int().describe('Shortest time between two digests to this user.'),
    firstAtOnce: z
      .boolean()
      .describe('Whether the first occurrence of a cause is mailed within about a minute, at most 5 times between two digests.'),
    mailConfigured: z.boolean().describe('Whether this installation sends mail. If not, digests are not sent.'),
    webhook: Webhook.nullable().describe('Where notifications are sent in addition; null: nowhere.'),
    kinds: z.array(Preference).describe('One entry for each kind.'),
  })
  .meta({ id: 'NotificationPreferences' })

const base = { stability: 'beta', rateLimit: 'default', audit: 'none', idempotency: 'natural', errors: [] } as const
const reads = { ...base, method: 'GET', auth: { scope: 'notifications:read' } } as const
const writes = { ...base, auth: { scope: 'notifications:write' } } as const
const path = '/api/v1/notifications'

const list = operation({
  ...reads,
  id: 'notifications.list',
  path,
  summary: 'List the own notifications',
  description:
    'Of the calling user, ordered by their last occurrence, newest first. A notification that changes while pages are read moves to the front.',
  query: z.strictObject({
    ...listQuery,
    unread: z.enum(['true', 'false']).optional().describe('`true`: only unread ones; `false`: only read ones.'),
    kind: NotificationKind.optional(),
  }),
  reply: listPage(Notification).extend({
    unreadCount: z.int().describe('Unread notifications of the user, whatever the filter; at most 1000 are counted.'),
  }),
})

const read = operation({
  ...writes,
  id: 'notifications.read',
  auditors: true,
  method: 'PATCH',
  path: `${path}/{id}/read`,
  summary: 'Mark a notification as read',
  description: 'With `read: false` it becomes unread again. The next occurrence of the cause of a read notification makes a new one.',
  params: z.object({ id: typeId('ntf') }),
  body: z.strictObject({ read: z.boolean().default(true) }),
  reply: Notification,
  errors: ['conflict'],
})

const readAll = operation({
  ...writes,
  id: 'notifications.readAll',
  auditors: true,
  method: 'PATCH',
  path: `${path}/read-all`,
  summary: 'Mark all notifications as read',
  body: z.strictObject({
    kind: NotificationKind.optional().describe('Only those of this kind.'),
    until: z.iso
      .datetime()
      .optional()
      .describe('Only those whose last occurrence is at this time or earlier: those that arrive meanwhile stay unread.'),
  }),
  reply: z.object({ updated: z.int().describe('How many became read.'), unreadCount: z.int() }),
})

const preferences = operation({
  ...reads,
  id: 'notifications.preferences',
  path: `${path}/preferences`,
  summary: 'Read the own notification preferences',
  reply: Preferences,
})

const updatePreferences = operation({
  ...writes,
  id: 'notifications.updatePreferences',
  auditors: true,
  method: 'PUT',
  path: `${path}/preferences`,
  summary: 'Change the own notification preferences',
  description:
    'Members and kinds that are left out stay as they are. Another URL gets a new secret, which only this response contains; the same URL keeps its secret. A private address that the operator has not allowed is refused.',
  body: z.strictObject({
    digestMinutes: z.int().min(15).max(10_080).optional().describe('From 15 minutes to a week; 60 unless set.'),
    firstAtOnce: z.boolean().optional().describe('False: everything waits for the next digest.'),
    kinds: z
      .array(
        z.strictObject({
          kind: NotificationKind,
          inApp: z.boolean().optional(),
          mail: z.boolean().optional(),
          webhook: z.boolean().optional(),
        }),
      )
      .max(50)
      .optional(),
    webhook: z
      .strictObject({ url: DeliveryUrl, format: Format.default('standard') })
      .nullable()
      .optional()
      .describe('A URL that receives notifications within seconds; null removes it.'),
  }),
  reply: Preferences,
})

const testWebhook = operation({
  ...writes,
  id: 'notifications.testWebhook',
  auditors: true,
  method: 'POST',
  path: `${path}/preferences/webhook/test`,
  summary: 'Send a test to the own URL',
  description: 'Sends one message to the `webhook` of the preferences at once, also if sending was stopped, and returns the result.',
  idempotency: 'keyed',
  transaction: 'own',
  reply: z
    .object({
      delivered: z.boolean().describe('Whether the response was a 2xx.'),
      status: z.int().nullable().describe('Of another response; null without one.'),
      error: z.string().nullable().describe('Why it was not delivered.'),
    })
    .meta({ id: 'NotificationWebhookTest' }),
  errors: ['conflict', 'overloaded'],
})

/** What a user hears of by itself. */
export const notifications = { list, read, readAll, preferences, updatePreferences, testWebhook } as const
