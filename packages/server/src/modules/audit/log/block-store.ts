import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { digestPrefix, endedEvent, type ExecutionEvent } from './execution-events.ts'

/** Events in a block, at most. */
export const blockMax = 1_000

/** An event of an execution with its leaf. */
export interface LoggedExecutionEvent {
  readonly event: ExecutionEvent
  readonly salt: Buffer
  readonly hash: Buffer
}

/** Whether a block has a place for everything about an event: digests in the form of RFC 8785. */
export function fitsBlock({ inputDigest, outputDigest }: ExecutionEvent): boolean {
  return inputDigest.startsWith(digestPrefix) && (outputDigest === null || outputDigest.startsWith(digestPrefix))
}

/** Inserts one block: events with consecutive leaves from `firstIndex` on. */
export async function insertBlock(
  tx: Kysely<Rows>,
  { accountId, day, firstIndex }: { readonly accountId: string; readonly day: string; readonly firstIndex: number },
  logged: readonly LoggedExecutionEvent[],
): Promise<void> {
  const bases = new Map<string, number>()
  const numbers = logged.map(({ event: { base } }) => {
    const text = JSON.stringify(base)
    const number = bases.get(text) ?? bases.size + 1
    bases.set(text, number)
    return number
  })
  const events = logged.map(({ event }) => event)
  const created = events.map(({ id }) => millisecondsOf(id))
  const times = events.map(({ at }) => at.toISOString())
  const sorted = times.toSorted()
  await sql`
    insert into audit_blocks (account_id, day, first_index, size, created, first_at, last_at, bases, base_numbers, event_ids, targets, times,
      started_times, input_digests, output_digests, salts, hashes)
    values (${accountId}, ${day}::date, ${firstIndex}, ${logged.length}, int8range(${Math.min(...created)}, ${Math.max(...created)}, '[]'),
      ${sorted[0]}, ${sorted.at(-1)}, ${[...bases.keys()]}::jsonb[], ${numbers}::int2[], ${events.map(({ id }) => id)}::uuid[],
      ${events.map(({ target }) => target)}::text[], ${times}::timestamptz[],
      ${events.map(({ startedAt }) => startedAt.toISOString())}::timestamptz[], ${events.map(({ inputDigest }) => bytesOf(inputDigest))}::bytea[],
      ${events.map(({ outputDigest }) => (outputDigest === null ? null : bytesOf(outputDigest)))}::bytea[],
      ${logged.map(({ salt }) => salt)}::bytea[], ${logged.map(({ hash }) => hash)}::bytea[])`.execute(tx)
}

function bytesOf(digest: string): Buffer {
  return Buffer.from(digest.slice(digestPrefix.length), 'hex')
}

/** The time in the first 48 bits of the id of an execution or of its event. */
export function millisecondsOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

const instant = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const digest = (column: string) => sql`${sql.lit(digestPrefix)} || encode(${sql.ref(column)}, 'hex')`

/**
 * The events of blocks, a query with the columns of `audit_events` and with `day`, `index` and `hash` of their leaves. Its details are those that
 * `entryOfExecution` makes.
 * @param blocks a relation with the columns of `audit_blocks`.
 */
export function blockEventsSql(blocks: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select x.id, b.account_id, x.at, 'system:engine'::text as actor, x.base->>'event' as event, x.target, null::text as request_id,
      null::inet as ip, x.base->'details' || jsonb_build_object('startedAt', ${instant('x.started_at')}, 'inputDigest', ${digest('x.input_digest')})
        || case when x.base->>'event' = ${sql.lit(endedEvent)}
          then jsonb_build_object('endedAt', ${instant('x.at')}, 'outputDigest', ${digest('x.output_digest')}) else '{}'::jsonb end as details,
      x.salt, null::bytea as commitment, b.day, b.first_index + x.place as index, x.hash
    from ${blocks} b cross join lateral (
      select u.*, b.bases[u.number] as base, u.ordinal::int4 - 1 as place
      from unnest(b.event_ids, b.targets, b.times, b.started_times, b.base_numbers, b.input_digests, b.output_digests, b.salts, b.hashes)
        with ordinality as u(id, target, at, started_at, number, input_digest, output_digest, salt, hash, ordinal)
      where u.ordinal <= b.size
    ) x`
}

/** A relation of blocks from a place of the log on, in order, that have at least the next `limit` events. */
export function blocksFromSql(
  accountId: string,
  from: { readonly day: string; readonly index: number },
  limit: number,
  isOneDay: boolean,
): RawBuilder<unknown> {
  // The first condition is one range of the primary key.
  return sql`(
    select * from (
      select n.*, sum(n.size) over (order by n.day, n.first_index) - n.size as before from (
        select * from audit_blocks where account_id = ${accountId} and (day, first_index) > (${from.day}::date, ${from.index - blockMax}::int4)
          and ${isOneDay ? sql`day = ${from.day}::date` : sql`true`} and (day > ${from.day}::date or first_index + size > ${from.index}::int4)
        order by day, first_index limit ${limit}
      ) n
    ) counted where before < ${limit + blockMax}
  )`
}
