import { Fault, notificationKinds } from '@millrace/contract'
import type { Tx } from '#platform/http/index.ts'
import { type Channels, channelsDefault, digestMinutesDefault, type Notification, type NotificationKind } from './model.ts'
import {
  countUnread,
  hasUnreadOfGroup,
  listNotifications,
  markAll,
  markNotification,
  type NotificationFilter,
  readPreferences,
  writeDigestInterval,
  writePreference,
} from './notification-store.ts'

export interface NotificationsDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly mailConfigured: boolean
}

export interface Preferences {
  readonly digestMinutes: number
  readonly mailConfigured: boolean
  readonly kinds: readonly ({ readonly kind: NotificationKind } & Channels)[]
}

/** Members that are `undefined` stay as they are. */
export interface PreferencesChange {
  readonly digestMinutes: number | undefined
  readonly kinds: readonly { readonly kind: NotificationKind; readonly inApp?: boolean | undefined; readonly mail?: boolean | undefined }[]
}

export type Notifications = ReturnType<typeof createNotifications>

/** The notifications of one user. */
export function createNotifications({ now, mailConfigured }: NotificationsDeps) {
  async function preferences(tx: Tx, accountId: string, userId: string): Promise<Preferences> {
    const stored = await readPreferences(tx, accountId, userId)
    const kinds = notificationKinds.map((kind) => ({ kind, ...(stored.kinds.get(kind) ?? channelsDefault[kind]) }))
    return { digestMinutes: stored.digestMinutes ?? digestMinutesDefault, mailConfigured, kinds }
  }

  return {
    preferences,

    async list(tx: Tx, accountId: string, userId: string, filter: NotificationFilter) {
      const found = await listNotifications(tx, accountId, userId, filter)
      return { found, unreadCount: await countUnread(tx, accountId, userId) }
    },

    /** Marks a notification as read, or as unread. Fault `conflict` if its group has another unread one. */
    async mark(
      tx: Tx,
      accountId: string,
      userId: string,
      { id, read }: { readonly id: string; readonly read: boolean },
    ): Promise<Notification> {
      if (!read && (await hasUnreadOfGroup(tx, accountId, userId, id)))
        throw new Fault('conflict', { detail: 'A later notification about the same cause is unread. Open that one.' })
      const marked = await markNotification(tx, accountId, userId, { id, readAt: read ? new Date(now()) : undefined })
      if (marked === undefined) throw new Fault('not_found', { detail: 'There is no such notification.' })
      return marked
    },

    async markAll(tx: Tx, accountId: string, userId: string, options: { kind: NotificationKind | undefined; until: Date | undefined }) {
      const updated = await markAll(tx, accountId, userId, { ...options, readAt: new Date(now()) })
      return { updated, unreadCount: await countUnread(tx, accountId, userId) }
    },

    /** Fault `request_invalid` if the list of security events is switched off. */
    async changePreferences(tx: Tx, accountId: string, userId: string, change: PreferencesChange): Promise<Preferences> {
      const before = new Map((await preferences(tx, accountId, userId)).kinds.map((entry) => [entry.kind, entry]))
      for (const [index, { kind, inApp, mail }] of change.kinds.entries()) {
        if (kind === 'security.event' && inApp === false)
          throw new Fault('request_invalid', {
            errors: [{ pointer: `/kinds/${index}/inApp`, detail: 'Must be true: security events are always in the list.' }],
          })
        const stored = before.get(kind) ?? channelsDefault[kind]
        const next = { kind, inApp: inApp ?? stored.inApp, mail: mail ?? stored.mail }
        await writePreference(tx, accountId, userId, next)
        before.set(kind, next)
      }
      if (change.digestMinutes !== undefined) await writeDigestInterval(tx, accountId, userId, change.digestMinutes)
      return preferences(tx, accountId, userId)
    },
  }
}
