import { Fault, notificationKinds } from '@millrace/contract'
import type { Tx } from '#platform/http/index.ts'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { requireReachable } from '#platform/net/require-reachable.ts'
import { secretText } from '#platform/net/webhook-signature.ts'
import {
  type Channels,
  channelsDefault,
  digestMinutesDefault,
  type Notification,
  type NotificationKind,
  type WebhookFormat,
  type WebhookPreference,
} from './model.ts'
import {
  countUnread,
  hasUnreadOfGroup,
  listNotifications,
  markAll,
  markNotification,
  type NotificationFilter,
  readPreferences,
  writeDigestInterval,
  writeFirstAtOnce,
  writePreference,
} from './notification-store.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'
import { deleteWebhook, findWebhook, writeWebhook } from './webhook-store.ts'

export interface NotificationsDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly mailConfigured: boolean
  readonly secrets: WebhookSecrets
  readonly http: Pick<GuardedFetch, 'refusalOf'>
  readonly randomBytes: (size: number) => Uint8Array
}

const secretBytes = 32

export interface Preferences {
  readonly digestMinutes: number
  readonly firstAtOnce: boolean
  readonly mailConfigured: boolean
  readonly webhook: WebhookPreference | undefined
  readonly kinds: readonly ({ readonly kind: NotificationKind } & Channels)[]
}

/** Members that are `undefined` stay as they are. */
export interface PreferencesChange {
  readonly digestMinutes: number | undefined
  readonly firstAtOnce: boolean | undefined
  readonly kinds: readonly ({ readonly kind: NotificationKind } & { readonly [K in keyof Channels]?: boolean | undefined })[]
  /** Null removes the URL. */
  readonly webhook: { readonly url: string; readonly format: WebhookFormat } | null | undefined
}

export type Notifications = ReturnType<typeof createNotifications>

/** The notifications of one user. */
export function createNotifications({ now, mailConfigured, secrets, http, randomBytes }: NotificationsDeps) {
  /** Undefined as well when the URL was sealed under another key: it has to be set again. */
  async function webhookOf(tx: Tx, accountId: string, userId: string): Promise<WebhookPreference | undefined> {
    const found = await findWebhook(tx, { accountId, userId })
    const target = found === undefined ? undefined : await secrets.open(tx, { accountId, userId }, found.sealed)
    if (found === undefined || target === undefined) return undefined
    const { sealed: _, ...state } = found
    return { ...state, url: target.url, secret: undefined }
  }

  /** Returns the secret of another URL than before. */
  async function changeWebhook(
    tx: Tx,
    accountId: string,
    userId: string,
    wanted: NonNullable<PreferencesChange['webhook']>,
  ): Promise<string | undefined> {
    requireReachable(http, new URL(wanted.url).hostname, '/webhook/url')
    const user = { accountId, userId }
    const stored = await findWebhook(tx, user)
    const before = stored === undefined ? undefined : await secrets.open(tx, user, stored.sealed)
    const isSame = before?.url === wanted.url
    const secret = isSame ? before.secret : Buffer.from(randomBytes(secretBytes))
    const sealed = await secrets.seal(tx, user, { url: wanted.url, secret })
    await writeWebhook(tx, user, { format: wanted.format, sealed, at: new Date(now()) })
    return isSame ? undefined : secretText(secret)
  }

  async function preferences(tx: Tx, accountId: string, userId: string): Promise<Preferences> {
    const stored = await readPreferences(tx, accountId, userId)
    const kinds = notificationKinds.map((kind) => ({ kind, ...(stored.kinds.get(kind) ?? channelsDefault[kind]) }))
    const webhook = await webhookOf(tx, accountId, userId)
    const { digestMinutes = digestMinutesDefault, firstAtOnce } = stored
    return { digestMinutes, firstAtOnce, mailConfigured, webhook, kinds }
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
      for (const [index, { kind, inApp, mail, webhook }] of change.kinds.entries()) {
        if (kind === 'security.event' && inApp === false)
          throw new Fault('request_invalid', {
            errors: [{ pointer: `/kinds/${index}/inApp`, detail: 'Must be true: security events are always in the list.' }],
          })
        const stored = before.get(kind) ?? channelsDefault[kind]
        const next = { kind, inApp: inApp ?? stored.inApp, mail: mail ?? stored.mail, webhook: webhook ?? stored.webhook }
        await writePreference(tx, accountId, userId, next)
        before.set(kind, next)
      }
      if (change.digestMinutes !== undefined) await writeDigestInterval(tx, accountId, userId, change.digestMinutes)
      if (change.firstAtOnce !== undefined) await writeFirstAtOnce(tx, accountId, userId, change.firstAtOnce)
      if (change.webhook === null) await deleteWebhook(tx, { accountId, userId })
      const secret = change.webhook ? await changeWebhook(tx, accountId, userId, change.webhook) : undefined
      const after = await preferences(tx, accountId, userId)
      return after.webhook === undefined ? after : { ...after, webhook: { ...after.webhook, secret } }
    },
  }
}
