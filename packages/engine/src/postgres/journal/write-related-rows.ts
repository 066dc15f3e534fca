import type { PoolClient } from 'pg'
import type { Write } from '#durable/ports/journal.ts'
import { endWaits } from './end-waits.ts'
import { idBounds } from '#postgres/sql/id-bounds.ts'
import { insertEvents, type InsertEventsDeps } from '#postgres/events/insert-events.ts'
import { type WaitsDeps, writeWaits } from '#postgres/events/write-waits.ts'
import type { PreparedWrite } from './prepare-write.ts'

type Client = Pick<PoolClient, 'query'>

export type RelatedRowsDeps = WaitsDeps & InsertEventsDeps

/** Ends waits. Deletes the messages that were journalled first, so that only the events of the others are released. */
export async function writeEndsOfWaits(client: Client, writes: readonly Write[]): Promise<void> {
  const consumed = writes.flatMap(({ waits }) => waits?.consumed ?? [])
  if (consumed.length > 0)
    await client.query({ name: 'messages-taken', text: `delete from messages where id = any($1::bigint[])`, values: [consumed] })
  await endWaits(
    client,
    writes.flatMap(({ executionId, waits }) => (waits?.closed ?? []).map((position) => ({ executionId, position }))),
  )
}

/**
 * Writes the opened waits, events and replies of a batch, after its executions and journal entries.
 * @param requeued executions that were put on the queue instead of being parked.
 */
export async function writeRelatedRows(
  client: Client,
  prepared: readonly PreparedWrite[],
  requeued: ReadonlySet<string>,
  deps: RelatedRowsDeps,
): Promise<void> {
  await writeWaits(
    client,
    prepared.map(({ write }) => write),
    deps,
  )
  const events = prepared.flatMap(({ write: { executionId, accountId, events: all, progress }, events: envelopes }) => {
    const lifecycle = progress?.state === 'suspended' && !requeued.has(executionId) ? (progress.events ?? []) : []
    return [
      ...all.map((event, index) => ({ accountId, event, envelope: envelopes[index], executionId })),
      ...lifecycle.map((event) => ({ accountId, event, executionId })),
    ]
  })
  if (events.length > 0) await insertEvents(client, events, deps)
  const replies = prepared.flatMap(({ write: { executionId }, reply: body }) => (body === undefined ? [] : { executionId, body }))
  if (replies.length === 0) return
  const ids = replies.map(({ executionId }) => executionId)
  await client.query({
    name: 'replies',
    // The bounds exclude partitions (id-bounds.ts).
    text: `update executions e set reply = coalesce(e.reply, r.body::json) from unnest($1::uuid[], $2::text[]) as r(id, body)
      where e.id = r.id and e.id between $3::uuid and $4::uuid`,
    values: [ids, replies.map(({ body }) => body), ...idBounds(ids)],
  })
}
