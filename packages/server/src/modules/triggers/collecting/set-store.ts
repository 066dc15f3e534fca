import type { JsonObject } from '@millrace/engine'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { EventSet } from './plan-set.ts'

type Executor = Kysely<Rows>

/** An open set without its events. */
export interface StoredSet extends EventSet {
  readonly id: string
  readonly depth: number
  readonly bytes: number
  readonly count: number
}

/** Open sets of a trigger; of a further one the oldest is dropped. */
export const setsMax = 1_000

interface SetRow extends Omit<StoredSet, 'correlated'> {
  readonly correlated: string
}

export async function listSets(tx: Executor, triggerId: string): Promise<readonly StoredSet[]> {
  const { rows } = await sql<SetRow>`
    select id, correlated::text as correlated, passed, depth, bytes, cardinality(events) as count from trigger_event_sets
    where trigger_id = ${triggerId} order by id`.execute(tx)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by `saveSet`.
  return rows.map((row) => ({ ...row, correlated: JSON.parse(row.correlated) as JsonObject }))
}

export async function setEvents(tx: Executor, id: string): Promise<readonly JsonObject[]> {
  const { rows } = await sql<{ readonly events: string }>`
    select array_to_json(events)::text as events from trigger_event_sets where id = ${id}`.execute(tx)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- CloudEvents, written by `saveSet`.
  return JSON.parse(rows[0]?.events ?? '[]') as readonly JsonObject[]
}

export interface SetChange extends EventSet {
  readonly id: string
  readonly accountId: string
  readonly triggerId: string
  readonly depth: number
  /** Undefined for an event that only ends a set. */
  readonly event: JsonObject | undefined
  readonly at: Date
}

/** Inserts a set, or adds an event to it. */
export async function saveSet(tx: Executor, { id, accountId, triggerId, correlated, passed, depth, event, at }: SetChange): Promise<void> {
  const text = event === undefined ? undefined : JSON.stringify(event)
  const events = text === undefined ? [] : [text]
  await sql`
    insert into trigger_event_sets as s (id, account_id, trigger_id, correlated, passed, events, bytes, depth, opened_at)
    values (${id}, ${accountId}, ${triggerId}, ${JSON.stringify(correlated)}, ${passed}, ${events}::json[], ${text?.length ?? 0}, ${depth}, ${at})
    on conflict (id) do update set correlated = excluded.correlated, passed = excluded.passed, events = s.events || excluded.events,
      bytes = s.bytes + excluded.bytes, depth = greatest(s.depth, excluded.depth)`.execute(tx)
}

export async function deleteSet(tx: Executor, id: string): Promise<void> {
  await sql`delete from trigger_event_sets where id = ${id}`.execute(tx)
}

/** Deletes sets that were opened before a time and never became complete. @returns how many. */
export async function deleteOldSets(executor: Executor, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from trigger_event_sets where id in (select id from trigger_event_sets where opened_at < ${before} limit ${limit})`.execute(
    executor,
  )
  return Number(numAffectedRows ?? 0)
}
