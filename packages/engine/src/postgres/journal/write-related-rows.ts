import type { PoolClient } from 'pg'
import type { Write } from '#durable/ports/journal.ts'
import { endWaits } from './end-waits.ts'
import { insertEvents, type InsertEventsDeps } from '#postgres/events/insert-events.ts'
import { type WaitsDeps, writeWaits } from '#postgres/events/write-waits.ts'
import type { PreparedWrite } from './prepare-write.ts'

type Client = Pick<PoolClient, 'query'>

export type BesideDeps = WaitsDeps & InsertEventsDeps

/** Ends waits: first deletes the messages that are in the journal now, so that only the others are given back. */
export async function writeEndsOfWaits(client: Client, writes: readonly Write[]): Promise<void> {
  const taken = writes.flatMap(({ waits }) => waits?.consumed ?? [])
  if (taken.length > 0)
    await client.query({ name: 'messages-taken', text: `delete from messages where id = any($1::bigint[])`, values: [taken] })
  await endWaits(
    client,
    writes.flatMap(({ executionId, waits }) => (waits?.closed ?? []).map((position) => ({ executionId, position }))),
  )
}

/**
 * Writes the rows of other tables that belong to the writes: opened waits, events, replies.
 * @param requeued executions that were put on the queue instead of being parked.
 */
export async function writeBeside(
  client: Client,
  prepared: readonly PreparedWrite[],
  requeued: ReadonlySet<string>,
  deps: BesideDeps,
): Promise<void> {
  await writeWaits(
    client,
    prepared.map(({ write }) => write),
    deps,
  )
  const events = prepared.flatMap(({ write: { executionId, accountId, events: all, progress }, events: envelopes }) => {
    const lifecycle = progress?.state === 'suspended' && !requeued.has(executionId) ? (progress.events ?? []) : []
    return [
      ...all.map((event, index) => ({ accountId, event, envelope: envelopes[index] })),
      ...lifecycle.map((event) => ({ accountId, event })),
    ]
  })
  if (events.length > 0) await insertEvents(client, events, deps)
  const replies = prepared.flatMap(({ write: { executionId }, reply: body }) => (body === undefined ? [] : { executionId, body }))
  if (replies.length === 0) return
  await client.query({
    name: 'replies',
    text: `update executions e set reply = coalesce(e.reply, r.body::json) from unnest($1::uuid[], $2::text[]) as r(id, body) where e.id = r.id`,
    values: [replies.map(({ executionId }) => executionId), replies.map(({ body }) => body)],
  })
}
