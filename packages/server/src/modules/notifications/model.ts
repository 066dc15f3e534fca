import type { notificationKinds, notificationWebhookFormats, Role } from '@millrace/contract'

export type NotificationKind = (typeof notificationKinds)[number]
export type WebhookFormat = (typeof notificationWebhookFormats)[number]

export interface Notification {
  readonly id: string
  readonly kind: NotificationKind
  readonly title: string
  readonly body: string
  readonly link: string | undefined
  readonly count: number
  readonly readAt: Date | undefined
  readonly createdAt: Date
  readonly lastAt: Date
}

/** Something that users of an account are to hear of. */
export interface NewNotification {
  readonly accountId: string
  /** The users who receive it, in addition to those with one of the roles. */
  readonly userIds?: readonly string[] | undefined
  readonly roles?: readonly Role[] | undefined
  /** Who caused it, and hears nothing of it. */
  readonly exceptUserId?: string | undefined
  readonly kind: NotificationKind
  /** One line; cut after 300 characters. */
  readonly title: string
  /** Plain text; cut after 4000 characters. */
  readonly body?: string | undefined
  /** Path of the page about the cause. */
  readonly link?: string | undefined
  /** Names the cause: while a user has not read the notification, repetitions raise its count. */
  readonly groupKey?: string | undefined
  /** How many occurrences it stands for; 1 unless given. */
  readonly count?: number | undefined
}

/** A user of an account, whose notifications wait to be sent. */
export interface Recipient {
  readonly accountId: string
  readonly userId: string
}

/** Where notifications of a kind go. */
export interface Channels {
  readonly inApp: boolean
  readonly mail: boolean
  /** Whether it is sent to the URL of the user, if there is one. */
  readonly webhook: boolean
}

/** The URL of a user, with the state of its deliveries. */
export interface WebhookPreference extends WebhookState {
  readonly url: string
  /** Of a URL that was set just now. */
  readonly secret: string | undefined
}

/** How sending to the URL of a user goes. */
export interface WebhookState {
  readonly format: WebhookFormat
  readonly lastSentAt: Date | undefined
  /** Since when every attempt fails. */
  readonly failingSince: Date | undefined
  readonly lastError: string | undefined
  /** When sending stopped. */
  readonly disabledAt: Date | undefined
}

/** What applies to a kind until a user changes it. */
export const channelsDefault: Readonly<Record<NotificationKind, Channels>> = {
  'execution.faulted': { inApp: true, mail: true, webhook: true },
  // Approvals send mails of their own.
  'approval.waiting': { inApp: true, mail: false, webhook: true },
  'publish.requested': { inApp: true, mail: true, webhook: true },
  'trigger.paused': { inApp: true, mail: true, webhook: true },
  'quota.near': { inApp: true, mail: true, webhook: true },
  'security.event': { inApp: true, mail: true, webhook: true },
  'connection.failed': { inApp: true, mail: true, webhook: true },
  'system.notice': { inApp: true, mail: false, webhook: false },
}

export const digestMinutesDefault = 60
/** At most this many unread notifications are counted. */
export const unreadMax = 1_000
