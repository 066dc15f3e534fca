import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { NotificationKind } from './model.ts'

export interface SettledCauses {
  readonly kind: NotificationKind
  readonly groupKeys: readonly string[]
  /** Only of this user; of all users unless given. */
  readonly of?: { readonly accountId: string; readonly userId: string }
  readonly at: Date
}

/** Marks the unread notifications of causes that need no attention any more as read: no mail and no webhook reports them afterwards. */
export async function settleNotifications(tx: Kysely<Rows>, { kind, groupKeys, of, at }: SettledCauses): Promise<void> {
  if (groupKeys.length === 0) return
  await sql`
    update notifications set read_at = ${at}, mail_due_since = null, webhook_due_since = null
    where kind = ${sql.lit(kind)} and group_key = any(${groupKeys}::text[]) and read_at is null
      and ${of === undefined ? sql`true` : sql`account_id = ${of.accountId} and user_id = ${of.userId}`}`.execute(tx)
}
