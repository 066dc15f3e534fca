import type { PoolClient } from 'pg'
import type { Json, JsonObject } from '#core/json.ts'

type Client = Pick<PoolClient, 'query'>

export interface InsertEventsDeps {
  readonly newId: () => string
  /** How long events are stored, whether a listener received them or not. */
  readonly retentionMs: number
}

export interface NewEvent {
  readonly accountId: string
  /** A complete CloudEvent. */
  readonly event: JsonObject
  /** The event as text, where the caller has it already. */
  readonly envelope?: string
  /** The execution that emits it, whose depth the event gets. */
  readonly executionId?: string
  /** Of an event without such an execution; none unless given. */
  readonly depth?: number
}

/**
 * Inserts events, except those whose source and id their account has already.
 * @returns how many are new.
 */
export async function insertEvents(client: Client, events: readonly NewEvent[], { newId, retentionMs }: InsertEventsDeps): Promise<number> {
  const rows = events
    .map(({ accountId, event, envelope, executionId, depth = 0 }) => ({
      id: newId(),
      accountId,
      executionId,
      depth,
      source: textOf(event.source),
      eventId: textOf(event.id),
      type: textOf(event.type),
      envelope: envelope ?? JSON.stringify(event),
    }))
    // In one order in all processes, so that two that insert the same events do not deadlock.
    .toSorted((a, b) => compare(a.source, b.source) || compare(a.eventId, b.eventId))
  const { rowCount } = await client.query({
    name: 'events',
    text: `insert into events (id, account_id, source, event_id, type, envelope, received_at, expires_at, depth)
      select r.id, r.account_id, r.source, r.event_id, r.type, r.envelope::json, now(), now() + make_interval(secs => $7),
        coalesce((select e.depth from executions e where e.id = r.execution_id), r.depth)
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $8::uuid[], $9::int2[])
        as r(id, account_id, source, event_id, type, envelope, execution_id, depth)
      on conflict (account_id, source, event_id) do nothing`,
    values: [
      rows.map(({ id }) => id),
      rows.map(({ accountId }) => accountId),
      rows.map(({ source }) => source),
      rows.map(({ eventId }) => eventId),
      rows.map(({ type }) => type),
      rows.map(({ envelope }) => envelope),
      retentionMs / 1000,
      rows.map(({ executionId }) => executionId ?? null),
      rows.map(({ depth }) => depth),
    ],
  })
  return rowCount ?? 0
}

function textOf(attribute: Json | undefined): string {
  if (typeof attribute !== 'string') throw new Error('a published event lacks its source, id or type')
  return attribute
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
