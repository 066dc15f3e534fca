import { auth, notifications } from '@millrace/contract'
import type { Kysely } from 'kysely'
import { call, textAt } from '#laws/calls.ts'
import { notify } from '#modules/notifications/index.ts'
import type { Rows } from '#platform/db/rows.ts'
import { fromTypeId } from '#platform/ids.ts'
import type { LawArea } from './area.ts'

/** Notifies a user as a part of the product would, and returns the id of the notification. */
async function notifyUser(url: string, token: string, db: Kysely<Rows>): Promise<string> {
  const { body } = await call(url, auth.me, { token })
  const accountId = fromTypeId('acct', textAt(body, 'account', 'id')) ?? ''
  await notify(db, { accountId, roles: ['owner'], kind: 'system.notice', title: 'Maintenance tonight', body: 'From 22:00 UTC.' })
  return textAt((await call(url, notifications.list, { token })).body, 'data', '0', 'id')
}

export const notificationsArea: LawArea = {
  async createResources(url, { token }, db) {
    return { ntf: await notifyUser(url, token, db) }
  },
  async exercise({ url, perform, token, db }) {
    const params = { id: await notifyUser(url, token, db) }
    await perform(notifications.list, { token, query: { unread: 'true' } })
    await perform(notifications.read, { token, params, body: {} })
    await perform(notifications.readAll, { token, body: {} })
    await perform(notifications.preferences, { token })
    await perform(notifications.updatePreferences, {
      token,
      // Nothing listens there, which the test reports.
      body: {
        digestMinutes: 30,
        firstAtOnce: true,
        kinds: [{ kind: 'system.notice', mail: true }],
        webhook: { url: 'http://127.0.0.1:9/hook', format: 'slack' },
      },
    })
    await perform(notifications.testWebhook, { token })
    await perform(notifications.updatePreferences, { token, body: { webhook: null } })
  },
}
