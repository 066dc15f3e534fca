import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { ProviderEvent, ProviderName } from './provider.ts'

/** A notification that was stored. */
export interface StoredNotification {
  readonly id: string
  readonly duplicate: boolean
}

export interface NewNotification {
  readonly id: string
  readonly provider: ProviderName
  readonly event: ProviderEvent
  readonly body: Buffer
  readonly at: Date
}

/** Stores a notification, or counts another delivery of it. */
export async function insertNotification(
  tx: Kysely<Rows>,
  { id, provider, event, body, at }: NewNotification,
): Promise<StoredNotification> {
  const { rows } = await sql<{ id: string; deliveries: number }>`
    insert into payment_notifications (id, provider, event_id, type, body, received_at, state)
    values (${id}, ${provider}, ${event.id}, ${event.type}, ${body}, ${at}, 'pending')
    on conflict (provider, event_id) do update set deliveries = payment_notifications.deliveries + 1
    returning id, deliveries`.execute(tx)
  const row = rows[0]
  if (row === undefined) throw new Error('an upsert returned no row')
  return { id: row.id, duplicate: row.deliveries > 1 }
}

export async function endNotification(db: Kysely<Rows>, id: string, state: 'processed' | 'dead', at: Date): Promise<void> {
  await sql`update payment_notifications set state = ${state}, processed_at = ${at} where id = ${id} and state = 'pending'`.execute(db)
}

/** Deletes notifications that are older than `before`, also those whose processing was interrupted in its last attempt. */
export async function deleteNotifications(db: Kysely<Rows>, before: Date, rowsMax: number): Promise<void> {
  await sql`delete from payment_notifications where id in (
    select id from payment_notifications where received_at < ${before}
    order by received_at limit ${rowsMax} for update skip locked)`.execute(db)
}
