import type { PoolClient } from 'pg'
import type { Json, JsonObject } from '#core/json.ts'

type Client = Pick<PoolClient, 'query'>

export interface InsertEventsDeps {
  readonly newId: () => string
  /** How long events are kept, whether anybody took them or not. */
  readonly retentionMs: number
}

export interface NewEvent {
  readonly accountId: string
  /** A complete CloudEvent. */
  readonly event: JsonObject
  /** The event as text, where it has been made. */
  readonly envelope?: string
}

/**
 * Puts events on the bus of their accounts. One that is there already, by source and id, is passed over.
 * @returns how many are new.
 */
export async function insertEvents(client: Client, events: readonly NewEvent[], { newId, retentionMs }: InsertEventsDeps): Promise<number> {
  const rows = events
    .map(({ accountId, event, envelope }) => ({
      id: newId(),
      accountId,
      source: textOf(event.source),
      eventId: textOf(event.id),
      type: textOf(event.type),
      envelope: envelope ?? JSON.stringify(event),
    }))
    // In one order for all: two that write the same events wait for one another, and must not do so in a circle.
    .toSorted((one, other) => compare(one.source, other.source) || compare(one.eventId, other.eventId))
  const { rowCount } = await client.query({
    name: 'events',
    text: `insert into events (id, account_id, source, event_id, type, envelope, received_at, expires_at)
      select r.id, r.account_id, r.source, r.event_id, r.type, r.envelope::json, now(), now() + make_interval(secs => $7)
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[]) as r(id, account_id, source, event_id, type, envelope)
      on conflict (account_id, source, event_id) do nothing`,
    values: [
      rows.map(({ id }) => id),
      rows.map(({ accountId }) => accountId),
      rows.map(({ source }) => source),
      rows.map(({ eventId }) => eventId),
      rows.map(({ type }) => type),
      rows.map(({ envelope }) => envelope),
      retentionMs / 1000,
    ],
  })
  return rowCount ?? 0
}

function textOf(attribute: Json | undefined): string {
  if (typeof attribute !== 'string') throw new Error('an event without source, id or type was put on the bus')
  return attribute
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
