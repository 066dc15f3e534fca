import type { Kysely } from 'kysely'
import { notify } from '#modules/notifications/index.ts'
import type { Rows } from '#platform/db/rows.ts'
import { toTypeId } from '#platform/ids.ts'
import { claimExpiring } from './connection-store.ts'

const aheadMs = 7 * 24 * 60 * 60 * 1000
const batch = 100

/** Notifies administrators of connections whose secrets end within a week, once for each end. */
export async function notifyExpiry(db: Kysely<Rows>, nowMs: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const { accountId, id, name, expiresAt } of await claimExpiring(tx, new Date(nowMs + aheadMs), new Date(nowMs), batch)) {
      const isPast = expiresAt.getTime() <= nowMs
      await notify(tx, {
        accountId,
        roles: ['owner', 'admin'],
        kind: 'connection.failed',
        title: isPast ? `The connection ${name} has expired` : `The connection ${name} expires soon`,
        body: `Its secret is valid until ${expiresAt.toISOString()}. Set a new one, so that workflows continue to work.`,
        link: `/connections/${toTypeId('conn', id)}`,
        groupKey: `expiry ${id}`,
      })
    }
  })
}
